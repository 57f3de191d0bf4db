// SPDX-License-Identifier: MIT
import BluebonnetLibc
import CBluebonnetOpenSSL

/// A file that TLS secrets are appended to, in the form that Wireshark and others read (RFC 9850).
///
/// Its readers can read and forge the connections' bytes, so it is for its owner's eyes only.
final class KeyLog: Sendable {
  private let descriptor: Int32

  init(path: String) throws(TLSSettingError) {
    // Without O_NONBLOCK, opening a pipe would wait for a reader.
    descriptor = open(
      path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o600)
    guard descriptor >= 0 else {
      throw TLSSettingError(.keyLogPath, "cannot be written to: \(String(cString: strerror(errno)))")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid()
    else {
      close(descriptor)
      throw TLSSettingError(.keyLogPath, "is no file of this user's")
    }
    // An earlier one may be readable for all users.
    if status.st_mode & 0o077 != 0 { fchmod(descriptor, status.st_mode & 0o700) }
  }

  deinit { close(descriptor) }

  /// One line in one piece, so that those of several connections do not mix.
  func append(_ line: UnsafePointer<CChar>) {
    var bytes = Array(UnsafeBufferPointer(start: line, count: strlen(line)))
    bytes.append(CChar(bitPattern: UInt8(ascii: "\n")))
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }
}
