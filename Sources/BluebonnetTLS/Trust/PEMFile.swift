// SPDX-License-Identifier: MIT
import BluebonnetLibc
import CBluebonnetOpenSSL

/// The blocks of a PEM file (RFC 7468).
struct PEMFile {
  struct Block {
    /// The text after `BEGIN`.
    let label: String
    let bytes: [UInt8]
  }

  let blocks: [Block]

  /// Reads the text of a file. A damaged block is an error, since trust would otherwise silently differ from what the file's
  /// owner believes. Text around the blocks is passed over.
  init(_ text: [UInt8], of path: String) throws(TLSError) {
    OpenSSLLibrary.initialize()
    ERR_clear_error()
    var blocks: [Block] = []
    _ = MemoryBIO.reading(text) { bio -> Void? in
      while let block = Self.next(in: bio) { blocks.append(block) }
      return nil
    }
    let end = QueuedError.take()
    // Reading on until no further block starts is how the end of the text shows. Of an empty one nothing is said.
    guard text.isEmpty || (end?.library == ERR_LIB_PEM && end?.reason == PEM_R_NO_START_LINE) else {
      throw TLSError(.invalidConfiguration, reason: "\(path) is damaged: \(end?.text ?? "it is too long")")
    }
    self.blocks = blocks
  }

  /// Those blocks of a text that can be read, whatever is between them.
  static func blocks(in text: [UInt8]) -> [Block] {
    defer { ERR_clear_error() }
    let found = MemoryBIO.reading(text) { bio -> [Block]? in
      var blocks: [Block] = []
      var left = Int.max
      while true {
        if let block = Self.next(in: bio) {
          blocks.append(block)
          continue
        }
        // The damaged block is behind the reader now; at the end nothing more goes by.
        let rest = BIO_ctrl(bio, BIO_CTRL_PENDING, 0, nil)
        guard rest > 0, rest < left else { return blocks }
        left = rest
      }
    }
    return found ?? []
  }

  private static func next(in bio: OpaquePointer) -> Block? {
    var label: UnsafeMutablePointer<CChar>?
    var header: UnsafeMutablePointer<CChar>?
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    guard PEM_read_bio(bio, &label, &header, &bytes, &count) == 1, let label else { return nil }
    defer {
      CRYPTO_free(label, #file, #line)
      CRYPTO_free(header, #file, #line)
      CRYPTO_free(bytes, #file, #line)
    }
    return Block(
      label: String(cString: label), bytes: Array(UnsafeBufferPointer(start: bytes, count: max(count, 0))))
  }

  /// All of a regular file, up to a limit.
  static func content(of path: String) throws(TLSError) -> [UInt8] {
    // A pipe or a device might never end, and would hold up the event loop.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw unreadable(path) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw unreadable(path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw TLSError(.invalidConfiguration, reason: "\(path) is not a regular file")
    }
    guard status.st_size <= sizeLimit else {
      throw TLSError(.invalidConfiguration, reason: "\(path) is too long for certificates")
    }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: max(Int(status.st_size), 4096))
    while true {
      let count = read(file, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(path) }
      guard count > 0 else { return bytes }
      bytes += piece[..<count]
      guard bytes.count <= sizeLimit else {
        throw TLSError(.invalidConfiguration, reason: "\(path) is too long for certificates")
      }
    }
  }

  /// Mozilla's authorities are 0.2 MB, and large revocation lists some tens.
  private static let sizeLimit = 1 << 28

  private static func unreadable(_ path: String) -> TLSError {
    TLSError(.invalidConfiguration, reason: "\(path) cannot be read: \(String(cString: strerror(errno)))")
  }
}
