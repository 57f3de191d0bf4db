// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// A value that can be turned into a `URLRequest`.
///
/// Asked anew for each attempt; on the session's ``Session/requestQueue`` if the type is one of yours.
public protocol URLRequestConvertible: Sendable {
  /// The request, or why there is none.
  func asURLRequest() throws -> URLRequest
}

extension URLRequestConvertible {
  /// The request, or `nil` if it could not be made.
  public var urlRequest: URLRequest? { try? asURLRequest() }
}

extension URLRequest: URLRequestConvertible {
  /// Returns the request itself.
  public func asURLRequest() throws -> URLRequest { self }
}

extension URLRequest {
  /// A request for a URL, with this method and these fields.
  public init(url: any URLConvertible, method: HTTPMethod, headers: HTTPHeaders? = nil) throws {
    self.init(url: try url.asURL())
    httpMethod = method.rawValue
    if let headers {
      self.headers = headers
    }
  }

  /// The request's method as a value of the API.
  public var method: HTTPMethod? {
    get { httpMethod.map(HTTPMethod.init(rawValue:)) }
    set { httpMethod = newValue?.rawValue }
  }

  /// Refuses a GET with a body, even an empty one.
  public func validate() throws {
    if httpMethod == "GET", let httpBody {
      throw AFError.urlRequestValidationFailed(reason: .bodyDataInGETRequest(httpBody))
    }
  }
}
