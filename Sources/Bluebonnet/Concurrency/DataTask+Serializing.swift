// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension DataRequest {
  /// Starts the request and makes its body awaitable as `Data`.
  ///
  /// - Parameters:
  ///   - shouldAutomaticallyCancel: Whether cancelling the awaiting task cancels the request.
  ///   - dataPreprocessor:        Sees the bytes first.
  ///   - emptyResponseCodes:      Statuses that may come without a body.
  ///   - emptyRequestMethods:     Methods with responses that may have no body.
  /// - Returns: The task to await.
  public func serializingData(
    automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
    dataPreprocessor: any DataPreprocessor = DataResponseSerializer.defaultDataPreprocessor,
    emptyResponseCodes: Set<Int> = DataResponseSerializer.defaultEmptyResponseCodes,
    emptyRequestMethods: Set<HTTPMethod> = DataResponseSerializer.defaultEmptyRequestMethods
  ) -> DataTask<Data> {
    let serializer = DataResponseSerializer(
      dataPreprocessor: dataPreprocessor, emptyResponseCodes: emptyResponseCodes,
      emptyRequestMethods: emptyRequestMethods)
    return serializing(
      serializer, cancelsWithTask: shouldAutomaticallyCancel, isLibraryCode: serializer.runsOnlyLibraryCode)
  }

  /// Starts the request and makes its body awaitable as `Data`, with the default rules for empty bodies.
  ///
  /// - Parameter shouldAutomaticallyCancel: Whether cancelling the awaiting task cancels the request.
  /// - Returns: The task to await.
  public func serializingData(automaticallyCancelling shouldAutomaticallyCancel: Bool = true) -> DataTask<
    Data
  > {
    serializing(DataResponseSerializer.usual, cancelsWithTask: shouldAutomaticallyCancel, isLibraryCode: true)
  }

  /// Starts the request and makes its body awaitable, decoded into a value.
  ///
  /// - Parameters:
  ///   - type:                    What to decode.
  ///   - shouldAutomaticallyCancel: Whether cancelling the awaiting task cancels the request.
  ///   - dataPreprocessor:        Sees the bytes first.
  ///   - decoder:                 Decodes the body; `JSONDecoder()` by default.
  ///   - emptyResponseCodes:      Statuses that may come without a body.
  ///   - emptyRequestMethods:     Methods with responses that may have no body.
  /// - Returns: The task to await.
  public func serializingDecodable<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self,
    automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
    dataPreprocessor: any DataPreprocessor = DecodableResponseSerializer<Value>.defaultDataPreprocessor,
    decoder: any DataDecoder = JSONDecoder(),
    emptyResponseCodes: Set<Int> = DecodableResponseSerializer<Value>.defaultEmptyResponseCodes,
    emptyRequestMethods: Set<HTTPMethod> = DecodableResponseSerializer<Value>.defaultEmptyRequestMethods
  ) -> DataTask<Value> {
    serializing(
      DecodableResponseSerializer<Value>(
        dataPreprocessor: dataPreprocessor, decoder: decoder, emptyResponseCodes: emptyResponseCodes,
        emptyRequestMethods: emptyRequestMethods),
      cancelsWithTask: shouldAutomaticallyCancel)
  }

  /// Starts the request and makes its body awaitable as `String`.
  ///
  /// - Parameters:
  ///   - shouldAutomaticallyCancel: Whether cancelling the awaiting task cancels the request.
  ///   - dataPreprocessor:        Sees the bytes first.
  ///   - encoding:                How to read it; by default the server says.
  ///   - emptyResponseCodes:      Statuses that may come without a body.
  ///   - emptyRequestMethods:     Methods with responses that may have no body.
  /// - Returns: The task to await.
  public func serializingString(
    automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
    dataPreprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor,
    encoding: String.Encoding? = nil,
    emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
    emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods
  ) -> DataTask<String> {
    serializing(
      StringResponseSerializer(
        dataPreprocessor: dataPreprocessor, encoding: encoding, emptyResponseCodes: emptyResponseCodes,
        emptyRequestMethods: emptyRequestMethods),
      cancelsWithTask: shouldAutomaticallyCancel)
  }

  /// Starts the request and makes awaitable what a serializer makes of its body.
  ///
  /// - Parameters:
  ///   - serializer:              Makes something of it.
  ///   - shouldAutomaticallyCancel: Whether cancelling the awaiting task cancels the request.
  /// - Returns: The task to await.
  public func serializingResponse<Serializer: ResponseSerializer>(
    using serializer: Serializer, automaticallyCancelling shouldAutomaticallyCancel: Bool = true
  ) -> DataTask<Serializer.SerializedObject> {
    serializing(serializer, cancelsWithTask: shouldAutomaticallyCancel)
  }

  /// Starts the request and makes awaitable what a serializer makes of its body.
  ///
  /// - Parameters:
  ///   - serializer:              Makes something of it.
  ///   - shouldAutomaticallyCancel: Whether cancelling the awaiting task cancels the request.
  /// - Returns: The task to await.
  public func serializingResponse<Serializer: DataResponseSerializerProtocol>(
    using serializer: Serializer, automaticallyCancelling shouldAutomaticallyCancel: Bool = true
  ) -> DataTask<Serializer.SerializedObject> {
    serializing(serializer, cancelsWithTask: shouldAutomaticallyCancel)
  }

  private func serializing<Serializer: DataResponseSerializerProtocol>(
    _ serializer: Serializer, cancelsWithTask: Bool, isLibraryCode: Bool? = nil
  ) -> DataTask<Serializer.SerializedObject> {
    let job = SerializedDataJob(
      serializer: serializer, delivery: .slot, isLibraryCode: isLibraryCode)
    addAwaited(job, cancelsWithTask: cancelsWithTask)
    return DataTask(request: self, slot: job, cancelsWithTask: cancelsWithTask)
  }
}
