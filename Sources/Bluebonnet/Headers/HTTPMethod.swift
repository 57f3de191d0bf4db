// SPDX-License-Identifier: MIT

/// A request method (RFC 9110 §9).
///
/// Methods are case-sensitive. Others than these are made from their name:
/// `HTTPMethod(rawValue: "PROPFIND")`.
public struct HTTPMethod: RawRepresentable, Equatable, Hashable, Sendable {
  /// `CONNECT` (RFC 9110 §9.3.6), which asks a proxy for a tunnel.
  public static let connect = HTTPMethod(rawValue: "CONNECT")
  /// `DELETE` (RFC 9110 §9.3.5). Idempotent.
  public static let delete = HTTPMethod(rawValue: "DELETE")
  /// `GET` (RFC 9110 §9.3.1). Safe; a body is refused.
  public static let get = HTTPMethod(rawValue: "GET")
  /// `HEAD` (RFC 9110 §9.3.2). Safe; the response has no body.
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// `OPTIONS` (RFC 9110 §9.3.7). Safe.
  public static let options = HTTPMethod(rawValue: "OPTIONS")
  /// `PATCH` (RFC 5789). Not idempotent.
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// `POST` (RFC 9110 §9.3.3). Not idempotent.
  public static let post = HTTPMethod(rawValue: "POST")
  /// `PUT` (RFC 9110 §9.3.4). Idempotent.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// `QUERY`, a safe method with a body (draft-ietf-httpbis-safe-method-w-body).
  public static let query = HTTPMethod(rawValue: "QUERY")
  /// `TRACE` (RFC 9110 §9.3.8). Safe.
  public static let trace = HTTPMethod(rawValue: "TRACE")

  /// The method as it is written on the wire.
  public let rawValue: String

  /// Makes a method of any name. Names are case-sensitive (RFC 9110 §9.1).
  public init(rawValue: String) {
    self.rawValue = rawValue
  }
}
