// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Writes parameters as a form, into the URL's query or into the body.
open class URLEncodedFormParameterEncoder: @unchecked Sendable, ParameterEncoder {
  // Checked by eye: both stored properties are immutable and Sendable; an open class cannot say so itself.

  /// The place of the form in the request.
  public enum Destination: Sendable {
    /// Into the query for GET, HEAD and DELETE, into the body for every other method.
    case methodDependent
    /// Into the query, after its present contents.
    case queryString
    /// Into the body, whatever the method.
    case httpBody

    func encodesIntoURL(_ method: HTTPMethod) -> Bool {
      switch self {
      case .methodDependent: method == .get || method == .head || method == .delete
      case .queryString: true
      case .httpBody: false
      }
    }
  }

  /// A method-dependent encoder with the default strategies.
  public static var `default`: URLEncodedFormParameterEncoder { URLEncodedFormParameterEncoder() }

  /// Writes the form.
  public let encoder: URLEncodedFormEncoder
  /// The place of the form in the request; ``Destination/methodDependent`` by default.
  public let destination: Destination

  /// An encoder with these strategies and this destination.
  public init(
    encoder: URLEncodedFormEncoder = URLEncodedFormEncoder(), destination: Destination = .methodDependent
  ) {
    self.encoder = encoder
    self.destination = destination
  }

  /// Sets the query or the body; with a body also the content type where the request has none.
  open func encode<Parameters: Encodable>(
    _ parameters: Parameters?, into request: URLRequest
  ) throws -> URLRequest {
    guard let parameters else { return request }
    guard let url = request.url else {
      throw AFError.parameterEncoderFailed(reason: .missingRequiredComponent(.url))
    }
    guard let method = request.method else {
      throw AFError.parameterEncoderFailed(
        reason: .missingRequiredComponent(.httpMethod(rawValue: request.httpMethod ?? "nil")))
    }

    var request = request
    if destination.encodesIntoURL(method) {
      guard let extended = url.appendingQuery(try form(parameters)) else {
        throw AFError.parameterEncoderFailed(reason: .missingRequiredComponent(.url))
      }
      request.url = extended
    } else {
      request.setBody(Data(try form(parameters).utf8), of: .form)
    }
    return request
  }

  private func form(_ parameters: some Encodable) throws -> String {
    do {
      return try encoder.encode(parameters)
    } catch {
      throw AFError.parameterEncoderFailed(reason: .encoderFailed(error: error))
    }
  }
}

extension ParameterEncoder where Self == URLEncodedFormParameterEncoder {
  /// A form with the default strategies, where the method wants it.
  public static var urlEncodedForm: URLEncodedFormParameterEncoder { .default }

  /// A form made by this encoder, for this destination.
  public static func urlEncodedForm(
    encoder: URLEncodedFormEncoder = URLEncodedFormEncoder(),
    destination: URLEncodedFormParameterEncoder.Destination = .methodDependent
  ) -> URLEncodedFormParameterEncoder {
    URLEncodedFormParameterEncoder(encoder: encoder, destination: destination)
  }
}

extension URL {
  /// This URL with more after its query; the query that is there is kept as it is.
  func appendingQuery(_ query: String) -> URL? {
    guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return nil }
    if let existing = components.percentEncodedQuery, !existing.isEmpty {
      components.percentEncodedQuery = query.isEmpty ? existing : existing + "&" + query
    } else if !query.isEmpty {
      components.percentEncodedQuery = query
    }
    return components.url
  }
}
