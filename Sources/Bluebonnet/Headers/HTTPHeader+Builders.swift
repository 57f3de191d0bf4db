// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension HTTPHeader {
  /// An `Accept` field: the media types that the response may have (RFC 9110 §12.5.1).
  public static func accept(_ value: String) -> HTTPHeader {
    HTTPHeader(name: "Accept", value: value)
  }

  /// An `Accept-Charset` field: the charsets that the response may have (RFC 9110 §12.5.2, which deprecates it).
  public static func acceptCharset(_ value: String) -> HTTPHeader {
    HTTPHeader(name: "Accept-Charset", value: value)
  }

  /// An `Accept-Language` field. ``defaultAcceptLanguage`` is the system's.
  public static func acceptLanguage(_ value: String) -> HTTPHeader {
    HTTPHeader(name: "Accept-Language", value: value)
  }

  /// An `Accept-Encoding` field. ``defaultAcceptEncoding`` names what this package decodes.
  public static func acceptEncoding(_ value: String) -> HTTPHeader {
    HTTPHeader(name: "Accept-Encoding", value: value)
  }

  /// An `Authorization` field for Basic authentication (RFC 7617).
  public static func authorization(username: String, password: String) -> HTTPHeader {
    let credential = Data("\(username):\(password)".utf8).base64EncodedString()
    return authorization("Basic \(credential)")
  }

  /// An `Authorization` field with a bearer token (RFC 6750).
  public static func authorization(bearerToken: String) -> HTTPHeader {
    authorization("Bearer \(bearerToken)")
  }

  /// An `Authorization` field of any scheme (RFC 9110 §11.6.2).
  ///
  /// - Parameter value: Scheme and credentials, as in `Basic YWxhZGRpbjpvcGVuc2VzYW1l`.
  /// - Returns: The field.
  public static func authorization(_ value: String) -> HTTPHeader {
    HTTPHeader(name: "Authorization", value: value)
  }

  /// A `Content-Disposition` field: how the content is to be presented, and a file name for it (RFC 6266).
  public static func contentDisposition(_ value: String) -> HTTPHeader {
    HTTPHeader(name: "Content-Disposition", value: value)
  }

  /// A `Content-Encoding` field: the codings that were applied to the content (RFC 9110 §8.4). Setting it encodes
  /// nothing.
  public static func contentEncoding(_ value: String) -> HTTPHeader {
    HTTPHeader(name: "Content-Encoding", value: value)
  }

  /// A `Content-Type` field: the media type of the content (RFC 9110 §8.3).
  public static func contentType(_ value: String) -> HTTPHeader {
    HTTPHeader(name: "Content-Type", value: value)
  }

  /// A `User-Agent` field. ``defaultUserAgent`` is this package's.
  public static func userAgent(_ value: String) -> HTTPHeader {
    HTTPHeader(name: "User-Agent", value: value)
  }

  /// A `Sec-WebSocket-Protocol` field: the subprotocols that the client speaks (RFC 6455 §11.3.4).
  public static func websocketProtocol(_ value: String) -> HTTPHeader {
    HTTPHeader(name: "Sec-WebSocket-Protocol", value: value)
  }
}
