// SPDX-License-Identifier: MIT
#if Foundation
  import BluebonnetFoundation
  import BluebonnetURLLoading

  /// Writes parameters of no declared type as a JSON body.
  public struct JSONEncoding: ParameterEncoding {
    /// Why parameters could not be written as JSON.
    public enum Error: Swift.Error {
      /// The parameters hold something that JSON cannot express, such as a `Date`, or their root is no array or
      /// dictionary.
      case invalidJSONObject
    }

    /// Writes JSON without line breaks and spaces.
    public static var `default`: JSONEncoding { JSONEncoding() }
    /// Writes JSON with line breaks and indentation.
    public static var prettyPrinted: JSONEncoding { JSONEncoding(options: .prettyPrinted) }

    /// Passed to `JSONSerialization`; none by default.
    public let options: JSONSerialization.WritingOptions

    /// Makes an encoding.
    ///
    /// - Parameter options: Passed to `JSONSerialization`; none by default.
    public init(options: JSONSerialization.WritingOptions = []) {
      self.options = options
    }

    /// Sets the body, and the content type where the request has none.
    public func encode(
      _ urlRequest: any URLRequestConvertible, with parameters: Parameters?
    ) throws -> URLRequest {
      try encode(urlRequest, object: parameters)
    }

    /// Sets the body to any JSON object, and the content type where the request has none.
    public func encode(
      _ urlRequest: any URLRequestConvertible, withJSONObject jsonObject: Any? = nil
    ) throws -> URLRequest {
      try encode(urlRequest, object: jsonObject)
    }

    private func encode(_ urlRequest: any URLRequestConvertible, object: Any?) throws -> URLRequest {
      var request = try urlRequest.asURLRequest()
      guard let object else { return request }
      guard JSONSerialization.isValidJSONObject(object) else {
        throw AFError.parameterEncodingFailed(
          reason: .jsonEncodingFailed(error: Error.invalidJSONObject))
      }
      do {
        request.setBody(try JSONSerialization.data(withJSONObject: object, options: options), of: .json)
      } catch {
        throw AFError.parameterEncodingFailed(reason: .jsonEncodingFailed(error: error))
      }
      return request
    }
  }

  extension JSONEncoding.Error: LocalizedError {
    /// One sentence about what JSON can express.
    public var errorDescription: String? {
      "JSON is made of dictionaries with text as keys, arrays, text, finite numbers, booleans and null, and the "
        + "parameters hold something else or have no dictionary or array at their root."
    }
  }
#endif
