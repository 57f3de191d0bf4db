// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Writes a dictionary of parameters as a form, into the URL's query or into the body.
public struct URLEncoding: ParameterEncoding {
  /// The place of the form in the request.
  public typealias Destination = URLEncodedFormParameterEncoder.Destination
  /// The form of an array's keys.
  public typealias ArrayEncoding = URLEncodedFormEncoder.ArrayEncoding
  /// The form of booleans.
  public typealias BoolEncoding = URLEncodedFormEncoder.BoolEncoding

  /// Writes into the query for GET, HEAD and DELETE, into the body for every other method.
  public static var `default`: URLEncoding { URLEncoding() }
  /// Writes into the query, whatever the method.
  public static var queryString: URLEncoding { URLEncoding(destination: .queryString) }
  /// Writes into the body, whatever the method.
  public static var httpBody: URLEncoding { URLEncoding(destination: .httpBody) }

  /// The place of the form in the request; ``URLEncodedFormParameterEncoder/Destination/methodDependent`` by default.
  public let destination: Destination
  // The small ones stand together: so all of it fits into an existential, and the default of an argument takes no allocation.
  /// The form of booleans; ``URLEncodedFormEncoder/BoolEncoding/numeric`` by default.
  public let boolEncoding: BoolEncoding
  /// The form of an array's keys.
  public let arrayEncoding: ArrayEncoding

  /// Makes an encoding.
  ///
  /// - Parameters:
  ///   - destination: Where in the request the form is written; by default the method decides.
  ///   - arrayEncoding: How an array's elements are told apart; ``URLEncodedFormEncoder/ArrayEncoding/brackets`` by
  ///     default.
  ///   - boolEncoding: How booleans are written; ``URLEncodedFormEncoder/BoolEncoding/numeric`` by default.
  public init(
    destination: Destination = .methodDependent, arrayEncoding: ArrayEncoding = .brackets,
    boolEncoding: BoolEncoding = .numeric
  ) {
    self.destination = destination
    self.arrayEncoding = arrayEncoding
    self.boolEncoding = boolEncoding
  }

  /// Sets the query or the body; with a body also the content type where the request has none.
  public func encode(
    _ urlRequest: any URLRequestConvertible, with parameters: Parameters?
  ) throws -> URLRequest {
    var request = try urlRequest.asURLRequest()
    guard let parameters else { return request }

    if let method = request.method, destination.encodesIntoURL(method) {
      guard let url = request.url else {
        throw AFError.parameterEncodingFailed(reason: .missingURL)
      }
      if !parameters.isEmpty {
        request.url = url.appendingQuery(query(parameters)) ?? url
      }
    } else {
      request.setBody(Data(query(parameters).utf8), of: .form)
    }
    return request
  }

  /// The pairs a key and its value come to, percent-encoded.
  public func queryComponents(fromKey key: String, value: Any) -> [(String, String)] {
    switch value {
    case let dictionary as [String: Any]:
      dictionary.sorted { $0.key < $1.key }
        .flatMap { queryComponents(fromKey: "\(key)[\($0.key)]", value: $0.value) }
    case let array as [Any]:
      array.enumerated().flatMap { index, element in
        queryComponents(fromKey: arrayEncoding.encode(key, atIndex: index), value: element)
      }
    default:
      [(escape(key), escape(text(of: value)))]
    }
  }

  /// A key or value with all but the characters of `CharacterSet.afURLQueryAllowed` percent-encoded.
  public func escape(_ string: String) -> String {
    string.percentEncoded(allowing: .urlQuery)
  }

  private func query(_ parameters: Parameters) -> String {
    parameters.sorted { $0.key < $1.key }
      .flatMap { queryComponents(fromKey: $0.key, value: $0.value) }
      .map { "\($0)=\($1)" }
      .joined(separator: "&")
  }

  private func text(of value: Any) -> String {
    // An optional in an `Any` is as good as what is in it.
    var value = value
    while let wrapped = (value as? any OptionalValue)?.wrapped { value = wrapped }
    if let bool = untypedBool(value) { return boolEncoding.encode(bool) }
    return untypedNumber(value) ?? "\(value)"
  }
}

private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrapped: Any? { map { $0 as Any } }
}

extension Double {
  /// A whole number without `.0`, as a JSON writer and Apple's `NSNumber` print it.
  var shortDescription: String {
    if self == rounded(), magnitude < 1e15 { return "\(Int64(self))" }
    return "\(self)"
  }
}
