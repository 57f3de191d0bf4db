#if Foundation
  import BluebonnetFoundation
  import BluebonnetURLLoading

  /// Reads the body as JSON of no declared type.
  @available(*, deprecated, message: "Decode a type of your own with DecodableResponseSerializer instead.")
  public final class JSONResponseSerializer: ResponseSerializer {
    /// What is done to the body before it is read.
    public let dataPreprocessor: any DataPreprocessor
    /// The statuses whose responses may have no body.
    public let emptyResponseCodes: Set<Int>
    /// The methods whose responses may have no body.
    public let emptyRequestMethods: Set<HTTPMethod>
    /// How the JSON is read.
    public let options: JSONSerialization.ReadingOptions

    /// A serializer with these rules.
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
        let object = try JSONSerialization.jsonObject(with: data, options: options)
        // Sendable is a marker without a witness, so the layouts agree; and nobody else has these new objects.
        return unsafeBitCast(object, to: (any Sendable).self)
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
