// SPDX-License-Identifier: MIT
#if OpenCombine
  import Bluebonnet
  import BluebonnetFoundation

  extension DownloadRequest {
    /// Makes a publisher of what a serializer makes of the file.
    ///
    /// - Parameters:
    ///   - serializer: Makes something of the file.
    ///   - queue:      Where the response is published; the main queue by default.
    /// - Returns: The publisher. The request starts with its first demand.
    public func publishResponse<Serializer: ResponseSerializer>(
      using serializer: Serializer, on queue: DispatchQueue = .main
    ) -> DownloadResponsePublisher<Serializer.SerializedObject> {
      DownloadResponsePublisher(self, queue: queue, serializer: serializer)
    }

    /// Makes a publisher of what a serializer makes of the file.
    ///
    /// - Parameters:
    ///   - serializer: Makes something of the file.
    ///   - queue:      Where the response is published; the main queue by default.
    /// - Returns: The publisher. The request starts with its first demand.
    public func publishResponse<Serializer: DownloadResponseSerializerProtocol>(
      using serializer: Serializer, on queue: DispatchQueue = .main
    ) -> DownloadResponsePublisher<Serializer.SerializedObject> {
      DownloadResponsePublisher(self, queue: queue, serializer: serializer)
    }

    /// Makes a publisher of where the file is, without reading it.
    ///
    /// - Parameter queue: Where the response is published; the main queue by default.
    /// - Returns: The publisher. The request starts with its first demand.
    public func publishUnserialized(queue: DispatchQueue = .main) -> DownloadResponsePublisher<URL?> {
      DownloadResponsePublisher(self, queue: queue)
    }

    /// Makes a publisher of the file's place, which fails if there is no file. Nothing is read.
    ///
    /// - Parameter queue: Where the response is published; the main queue by default.
    /// - Returns: The publisher. The request starts with its first demand.
    public func publishURL(queue: DispatchQueue = .main) -> DownloadResponsePublisher<URL> {
      publishResponse(using: URLResponseSerializer(), on: queue)
    }

    /// Makes a publisher of the file as `Data`. It must not be missing unless an empty one is allowed.
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
    ) -> DownloadResponsePublisher<Data> {
      publishResponse(
        using: DataResponseSerializer(
          dataPreprocessor: preprocessor, emptyResponseCodes: emptyResponseCodes,
          emptyRequestMethods: emptyRequestMethods),
        on: queue)
    }

    /// Makes a publisher of the file as `String`.
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
    ) -> DownloadResponsePublisher<String> {
      publishResponse(
        using: StringResponseSerializer(
          dataPreprocessor: preprocessor, encoding: encoding, emptyResponseCodes: emptyResponseCodes,
          emptyRequestMethods: emptyRequestMethods),
        on: queue)
    }

    /// Makes a publisher of the file decoded into a value.
    ///
    /// - Parameters:
    ///   - type:                What to decode.
    ///   - queue:               Where the response is published; the main queue by default.
    ///   - preprocessor:        Sees the bytes first.
    ///   - decoder:             Decodes the file; `JSONDecoder()` by default.
    ///   - emptyResponseCodes:  Statuses that may come without a body.
    ///   - emptyRequestMethods: Methods with responses that may have no body.
    /// - Returns: The publisher. The request starts with its first demand.
    public func publishDecodable<T: Decodable & Sendable>(
      type: T.Type = T.self, queue: DispatchQueue = .main,
      preprocessor: any DataPreprocessor = DecodableResponseSerializer<T>.defaultDataPreprocessor,
      decoder: any DataDecoder = JSONDecoder(),
      emptyResponseCodes: Set<Int> = DecodableResponseSerializer<T>.defaultEmptyResponseCodes,
      emptyRequestMethods: Set<HTTPMethod> = DecodableResponseSerializer<T>.defaultEmptyRequestMethods
    ) -> DownloadResponsePublisher<T> {
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
    ///   - decoder:              Decodes the file; `JSONDecoder()` by default.
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
    ) -> DownloadResponsePublisher<T> {
      publishDecodable(
        type: type, queue: queue, preprocessor: preprocessor, decoder: decoder,
        emptyResponseCodes: emptyResponseCodes, emptyRequestMethods: emptyResponseMethods)
    }
  }
#endif
