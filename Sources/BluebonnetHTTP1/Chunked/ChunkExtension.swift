// SPDX-License-Identifier: MIT

/// The grammar of chunk extensions, a byte at a time (RFC 9112 §7.1.1):
/// `*( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] )`, and trailing whitespace.
enum ChunkExtension: Sendable {
  /// Before a semicolon. Whitespace here may be padding of the size.
  case start
  case beforeName, name, afterName, beforeValue, value, quoted, escaped

  /// Whether the line may end here.
  var mayEnd: Bool {
    switch self {
    case .start, .name, .afterName, .value: true
    case .beforeName, .beforeValue, .quoted, .escaped: false
    }
  }

  /// Takes one byte other than CR and LF; false if the grammar has no place for it.
  mutating func take(_ byte: UInt8) -> Bool {
    switch self {
    case .start:
      if byte == Byte.semicolon { self = .beforeName } else { return Byte.isWhitespace(byte) }
    case .beforeName:
      if ByteClass.token.contains(byte) { self = .name } else { return Byte.isWhitespace(byte) }
    case .name, .afterName:
      if self == .name, ByteClass.token.contains(byte) { return true }
      switch byte {
      case Byte.semicolon: self = .beforeName
      case Byte.equals: self = .beforeValue
      case Byte.space, Byte.tab: self = .afterName
      default: return false
      }
    case .beforeValue:
      if byte == Byte.quote {
        self = .quoted
      } else if ByteClass.token.contains(byte) {
        self = .value
      } else {
        return Byte.isWhitespace(byte)
      }
    case .value:
      if ByteClass.token.contains(byte) { return true }
      self = .start
      return take(byte)
    case .quoted:
      if byte == Byte.quote {
        self = .start
      } else if byte == Byte.backslash {
        self = .escaped
      } else {
        return !Byte.isForbiddenInValue(byte)
      }
    case .escaped:
      self = .quoted
      return !Byte.isForbiddenInValue(byte)
    }
    return true
  }
}
