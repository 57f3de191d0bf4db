// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension DownloadRequest {
  /// Starts the request and makes its file awaitable as `Data`.
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
  ) -> DownloadTask<Data> {
    serializing(
      DataResponseSerializer(
        dataPreprocessor: dataPreprocessor, emptyResponseCodes: emptyResponseCodes,
        emptyRequestMethods: emptyRequestMethods),
      cancelsWithTask: shouldAutomaticallyCancel)
  }

  /// Starts the request and makes its file awaitable, decoded into a value.
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
  ) -> DownloadTask<Value> {
    serializing(
      DecodableResponseSerializer<Value>(
        dataPreprocessor: dataPreprocessor, decoder: decoder, emptyResponseCodes: emptyResponseCodes,
        emptyRequestMethods: emptyRequestMethods),
      cancelsWithTask: shouldAutomaticallyCancel)
  }

  /// Starts the request and makes its file awaitable as `String`.
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
  ) -> DownloadTask<String> {
    serializing(
      StringResponseSerializer(
        dataPreprocessor: dataPreprocessor, encoding: encoding, emptyResponseCodes: emptyResponseCodes,
        emptyRequestMethods: emptyRequestMethods),
      cancelsWithTask: shouldAutomaticallyCancel)
  }

  /// Starts the request and makes the place of its file awaitable.
  ///
  /// - Parameter shouldAutomaticallyCancel: Whether cancelling the awaiting task cancels the request.
  /// - Returns: The task to await.
  public func serializingDownloadedFileURL(
    automaticallyCancelling shouldAutomaticallyCancel: Bool = true
  ) -> DownloadTask<URL> {
    serializing(URLResponseSerializer(), cancelsWithTask: shouldAutomaticallyCancel)
  }

  /// Starts the request and makes awaitable what a serializer makes of its file.
  ///
  /// - Parameters:
  ///   - serializer:              Makes something of it.
  ///   - shouldAutomaticallyCancel: Whether cancelling the awaiting task cancels the request.
  /// - Returns: The task to await.
  public func serializingDownload<Serializer: ResponseSerializer>(
    using serializer: Serializer, automaticallyCancelling shouldAutomaticallyCancel: Bool = true
  ) -> DownloadTask<Serializer.SerializedObject> {
    serializing(serializer, cancelsWithTask: shouldAutomaticallyCancel)
  }

  /// Starts the request and makes awaitable what a serializer makes of its file.
  ///
  /// - Parameters:
  ///   - serializer:              Makes something of it.
  ///   - shouldAutomaticallyCancel: Whether cancelling the awaiting task cancels the request.
  /// - Returns: The task to await.
  public func serializingDownload<Serializer: DownloadResponseSerializerProtocol>(
    using serializer: Serializer, automaticallyCancelling shouldAutomaticallyCancel: Bool = true
  ) -> DownloadTask<Serializer.SerializedObject> {
    serializing(serializer, cancelsWithTask: shouldAutomaticallyCancel)
  }

  private func serializing<Serializer: DownloadResponseSerializerProtocol>(
    _ serializer: Serializer, cancelsWithTask: Bool
  ) -> DownloadTask<Serializer.SerializedObject> {
    let job = SerializedDownloadJob(request: self, serializer: serializer, delivery: .slot)
    addAwaited(job, cancelsWithTask: cancelsWithTask)
    return DownloadTask(request: self, slot: job, cancelsWithTask: cancelsWithTask)
  }
}
