import BluebonnetFoundation
import BluebonnetURLLoading

/// Parameters as a dictionary of values with types known at run time only. Prefer `Encodable` types.
public typealias Parameters = [String: any Any & Sendable]

/// Puts a dictionary of parameters into a `URLRequest`.
///
/// ``ParameterEncoder`` does this for `Encodable` values, and is the better choice for new code. Called for each attempt, on
/// the session's ``Session/requestQueue``.
public protocol ParameterEncoding: Sendable {
  /// The request with the parameters in its URL or body.
  func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest
}
