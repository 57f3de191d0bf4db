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

/// A GET of an address as it stands, which most requests are. It is small enough to be passed on without an allocation.
enum PlainRequestConvertible: URLRequestConvertible {
  case text(String)
  case url(URL)

  /// Nil for an address of another type.
  init?(_ address: any URLConvertible) {
    guard let plain = Self.of(address) else { return nil }
    self = plain
  }

  // A dynamic cast costs more than all else that is done for such a request. The types are the same wherever a bit cast
  // is made.
  private static func of<Address: URLConvertible>(_ address: Address) -> Self? {
    if Address.self == String.self { return .text(unsafeBitCast(address, to: String.self)) }
    if Address.self == URL.self { return .url(unsafeBitCast(address, to: URL.self)) }
    return nil
  }

  func asURLRequest() throws -> URLRequest {
    switch self {
    case .text(let text): URLRequest(url: try text.asURL())
    case .url(let url): URLRequest(url: url)
    }
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
    if Self.self == URLRequest.self || Self.self == PlainRequestConvertible.self { return true }
    if let plain = self as? RequestConvertible { return !plain.carriesUserCode }
    return (self as? any UserCodeCarrying).map { !$0.carriesUserCode } ?? false
  }
}
