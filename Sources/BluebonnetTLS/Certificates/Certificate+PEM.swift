// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

extension Certificate {
  /// The first certificate in a PEM text.
  package convenience init(pem: [UInt8]) throws(TLSError) {
    guard let x509 = MemoryBIO.reading(pem, { PEM_read_bio_X509($0, nil, nil, nil) }) else {
      throw TLSError.queued(.invalidCertificate)
    }
    self.init(owning: x509)
  }

  /// The first certificate in a PEM text.
  package convenience init(pem: String) throws(TLSError) {
    try self.init(pem: Array(pem.utf8))
  }

  /// Every certificate of a PEM text, in order; other blocks and the text between blocks are passed over.
  ///
  /// A damaged block and a text without any certificate are errors: both mean that trust would silently
  /// differ from what the file's owner believes.
  package static func bundle(pem: [UInt8]) throws(TLSError) -> [Certificate] {
    OpenSSLLibrary.initialize()
    ERR_clear_error()
    var found: [Certificate] = []
    _ = MemoryBIO.reading(pem) { bio -> Void? in
      while let x509 = PEM_read_bio_X509(bio, nil, nil, nil) {
        found.append(Certificate(owning: x509))
      }
      return nil
    }
    let end = QueuedError.take()
    // Reading on until no further block starts is how the end of the text shows.
    let reachedEnd = end?.library == ERR_LIB_PEM && end?.reason == PEM_R_NO_START_LINE
    guard reachedEnd, !found.isEmpty else {
      throw TLSError(.invalidCertificate, reason: end?.text ?? "no certificate in the text")
    }
    return found
  }

  /// The certificate between its BEGIN and END lines.
  package var pem: String {
    let bytes = MemoryBIO.writing { PEM_write_bio_X509($0, x509) == 1 } ?? []
    return String(decoding: bytes, as: UTF8.self)
  }
}
