import BluebonnetFoundation
import BluebonnetURLLoading

/// A `URLRequest` made of a URL and loosely typed parameters.
final class RequestConvertible: URLRequestConvertible, ForeignCodeCarrying {
  let url: any URLConvertible
  let method: HTTPMethod
  let parameters: Parameters?
  let encoding: any ParameterEncoding
  let headers: HTTPHeaders?
  let requestModifier: Session.RequestModifier?

  // A class, because it is passed on and on.
  init(
    url: any URLConvertible, method: HTTPMethod, parameters: Parameters?, encoding: any ParameterEncoding,
    headers: HTTPHeaders?, requestModifier: Session.RequestModifier?
  ) {
    self.url = url
    self.method = method
    self.parameters = parameters
    self.encoding = encoding
    self.headers = headers
    self.requestModifier = requestModifier
  }

  var carriesForeignCode: Bool {
    requestModifier != nil || parameters != nil || url.isForeign
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
  ForeignCodeCarrying
{
  let url: any URLConvertible
  let method: HTTPMethod
  let parameters: Parameters?
  let encoder: any ParameterEncoder
  let headers: HTTPHeaders?
  let requestModifier: Session.RequestModifier?

  var carriesForeignCode: Bool { requestModifier != nil || parameters != nil || url.isForeign }

  func asURLRequest() throws -> URLRequest {
    var request = try URLRequest(url: url, method: method, headers: headers)
    try requestModifier?(&request)
    return try parameters.map { try encoder.encode($0, into: request) } ?? request
  }
}

/// A `URLRequest` made of a URL alone.
struct ParameterlessRequestConvertible: URLRequestConvertible, ForeignCodeCarrying {
  let url: any URLConvertible
  let method: HTTPMethod
  let headers: HTTPHeaders?
  let requestModifier: Session.RequestModifier?

  var carriesForeignCode: Bool { requestModifier != nil || url.isForeign }

  func asURLRequest() throws -> URLRequest {
    var request = try URLRequest(url: url, method: method, headers: headers)
    try requestModifier?(&request)
    return request
  }
}

/// A convertible of the library's that may hold code or values of its user.
protocol ForeignCodeCarrying {
  var carriesForeignCode: Bool { get }
}

extension URLConvertible {
  fileprivate var isForeign: Bool {
    !(Self.self == String.self || Self.self == URL.self || Self.self == URLComponents.self)
  }
}

extension URLRequestConvertible {
  /// Whether `asURLRequest()` runs no code but the library's, and little of that.
  var runsOnlyLibraryCode: Bool {
    if Self.self == URLRequest.self { return true }
    if let plain = self as? RequestConvertible { return !plain.carriesForeignCode }
    return (self as? any ForeignCodeCarrying).map { !$0.carriesForeignCode } ?? false
  }
}
