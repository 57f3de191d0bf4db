// SPDX-License-Identifier: MIT
import Bluebonnet
import FoundationEssentials
import Glibc

/// Lines on the standard output and the standard error.
enum Output {
  static func write(_ report: Report) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let line = try? encoder.encode(report) else { return }
    write(Array(line), to: STDOUT_FILENO)
  }

  static func complain(_ text: String) { write(Array("service: \(text)".utf8), to: STDERR_FILENO) }

  /// One call for each line: those of several threads do not mix.
  private static func write(_ line: [UInt8], to descriptor: Int32) {
    let line = line + [UInt8(ascii: "\n")]
    _ = Glibc.write(descriptor, line, line.count)
  }
}
