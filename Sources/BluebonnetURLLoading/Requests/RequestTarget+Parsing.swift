import BluebonnetFoundation
import BluebonnetLocks

extension RequestTarget {
  /// Takes a URL apart; throws `.unsupportedURL` for a scheme that is not http or https, `.badURL` for the rest.
  package init(_ url: URL) throws(URLError) {
    var text = url.absoluteString
    // `URL` has already refused or encoded what has no place in one, so one pass over the bytes is enough.
    let parsed = text.withUTF8 { bytes in Result { () throws(URLError) in try Self(url: url, bytes: bytes) } }
    self = try parsed.get()
  }

  private static let last = Locked<(text: String, target: RequestTarget)?>(nil)

  /// Like `init(_:)`, but remembers the last answer: most loads ask the same place again.
  package static func of(_ url: URL) throws(URLError) -> RequestTarget {
    let text = url.absoluteString
    if let known = last.withLock({ $0?.text == text ? $0?.target : nil }) { return known }
    let target = try RequestTarget(url)
    last.withLock { $0 = (text, target) }
    return target
  }

  private init(url: URL, bytes: UnsafeBufferPointer<UInt8>) throws(URLError) {
    guard let colon = bytes.firstIndex(of: Byte.colon), let isSecure = Self.isSecure(bytes[..<colon]) else {
      throw URLError.refusal(.unsupportedURL, url, Self.strangeness(of: url))
    }
    guard bytes.count >= colon + 3, bytes[colon + 1] == Byte.slash, bytes[colon + 2] == Byte.slash else {
      throw URLError.refusal(.badURL, url, "the URL has no host")
    }
    let rest = bytes[(colon + 3)...]
    let pathStart =
      rest.firstIndex { $0 == Byte.slash || $0 == Byte.question || $0 == Byte.hash } ?? rest.endIndex
    let parts = try Authority(url: url, bytes: rest[..<pathStart], isSecure: isSecure)
    origin = parts.origin
    isRooted = parts.isRooted
    authority = parts.field
    userInformation = parts.userInformation
    path = Self.originForm(rest[pathStart...])
  }

  /// What is wrong with the scheme: mostly there is none, and a host is taken for it.
  private static func strangeness(of url: URL) -> String {
    guard let scheme = url.scheme else {
      return "the URL has no scheme; write http:// or https:// before it"
    }
    let behind = url.absoluteString.utf8.dropFirst(scheme.utf8.count + 1).first
    guard scheme == "localhost" || scheme.utf8.contains(Byte.dot) || behind.map(Byte.isDigit) == true else {
      return "the scheme \"\(scheme)\" is not supported"
    }
    return "\"\(scheme)\" is read as the URL's scheme, and is none that is supported; "
      + "write http:// or https:// before the host"
  }

  private static func isSecure(_ scheme: Slice<UnsafeBufferPointer<UInt8>>) -> Bool? {
    let name = scheme.lazy.map(\.asciiLowercased)
    if name.elementsEqual("http".utf8) { return false }
    return name.elementsEqual("https".utf8) ? true : nil
  }

  /// Everything before the fragment, with a path in front.
  private static func originForm(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    let end = bytes.firstIndex(of: Byte.hash) ?? bytes.endIndex
    let kept = bytes[..<end]
    if kept.first == Byte.slash, kept.allSatisfy(Byte.isVisible) {
      return String(decoding: kept, as: UTF8.self)
    }
    var result: [UInt8] = kept.first == Byte.slash ? [] : [Byte.slash]
    for byte in kept {
      // A control, a space or a raw non-ASCII byte would break the request line: it is sent encoded.
      if Byte.isVisible(byte) { result.append(byte) } else { result += Byte.percentEncoded(byte) }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// Bytes with a meaning in a URL (RFC 3986).
enum Byte {
  static let colon = UInt8(ascii: ":")
  static let slash = UInt8(ascii: "/")
  static let question = UInt8(ascii: "?")
  static let hash = UInt8(ascii: "#")
  static let at = UInt8(ascii: "@")
  static let percent = UInt8(ascii: "%")
  static let dot = UInt8(ascii: ".")
  static let openBracket = UInt8(ascii: "[")
  static let closeBracket = UInt8(ascii: "]")

  static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

  static func isVisible(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }

  static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  static func percentEncoded(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [percent, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}
