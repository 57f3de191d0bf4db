// SPDX-License-Identifier: MIT
#if Foundation
  import BluebonnetFoundation
  import BluebonnetURLLoading

  /// Reads the body as JSON of no declared type.
  @available(*, deprecated, message: "Decode a type of your own with DecodableResponseSerializer instead.")
  public final class JSONResponseSerializer: ResponseSerializer {
    /// The change of the body before it is read.
    public let dataPreprocessor: any DataPreprocessor
    /// The statuses with responses that may have no body.
    public let emptyResponseCodes: Set<Int>
    /// The methods with responses that may have no body.
    public let emptyRequestMethods: Set<HTTPMethod>
    /// Passed to `JSONSerialization`; `.allowFragments` by default.
    public let options: JSONSerialization.ReadingOptions

    /// Makes a serializer.
    ///
    /// - Parameters:
    ///   - dataPreprocessor: Changes the body first; by default it is not changed.
    ///   - emptyResponseCodes: The statuses with responses that may have no body; 204 and 205 by default.
    ///   - emptyRequestMethods: The methods with responses that may have no body; HEAD by default.
    ///   - options: Passed to `JSONSerialization`; `.allowFragments` by default.
    public init(
      dataPreprocessor: any DataPreprocessor = JSONResponseSerializer.defaultDataPreprocessor,
      emptyResponseCodes: Set<Int> = JSONResponseSerializer.defaultEmptyResponseCodes,
      emptyRequestMethods: Set<HTTPMethod> = JSONResponseSerializer.defaultEmptyRequestMethods,
      options: JSONSerialization.ReadingOptions = .allowFragments
    ) {
      self.dataPreprocessor = dataPreprocessor
      self.emptyResponseCodes = emptyResponseCodes
      self.emptyRequestMethods = emptyRequestMethods
      self.options = options
    }

    /// The JSON's objects, or `NSNull` where the body may be empty.
    public func serialize(
      request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?
    ) throws -> any Any & Sendable {
      guard let data = try body(request: request, response: response, data: data, error: error) else {
        return NSNull()
      }
      do {
        return sendableTree(try JSONSerialization.jsonObject(with: data, options: options))
      } catch {
        throw AFError.responseSerializationFailed(reason: .jsonSerializationFailed(error: error))
      }
    }
  }

  @available(*, deprecated, message: "Decode a type of your own with DecodableResponseSerializer instead.")
  extension ResponseSerializer where Self == JSONResponseSerializer {
    /// JSON of no declared type, with the default rules.
    public static var json: JSONResponseSerializer { JSONResponseSerializer() }

    /// JSON of no declared type, with these rules.
    public static func json(
      dataPreprocessor: any DataPreprocessor = JSONResponseSerializer.defaultDataPreprocessor,
      emptyResponseCodes: Set<Int> = JSONResponseSerializer.defaultEmptyResponseCodes,
      emptyRequestMethods: Set<HTTPMethod> = JSONResponseSerializer.defaultEmptyRequestMethods,
      options: JSONSerialization.ReadingOptions = .allowFragments
    ) -> JSONResponseSerializer {
      JSONResponseSerializer(
        dataPreprocessor: dataPreprocessor, emptyResponseCodes: emptyResponseCodes,
        emptyRequestMethods: emptyRequestMethods, options: options)
    }
  }
#endif
