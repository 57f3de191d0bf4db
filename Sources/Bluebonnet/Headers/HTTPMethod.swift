/// A request method (RFC 9110 §9).
///
/// Methods are case-sensitive. Others than these are made from their name:
/// `HTTPMethod(rawValue: "PROPFIND")`.
public struct HTTPMethod: RawRepresentable, Equatable, Hashable, Sendable {
  /// `CONNECT`.
  public static let connect = HTTPMethod(rawValue: "CONNECT")
  /// `DELETE`.
  public static let delete = HTTPMethod(rawValue: "DELETE")
  /// `GET`.
  public static let get = HTTPMethod(rawValue: "GET")
  /// `HEAD`.
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// `OPTIONS`.
  public static let options = HTTPMethod(rawValue: "OPTIONS")
  /// `PATCH` (RFC 5789).
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// `POST`.
  public static let post = HTTPMethod(rawValue: "POST")
  /// `PUT`.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// `QUERY`, a safe method with a body (draft-ietf-httpbis-safe-method-w-body).
  public static let query = HTTPMethod(rawValue: "QUERY")
  /// `TRACE`.
  public static let trace = HTTPMethod(rawValue: "TRACE")

  /// The method as it is written on the wire.
  public let rawValue: String

  /// The method with this name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }
}
