// SPDX-License-Identifier: MIT

/// Text out of bytes that need not be UTF-8, such as a field's (RFC 9110 §5.5), and back: a byte that belongs to no character stands
/// for itself, as one of the last scalars of the last private plane.
enum ByteText {
  private static let base: UInt32 = 0x10FF00

  static func text(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    var text = String.UnicodeScalarView()
    var index = 0
    while index < bytes.count {
      let (scalar, count) = scalar(bytes[index...])
      text.append(scalar)
      index += count
    }
    return String(text)
  }

  /// The first scalar, and how many bytes it takes.
  private static func scalar(_ bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, Int) {
    guard let first = bytes.first else { return ("\u{FFFD}", 1) }
    if first < 0x80 { return (Unicode.Scalar(first), 1) }
    let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    if let text = String(validating: bytes.prefix(count), as: UTF8.self),
      let scalar = text.unicodeScalars.first,
      text.unicodeScalars.count == 1, scalar.value < base + 0x80
    {
      return (scalar, count)
    }
    return (Unicode.Scalar(base + UInt32(first)) ?? "\u{FFFD}", 1)
  }

  static func bytes(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if scalar.value >= base + 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        bytes += UTF8.encode(scalar).map(Array.init) ?? []
      }
    }
    return bytes
  }
}

extension ByteText {
  /// The number of bytes that a text stands for.
  static func count(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + ($1.value >= base + 0x80 ? 1 : UTF8.width($1)) }
  }

  /// With a letter for each byte that belongs to no character: counted in UTF-8 it is as long as the bytes are.
  static func measurable(_ text: String) -> String {
    var measurable = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { measurable.append(scalar.value >= base + 0x80 ? "x" : scalar) }
    return String(measurable)
  }

  /// A path as the system takes it: names of files are bytes.
  static func path(_ text: String) -> [CChar] { bytes(text).map { CChar(truncatingIfNeeded: $0) } + [0] }

  /// The lines, of which the empty ones may be left out. LF ends one, with CR before it or not, and nothing else does: a server that
  /// repeats what it was told must not make two lines of one by U+2028 (RFC 9112 §2.2).
  static func lines(_ bytes: some Sequence<UInt8>, keepsEmptyOnes: Bool = false) -> [String] {
    var lines = Array(bytes).split(separator: 0x0A, omittingEmptySubsequences: false)
    // Behind the last line end there is nothing.
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.compactMap { line in
      let line = line.last == 0x0D ? line.dropLast() : line
      return line.isEmpty && !keepsEmptyOnes ? nil : text(line)
    }
  }

  // What follows looks at scalars: a combining mark behind a colon makes another character of it, and none for the other side.

  /// The parts between marks, the empty ones included.
  static func split(_ text: some StringProtocol, at mark: Unicode.Scalar) -> [String] {
    String(text).unicodeScalars.split(separator: mark, omittingEmptySubsequences: false).map { String($0) }
  }

  /// The text before the first mark and behind it; nil without one.
  static func halves(
    _ text: some StringProtocol, at mark: Unicode.Scalar
  ) -> (before: String, after: String)? {
    let scalars = String(text).unicodeScalars
    guard let index = scalars.firstIndex(of: mark) else { return nil }
    return (String(scalars[..<index]), String(scalars[scalars.index(after: index)...]))
  }

  /// Without the blanks and tabs in front (RFC 9110 §5.6.3), and without those behind unless they are kept.
  static func trimmed(_ text: some StringProtocol, keepsEnd: Bool = false) -> String {
    var rest = String(text).unicodeScalars[...]
    while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
    while !keepsEnd, let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
    return String(rest)
  }
}
