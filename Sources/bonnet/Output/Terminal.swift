import BluebonnetLibc

/// Standard error, as far as people read it.
enum Terminal {
  static func say(_ text: String) {
    var output = OutputFile(.standardError)
    // There is no place left for a complaint.
    try? output.write(text)
  }

  /// The number of columns, or nil without a terminal.
  static var width: Int? {
    guard isatty(STDERR_FILENO) == 1 else { return nil }
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
