// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension DataRequest {
  /// Adds a handler of the response as it arrived.
  ///
  /// - Parameters:
  ///   - queue:             Where `completionHandler` is called; the main queue by default.
  ///   - completionHandler: Takes the response.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func response(
    queue: DispatchQueue = .main,
    completionHandler: @escaping @Sendable (AFDataResponse<Data?>) -> Void
  ) -> Self {
    add(RawDataJob(delivery: .queue(queue, completionHandler)))
    return self
  }

  /// Adds a handler of what a serializer makes of the response.
  ///
  /// - Parameters:
  ///   - queue:              Where `completionHandler` is called; the main queue by default.
  ///   - responseSerializer: Makes something of the body.
  ///   - completionHandler:  Takes the response.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func response<Serializer: DataResponseSerializerProtocol>(
    queue: DispatchQueue = .main, responseSerializer: Serializer,
    completionHandler: @escaping @Sendable (AFDataResponse<Serializer.SerializedObject>) -> Void
  ) -> Self {
    add(SerializedDataJob(serializer: responseSerializer, delivery: .queue(queue, completionHandler)))
    return self
  }

  /// Adds a handler of what a serializer makes of the response.
  ///
  /// - Parameters:
  ///   - queue:              Where `completionHandler` is called; the main queue by default.
  ///   - responseSerializer: Makes something of the body.
  ///   - completionHandler:  Takes the response.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func response<Serializer: ResponseSerializer>(
    queue: DispatchQueue = .main, responseSerializer: Serializer,
    completionHandler: @escaping @Sendable (AFDataResponse<Serializer.SerializedObject>) -> Void
  ) -> Self {
    add(SerializedDataJob(serializer: responseSerializer, delivery: .queue(queue, completionHandler)))
    return self
  }

  /// Adds a handler of the body as `Data`. It must not be missing unless an empty one is allowed.
  ///
  /// - Parameters:
  ///   - queue:               Where `completionHandler` is called; the main queue by default.
  ///   - dataPreprocessor:    Sees the body first.
  ///   - emptyResponseCodes:  Statuses that may come without a body.
  ///   - emptyRequestMethods: Methods with responses that may have no body.
  ///   - completionHandler:   Takes the response.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func responseData(
    queue: DispatchQueue = .main,
    dataPreprocessor: any DataPreprocessor = DataResponseSerializer.defaultDataPreprocessor,
    emptyResponseCodes: Set<Int> = DataResponseSerializer.defaultEmptyResponseCodes,
    emptyRequestMethods: Set<HTTPMethod> = DataResponseSerializer.defaultEmptyRequestMethods,
    completionHandler: @escaping @Sendable (AFDataResponse<Data>) -> Void
  ) -> Self {
    response(
      queue: queue,
      responseSerializer: DataResponseSerializer(
        dataPreprocessor: dataPreprocessor, emptyResponseCodes: emptyResponseCodes,
        emptyRequestMethods: emptyRequestMethods),
      completionHandler: completionHandler)
  }

  /// Adds a handler of the body as `String`.
  ///
  /// - Parameters:
  ///   - queue:               Where `completionHandler` is called; the main queue by default.
  ///   - dataPreprocessor:    Sees the body first.
  ///   - encoding:            How to read it; by default the server says.
  ///   - emptyResponseCodes:  Statuses that may come without a body.
  ///   - emptyRequestMethods: Methods with responses that may have no body.
  ///   - completionHandler:   Takes the response.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func responseString(
    queue: DispatchQueue = .main,
    dataPreprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor,
    encoding: String.Encoding? = nil,
    emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
    emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods,
    completionHandler: @escaping @Sendable (AFDataResponse<String>) -> Void
  ) -> Self {
    response(
      queue: queue,
      responseSerializer: StringResponseSerializer(
        dataPreprocessor: dataPreprocessor, encoding: encoding, emptyResponseCodes: emptyResponseCodes,
        emptyRequestMethods: emptyRequestMethods),
      completionHandler: completionHandler)
  }

  /// Adds a handler of the body decoded into a value.
  ///
  /// - Parameters:
  ///   - type:                What to decode.
  ///   - queue:               Where `completionHandler` is called; the main queue by default.
  ///   - dataPreprocessor:    Sees the body first.
  ///   - decoder:             Decodes the body; `JSONDecoder()` by default.
  ///   - emptyResponseCodes:  Statuses that may come without a body.
  ///   - emptyRequestMethods: Methods with responses that may have no body.
  ///   - completionHandler:   Takes the response.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func responseDecodable<Value: Decodable & Sendable>(
    of type: Value.Type = Value.self, queue: DispatchQueue = .main,
    dataPreprocessor: any DataPreprocessor = DecodableResponseSerializer<Value>.defaultDataPreprocessor,
    decoder: any DataDecoder = JSONDecoder(),
    emptyResponseCodes: Set<Int> = DecodableResponseSerializer<Value>.defaultEmptyResponseCodes,
    emptyRequestMethods: Set<HTTPMethod> = DecodableResponseSerializer<Value>.defaultEmptyRequestMethods,
    completionHandler: @escaping @Sendable (AFDataResponse<Value>) -> Void
  ) -> Self {
    response(
      queue: queue,
      responseSerializer: DecodableResponseSerializer<Value>(
        dataPreprocessor: dataPreprocessor, decoder: decoder, emptyResponseCodes: emptyResponseCodes,
        emptyRequestMethods: emptyRequestMethods),
      completionHandler: completionHandler)
  }
}
