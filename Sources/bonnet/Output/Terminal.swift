// SPDX-License-Identifier: MIT
import BluebonnetLibc
import Synchronization

/// Standard error, as far as people read it.
enum Terminal {
  /// Progress stands in the last line, which has no end yet.
  private static let isLineOpen = Mutex(false)

  /// Writes a message, in a line of its own.
  static func say(_ text: String) {
    guard !text.isEmpty else { return }
    isLineOpen.withLock { isLineOpen in
      write(isLineOpen ? "\n" + text : text)
      isLineOpen = false
    }
  }

  /// Writes progress, over that of before.
  static func draw(_ text: String) {
    guard !text.isEmpty else { return }
    isLineOpen.withLock { isLineOpen in
      write(text)
      isLineOpen = !text.hasSuffix("\n")
    }
  }

  private static func write(_ text: String) {
    var output = OutputFile(.standardError)
    // There is no place left for a complaint.
    try? output.write(text)
  }

  /// The number of columns of standard error, or nil without a terminal.
  static var width: Int? { width(of: STDERR_FILENO) }

  /// The number of columns, or nil if a descriptor is no terminal.
  static func width(of descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
