// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

extension PrivateKey {
  /// The first private key in a PEM text; `password` opens an encrypted one.
  package convenience init(pem: [UInt8], password: String? = nil) throws(TLSError) {
    guard PasswordRounds.areReasonable(inPEM: pem) else { throw Self.tooManyRounds }
    let key = PEMPassword.lending(password) { secret in
      // A callback in any case: without one OpenSSL asks on the terminal.
      MemoryBIO.reading(pem) { PEM_read_bio_PrivateKey($0, nil, PEMPassword.callback, secret) }
    }
    guard let key else { throw TLSError.queued(.invalidKey) }
    ERR_clear_error()
    self.init(owning: key)
  }

  /// The first private key in a PEM text; `password` opens an encrypted one.
  package convenience init(pem: String, password: String? = nil) throws(TLSError) {
    try self.init(pem: Array(pem.utf8), password: password)
  }

  /// A key in any of the DER forms: PKCS #8, or the older ones of RSA and EC; `password` opens an encrypted PKCS #8.
  package convenience init(der: [UInt8], password: String? = nil) throws(TLSError) {
    OpenSSLLibrary.initialize()
    if password != nil {
      guard PasswordRounds.areReasonable(inDER: der) else { throw Self.tooManyRounds }
      let opened = PEMPassword.lending(password) { secret in
        MemoryBIO.reading(der) { d2i_PKCS8PrivateKey_bio($0, nil, PEMPassword.callback, secret) }
      }
      ERR_clear_error()
      if let opened {
        self.init(owning: opened)
        return
      }
    }
    let key = DER.readFirst(in: der) { d2i_AutoPrivateKey(nil, $0, $1) }
    guard let key else { throw TLSError.queued(.invalidKey) }
    ERR_clear_error()
    self.init(owning: key)
  }

  static var tooManyRounds: TLSError {
    TLSError(.invalidKey, reason: "the key asks for too many rounds of hashing")
  }

  package var der: [UInt8] { derBytes { i2d_PrivateKey(key, $0) } ?? [] }

  /// The key in PKCS #8, unencrypted.
  package var pem: String {
    let bytes = MemoryBIO.writing { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) == 1 }
    return String(decoding: bytes ?? [], as: UTF8.self)
  }
}

/// Hands a password to OpenSSL when it asks for one.
final class PEMPassword {
  private let bytes: [UInt8]?

  private init(_ text: String?) {
    bytes = text.map { Array($0.utf8) }
  }

  /// Calls with the context of the callback, which is valid meanwhile.
  static func lending<R>(_ text: String?, _ body: (UnsafeMutableRawPointer) -> R) -> R {
    let secret = PEMPassword(text)
    return withExtendedLifetime(secret) { body(Unmanaged.passUnretained(secret).toOpaque()) }
  }

  static let callback:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?)
      -> Int32 = { target, capacity, _, context in
        guard let target, let context,
          let bytes = Unmanaged<PEMPassword>.fromOpaque(context).takeUnretainedValue().bytes,
          bytes.count <= Int(capacity)
        else { return -1 }
        for (index, byte) in bytes.enumerated() { target[index] = CChar(bitPattern: byte) }
        return Int32(bytes.count)
      }
}
