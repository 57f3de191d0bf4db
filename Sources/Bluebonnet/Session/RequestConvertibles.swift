import BluebonnetFoundation
import BluebonnetURLLoading

/// Changes a `URLRequest` before its parameters are encoded.
typealias URLRequestModifier = @Sendable (inout URLRequest) throws -> Void

/// A `URLRequest` made of a URL and loosely typed parameters.
final class RequestConvertible: URLRequestConvertible, UserCodeCarrying {
  let url: any URLConvertible
  let method: HTTPMethod
  let parameters: Parameters?
  let encoding: any ParameterEncoding
  let headers: HTTPHeaders?
  let requestModifier: URLRequestModifier?

  // A class, because it is passed on and on.
  init(
    url: any URLConvertible, method: HTTPMethod, parameters: Parameters?, encoding: any ParameterEncoding,
    headers: HTTPHeaders?, requestModifier: URLRequestModifier?
  ) {
    self.url = url
    self.method = method
    self.parameters = parameters
    self.encoding = encoding
    self.headers = headers
    self.requestModifier = requestModifier
  }

  var carriesUserCode: Bool {
    requestModifier != nil || parameters != nil || url.isUserCode
      || !encoding.isOurs
  }

  func asURLRequest() throws -> URLRequest {
    var request = try URLRequest(url: url, method: method, headers: headers)
    try requestModifier?(&request)
    // An encoding sees every request, with or without parameters.
    return try encoding.encode(request, with: parameters)
  }
}

/// A `URLRequest` made of a URL and `Encodable` parameters.
struct RequestEncodableConvertible<Parameters: Encodable & Sendable>: URLRequestConvertible,
  UserCodeCarrying
{
  let url: any URLConvertible
  let method: HTTPMethod
  let parameters: Parameters?
  let encoder: any ParameterEncoder
  let headers: HTTPHeaders?
  let requestModifier: URLRequestModifier?

  var carriesUserCode: Bool { requestModifier != nil || parameters != nil || url.isUserCode }

  func asURLRequest() throws -> URLRequest {
    var request = try URLRequest(url: url, method: method, headers: headers)
    try requestModifier?(&request)
    return try parameters.map { try encoder.encode($0, into: request) } ?? request
  }
}

/// A `URLRequest` made of a URL alone.
struct ParameterlessRequestConvertible: URLRequestConvertible, UserCodeCarrying {
  let url: any URLConvertible
  let method: HTTPMethod
  let headers: HTTPHeaders?
  let requestModifier: URLRequestModifier?

  var carriesUserCode: Bool { requestModifier != nil || url.isUserCode }

  func asURLRequest() throws -> URLRequest {
    var request = try URLRequest(url: url, method: method, headers: headers)
    try requestModifier?(&request)
    return request
  }
}

/// A convertible of the library's that may hold code or values of its user.
protocol UserCodeCarrying {
  var carriesUserCode: Bool { get }
}

extension URLConvertible {
  fileprivate var isUserCode: Bool {
    !(Self.self == String.self || Self.self == URL.self || Self.self == URLComponents.self)
  }
}

extension URLRequestConvertible {
  /// Whether `asURLRequest()` runs no code but the library's, and little of that.
  var runsOnlyLibraryCode: Bool {
    if Self.self == URLRequest.self { return true }
    if let plain = self as? RequestConvertible { return !plain.carriesUserCode }
    return (self as? any UserCodeCarrying).map { !$0.carriesUserCode } ?? false
  }
}
