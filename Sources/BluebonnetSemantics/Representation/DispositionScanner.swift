// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// Walks through a `Content-Disposition` value. Characters are scalars, so text that arrived as ISO 8859-1 or UTF-8
/// passes unharmed inside quotes.
struct DispositionScanner {
  enum Step {
    case parameter(ContentDisposition.Parameter)
    /// A parameter that cannot be understood, but does no harm to the others.
    case skipped
    case malformed
    case end
  }

  private let scalars: [Unicode.Scalar]
  private var index = 0

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  mutating func type() -> String? {
    let token = trimmed(take { $0 != ";" })
    return isToken(token) ? text(token).lowercased() : nil
  }

  /// The next `";" name "=" value`.
  mutating func parameter() -> Step {
    guard index < scalars.count else { return .end }
    index += 1
    // A semicolon at the very end is common and says nothing.
    if index == scalars.count { return .end }
    let name = trimmed(take { $0 != ";" && $0 != "=" })
    guard index < scalars.count, scalars[index] == "=" else { return .malformed }
    index += 1
    while index < scalars.count, isBlank(scalars[index]) { index += 1 }
    let key = text(name).lowercased()
    let isExtended = key.hasSuffix("*")
    let isPiece = isNumbered(key)
    let isQuoted = index < scalars.count && scalars[index] == "\""
    guard let raw = isQuoted ? quoted() : bare() else { return .malformed }
    guard isToken(name) else { return .skipped }
    if isPiece {
      return isQuoted || isToken(raw) ? step(key, text(isQuoted ? unescaped(raw) : raw)) : .skipped
    }
    if isExtended {
      guard !isQuoted, isToken(raw), let value = ExtendedValue.decode(text(raw)) else { return .skipped }
      return step(key, String(value.drop(while: isSeparator)))
    }
    // RFC 6266 §4.3: a path at the beginning is not the sender's to choose.
    if isQuoted { return step(key, text(unescaped(raw.drop { $0 == "/" || $0 == "\\" }))) }
    return isToken(raw) ? step(key, text(raw)) : .malformed
  }

  private func step(_ name: String, _ value: String) -> Step {
    .parameter(ContentDisposition.Parameter(name: name, value: value))
  }

  /// The text between the quotes. Senders forget to escape quotes inside, so only one that is followed by a
  /// semicolon or the end closes the string.
  private mutating func quoted() -> ArraySlice<Unicode.Scalar>? {
    let start = index + 1
    var position = start
    while position < scalars.count {
      if scalars[position] == "\\" {
        position += 2
        continue
      }
      if scalars[position] == "\"" {
        var next = position + 1
        while next < scalars.count, isBlank(scalars[next]) { next += 1 }
        if next == scalars.count || scalars[next] == ";" {
          index = next
          return scalars[start..<position]
        }
      }
      position += 1
    }
    return nil
  }

  /// Up to the next semicolon; blanks before that are no part of it if another parameter follows (RFC 6266 §4.1).
  private mutating func bare() -> ArraySlice<Unicode.Scalar> {
    let raw = take { $0 != ";" }
    return index + 1 < scalars.count ? trimmed(raw) : raw
  }

  private mutating func take(_ belongs: (Unicode.Scalar) -> Bool) -> ArraySlice<Unicode.Scalar> {
    let start = index
    while index < scalars.count, belongs(scalars[index]) { index += 1 }
    return scalars[start..<index]
  }

  private func unescaped(_ raw: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
    var result: [Unicode.Scalar] = []
    var isEscaped = false
    for scalar in raw {
      if scalar == "\\", !isEscaped {
        isEscaped = true
      } else {
        result.append(scalar)
        isEscaped = false
      }
    }
    if isEscaped { result.append("\\") }
    return result[...]
  }

  /// `name*0`, `name*0*`.
  private func isNumbered(_ name: String) -> Bool {
    guard let star = name.firstIndex(of: "*") else { return false }
    var digits = name[name.index(after: star)...]
    if digits.last == "*" { digits.removeLast() }
    return !digits.isEmpty && digits.utf8.allSatisfy(Byte.isDigit)
  }

  private func isToken(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
    !scalars.isEmpty && scalars.allSatisfy { $0.isASCII && ByteClass.token.contains(UInt8(ascii: $0)) }
  }

  private func trimmed(_ scalars: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
    var rest = scalars.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }

  private func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  private func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
  private func isSeparator(_ character: Character) -> Bool { character == "/" || character == "\\" }
}
