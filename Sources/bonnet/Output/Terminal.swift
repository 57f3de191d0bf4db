import Glibc

/// Standard error, as far as people read it.
enum Terminal {
  static func say(_ text: String) {
    let bytes = ByteText.bytes(text)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(STDERR_FILENO, $0.baseAddress?.advanced(by: sent), bytes.count - sent)
      }
      // There is no place left for a complaint.
      guard count > 0 else { return }
      sent += count
    }
  }

  /// The number of columns, or nil without a terminal.
  static var width: Int? {
    guard isatty(STDERR_FILENO) == 1 else { return nil }
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
