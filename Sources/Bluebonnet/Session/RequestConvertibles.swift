// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Changes a `URLRequest` before its parameters are encoded.
typealias URLRequestModifier = @Sendable (inout URLRequest) throws -> Void

/// A `URLRequest` made of a URL and what goes with it.
final class RequestConvertible: URLRequestConvertible, UserCodeCarrying {
  typealias Encode = @Sendable (URLRequest) throws -> URLRequest

  private let url: any URLConvertible
  private let method: HTTPMethod
  private let headers: HTTPHeaders?
  private let requestModifier: URLRequestModifier?
  /// Puts the parameters in.
  private let encode: Encode?
  let carriesUserCode: Bool

  // A class, because it is passed on and on.
  /// - Parameter encode: Taken for code of the user's: the parameters are.
  init(
    url: any URLConvertible, method: HTTPMethod, headers: HTTPHeaders?, requestModifier: URLRequestModifier?,
    encode: Encode? = nil
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.requestModifier = requestModifier
    self.encode = encode
    carriesUserCode = requestModifier != nil || encode != nil || url.isUserCode
  }

  /// With loosely typed parameters.
  convenience init(
    url: any URLConvertible, method: HTTPMethod, parameters: Parameters?, encoding: any ParameterEncoding,
    headers: HTTPHeaders?, requestModifier: URLRequestModifier?
  ) {
    // An encoding sees every request, with or without parameters; those of the library's have no use for one without.
    var encode: Encode?
    if parameters != nil || !encoding.isOurs { encode = { try encoding.encode($0, with: parameters) } }
    self.init(
      url: url, method: method, headers: headers, requestModifier: requestModifier, encode: encode)
  }

  /// With `Encodable` parameters.
  convenience init(
    url: any URLConvertible, method: HTTPMethod, parameters: (some Encodable & Sendable)?,
    encoder: any ParameterEncoder, headers: HTTPHeaders?, requestModifier: URLRequestModifier?
  ) {
    var encode: Encode?
    if let parameters { encode = { try encoder.encode(parameters, into: $0) } }
    self.init(
      url: url, method: method, headers: headers, requestModifier: requestModifier, encode: encode)
  }

  func asURLRequest() throws -> URLRequest {
    var request = try URLRequest(url: url, method: method, headers: headers)
    try requestModifier?(&request)
    return try encode?(request) ?? request
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

/// A convertible of the library's that may hold code or values of its user.
protocol UserCodeCarrying {
  var carriesUserCode: Bool { get }
}

extension URLConvertible {
  var isUserCode: Bool {
    // The cast is dear, the comparison is not.
    if Self.self == ResolvedAddress.self, let resolved = self as? ResolvedAddress {
      return resolved.address.isUserCode
    }
    return !(Self.self == String.self || Self.self == URL.self || Self.self == URLComponents.self)
  }
}

extension URLRequestConvertible {
  /// Whether `asURLRequest()` runs no code but the library's, and little of that.
  var runsOnlyLibraryCode: Bool {
    if Self.self == URLRequest.self || Self.self == PlainRequestConvertible.self { return true }
    if let made = self as? RequestConvertible { return !made.carriesUserCode }
    return (self as? any UserCodeCarrying).map { !$0.carriesUserCode } ?? false
  }
}
