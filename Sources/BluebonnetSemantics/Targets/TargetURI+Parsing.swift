// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

extension TargetURI {
  /// Takes the text of a URL apart.
  ///
  /// - Parameters:
  ///   - url: An absolute URL without characters that no URL may have: its maker has refused or encoded them.
  ///   - canonicalHost: The one form in which hosts are compared, made of a spelling. It is handed in because it depends
  ///     on the machine: zones of addresses are named by its interfaces.
  package init(_ url: String, canonicalHost: (String) throws -> String) throws(InvalidTarget) {
    var text = url
    let parsed = text.withUTF8 { bytes in
      Result { () throws(InvalidTarget) in try Self(bytes, canonicalHost) }
    }
    self = try parsed.get()
  }

  private init(
    _ bytes: UnsafeBufferPointer<UInt8>, _ canonicalHost: (String) throws -> String
  ) throws(InvalidTarget) {
    guard let colon = bytes.firstIndex(of: Byte.colon), let isSecure = Self.isSecure(bytes[..<colon]) else {
      throw InvalidTarget(.unsupportedScheme, Self.strangeness(of: bytes))
    }
    guard bytes.count >= colon + 3, bytes[colon + 1] == Byte.slash, bytes[colon + 2] == Byte.slash else {
      throw InvalidTarget(.malformed, "the URL has no host")
    }
    let rest = bytes[(colon + 3)...]
    let pathStart =
      rest.firstIndex { $0 == Byte.slash || $0 == Byte.question || $0 == Byte.hash } ?? rest.endIndex
    isWebSocket = bytes[0] | 0x20 == UInt8(ascii: "w")
    let parts = try Authority(rest[..<pathStart], isSecure: isSecure, canonicalHost)
    origin = parts.origin
    isRooted = parts.isRooted
    authority = parts.field
    userInformation = parts.userInformation
    path = Self.originForm(rest[pathStart...])
  }

  /// The fault of the scheme: mostly there is none, and a host is taken for it.
  private static func strangeness(of bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard let end = bytes.firstIndex(of: Byte.colon), URIReference.isScheme(bytes[..<end]) else {
      return "the URL has no scheme; write http:// or https:// before it"
    }
    let scheme = String(decoding: bytes[..<end], as: UTF8.self)
    let behind = bytes.dropFirst(end + 1).first
    guard scheme == "localhost" || scheme.utf8.contains(Byte.dot) || behind.map(Byte.isDigit) == true else {
      return "the scheme \"\(scheme)\" is not supported"
    }
    return "\"\(scheme)\" is read as the URL's scheme, and is none that is supported; "
      + "write http:// or https:// before the host"
  }

  private static func isSecure(_ scheme: Slice<UnsafeBufferPointer<UInt8>>) -> Bool? {
    let name = scheme.lazy.map(\.asciiLowercased)
    if name.elementsEqual("http".utf8) { return false }
    if name.elementsEqual("https".utf8) { return true }
    if name.elementsEqual("ws".utf8) { return false }
    return name.elementsEqual("wss".utf8) ? true : nil
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
