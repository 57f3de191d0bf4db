// SPDX-License-Identifier: MIT
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

extension ParameterEncoding {
  /// Whether the encoding is one of this package's, which never calls a user's code while it works.
  var isOurs: Bool {
    if type(of: self) == URLEncoding.self { return true }
    #if Foundation
      return type(of: self) == JSONEncoding.self
    #else
      return false
    #endif
  }
}

/// The media types that parameters are written in.
enum ParameterType: String {
  case form = "application/x-www-form-urlencoded; charset=utf-8"
  case json = "application/json"
  case propertyList = "application/x-plist"
}

extension URLRequest {
  /// Sets the body, and the content type where there is none.
  mutating func setBody(_ body: Data, of type: ParameterType) {
    httpBody = body
    if value(forHTTPHeaderField: "Content-Type") == nil {
      setValue(type.rawValue, forHTTPHeaderField: "Content-Type")
    }
  }
}
