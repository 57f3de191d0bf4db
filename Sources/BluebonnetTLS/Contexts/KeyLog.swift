import CBluebonnetOpenSSL
import Glibc

/// A file that TLS secrets are appended to, in the form that Wireshark and others read (RFC 9850).
///
/// Whoever has it can read and forge what the connections carry, so it is for its owner's eyes only.
final class KeyLog: Sendable {
  private let descriptor: Int32

  init(path: String) throws(TLSSettingError) {
    descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw TLSSettingError(.keyLogPath, "cannot be written to: \(String(cString: strerror(errno)))")
    }
  }

  deinit { close(descriptor) }

  /// One line in one piece, so that those of several connections do not mix.
  func append(_ line: UnsafePointer<CChar>) {
    var bytes = Array(UnsafeBufferPointer(start: line, count: strlen(line)))
    bytes.append(CChar(bitPattern: UInt8(ascii: "\n")))
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }
}
