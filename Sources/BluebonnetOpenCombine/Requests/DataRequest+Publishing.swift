// SPDX-License-Identifier: MIT
#if OpenCombine
  import Bluebonnet
  import BluebonnetFoundation

  extension DataRequest {
    /// Makes a publisher of what a serializer makes of the body.
    ///
    /// - Parameters:
    ///   - serializer: Makes something of the body.
    ///   - queue:      Where the response is published; the main queue by default.
    /// - Returns: The publisher. The request starts with its first demand.
    public func publishResponse<Serializer: ResponseSerializer>(
      using serializer: Serializer, on queue: DispatchQueue = .main
    ) -> DataResponsePublisher<Serializer.SerializedObject> {
      DataResponsePublisher(self, queue: queue, serializer: serializer)
    }

    /// Makes a publisher of what a serializer makes of the body.
    ///
    /// - Parameters:
    ///   - serializer: Makes something of the body.
    ///   - queue:      Where the response is published; the main queue by default.
    /// - Returns: The publisher. The request starts with its first demand.
    public func publishResponse<Serializer: DataResponseSerializerProtocol>(
      using serializer: Serializer, on queue: DispatchQueue = .main
    ) -> DataResponsePublisher<Serializer.SerializedObject> {
      DataResponsePublisher(self, queue: queue, serializer: serializer)
    }

    /// Makes a publisher of the response as it arrived.
    ///
    /// - Parameter queue: Where the response is published; the main queue by default.
    /// - Returns: The publisher. The request starts with its first demand.
    public func publishUnserialized(queue: DispatchQueue = .main) -> DataResponsePublisher<Data?> {
      DataResponsePublisher(self, queue: queue)
    }

    /// Makes a publisher of the body as `Data`. It must not be missing unless an empty one is allowed.
    ///
    /// - Parameters:
    ///   - queue:               Where the response is published; the main queue by default.
    ///   - preprocessor:        Sees the bytes first.
    ///   - emptyResponseCodes:  Statuses that may come without a body.
    ///   - emptyRequestMethods: Methods with responses that may have no body.
    /// - Returns: The publisher. The request starts with its first demand.
    public func publishData(
      queue: DispatchQueue = .main,
      preprocessor: any DataPreprocessor = DataResponseSerializer.defaultDataPreprocessor,
      emptyResponseCodes: Set<Int> = DataResponseSerializer.defaultEmptyResponseCodes,
      emptyRequestMethods: Set<HTTPMethod> = DataResponseSerializer.defaultEmptyRequestMethods
    ) -> DataResponsePublisher<Data> {
      publishResponse(
        using: DataResponseSerializer(
          dataPreprocessor: preprocessor, emptyResponseCodes: emptyResponseCodes,
          emptyRequestMethods: emptyRequestMethods),
        on: queue)
    }

    /// Makes a publisher of the body as `String`.
    ///
    /// - Parameters:
    ///   - queue:               Where the response is published; the main queue by default.
    ///   - preprocessor:        Sees the bytes first.
    ///   - encoding:            How to read it; by default the server says.
    ///   - emptyResponseCodes:  Statuses that may come without a body.
    ///   - emptyRequestMethods: Methods with responses that may have no body.
    /// - Returns: The publisher. The request starts with its first demand.
    public func publishString(
      queue: DispatchQueue = .main,
      preprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor,
      encoding: String.Encoding? = nil,
      emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
      emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods
    ) -> DataResponsePublisher<String> {
      publishResponse(
        using: StringResponseSerializer(
          dataPreprocessor: preprocessor, encoding: encoding, emptyResponseCodes: emptyResponseCodes,
          emptyRequestMethods: emptyRequestMethods),
        on: queue)
    }

    /// Makes a publisher of the body decoded into a value.
    ///
    /// - Parameters:
    ///   - type:                What to decode.
    ///   - queue:               Where the response is published; the main queue by default.
    ///   - preprocessor:        Sees the bytes first.
    ///   - decoder:             Decodes the body; `JSONDecoder()` by default.
    ///   - emptyResponseCodes:  Statuses that may come without a body.
    ///   - emptyRequestMethods: Methods with responses that may have no body.
    /// - Returns: The publisher. The request starts with its first demand.
    public func publishDecodable<T: Decodable & Sendable>(
      type: T.Type = T.self, queue: DispatchQueue = .main,
      preprocessor: any DataPreprocessor = DecodableResponseSerializer<T>.defaultDataPreprocessor,
      decoder: any DataDecoder = JSONDecoder(),
      emptyResponseCodes: Set<Int> = DecodableResponseSerializer<T>.defaultEmptyResponseCodes,
      emptyRequestMethods: Set<HTTPMethod> = DecodableResponseSerializer<T>.defaultEmptyRequestMethods
    ) -> DataResponsePublisher<T> {
      publishResponse(
        using: DecodableResponseSerializer<T>(
          dataPreprocessor: preprocessor, decoder: decoder, emptyResponseCodes: emptyResponseCodes,
          emptyRequestMethods: emptyRequestMethods),
        on: queue)
    }

    /// The same under the label that it had before.
    ///
    /// - Parameters:
    ///   - type:                 What to decode.
    ///   - queue:                Where the response is published; the main queue by default.
    ///   - preprocessor:         Sees the bytes first.
    ///   - decoder:              Decodes the body; `JSONDecoder()` by default.
    ///   - emptyResponseCodes:   Statuses that may come without a body.
    ///   - emptyResponseMethods: Methods with responses that may have no body.
    /// - Returns: The publisher. The request starts with its first demand.
    @_disfavoredOverload
    @available(
      *, deprecated,
      renamed: "publishDecodable(type:queue:preprocessor:decoder:emptyResponseCodes:emptyRequestMethods:)"
    )
    public func publishDecodable<T: Decodable & Sendable>(
      type: T.Type = T.self, queue: DispatchQueue = .main,
      preprocessor: any DataPreprocessor = DecodableResponseSerializer<T>.defaultDataPreprocessor,
      decoder: any DataDecoder = JSONDecoder(),
      emptyResponseCodes: Set<Int> = DecodableResponseSerializer<T>.defaultEmptyResponseCodes,
      emptyResponseMethods: Set<HTTPMethod> = DecodableResponseSerializer<T>.defaultEmptyRequestMethods
    ) -> DataResponsePublisher<T> {
      publishDecodable(
        type: type, queue: queue, preprocessor: preprocessor, decoder: decoder,
        emptyResponseCodes: emptyResponseCodes, emptyRequestMethods: emptyResponseMethods)
    }
  }
#endif
