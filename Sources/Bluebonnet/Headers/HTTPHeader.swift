// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetFoundation

/// One header field: a name and a value.
public struct HTTPHeader: Equatable, Hashable, Sendable {
  /// The name, in the case it will be sent in.
  public let name: String
  /// The text behind the colon. Not checked here: a request with a line break or a NUL in a value is refused before
  /// anything is sent.
  public let value: String

  /// The field of this name and value.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

extension HTTPHeader: CustomStringConvertible {
  /// The field as a line: `Name: value`.
  public var description: String {
    "\(name): \(value)"
  }
}

extension HTTPHeader {
  /// The content codings this package decodes, best first. Not sent as a session's field with a request that has a `Range`: a part of
  /// a coded body cannot be decoded, so that one asks for `identity`.
  public static let defaultAcceptEncoding = acceptEncoding(ContentCoding.weighedOffer)

  /// Up to six languages of the environment (`LANGUAGE`, `LC_ALL`, `LC_MESSAGES`, `LANG`), best first; any language, `*`, where
  /// it names none.
  public static let defaultAcceptLanguage = acceptLanguage(
    PreferredLanguages.current.isEmpty ? "*" : PreferredLanguages.current.prefix(6).qualityEncoded())

  /// The caller's name: the executable, the system without its version, this package, and the API it matches (servers that look for
  /// that token find it).
  public static let defaultUserAgent = userAgent(UserAgent.current)
}

extension Collection<String> {
  /// Weighs the elements 1.0, 0.9, 0.8… (RFC 9110 §12.4.2).
  func qualityEncoded() -> String {
    enumerated()
      .map { index, name in
        let tenths = Swift.max(10 - index, 0)
        return "\(name);q=\(tenths / 10).\(tenths % 10)"
      }
      .joined(separator: ", ")
  }
}
