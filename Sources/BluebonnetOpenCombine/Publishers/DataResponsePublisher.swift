// SPDX-License-Identifier: MIT
#if OpenCombine
  import Bluebonnet
  import BluebonnetFoundation
  import OpenCombine

  /// Publishes the response of a `DataRequest`, once, and finishes.
  ///
  /// Nothing is sent before a subscriber asks for the response; then the request is resumed. Cancelling a subscription cancels the
  /// request, and its subscriber is told nothing more. Later subscribers, and `retry`, are given the same response again,
  /// without another request: to send it again is up to the request's retrier.
  public struct DataResponsePublisher<Value: Sendable>: RequestPublisher {
    /// The response.
    public typealias Output = DataResponse<Value, AFError>
    /// A request that fails has a response that says so.
    public typealias Failure = Never

    let source: ResponseSource<Output>

    /// Makes a publisher of what a serializer makes of the response.
    ///
    /// - Parameters:
    ///   - request:    The request.
    ///   - queue:      Where the response is published.
    ///   - serializer: Makes something of the body.
    public init<Serializer: ResponseSerializer>(
      _ request: DataRequest, queue: DispatchQueue, serializer: Serializer
    ) where Value == Serializer.SerializedObject {
      source = .once(request, queue) {
        request.response(queue: queue, responseSerializer: serializer, completionHandler: $0)
      }
    }

    /// Makes a publisher of what a serializer makes of the response.
    ///
    /// - Parameters:
    ///   - request:    The request.
    ///   - queue:      Where the response is published.
    ///   - serializer: Makes something of the body.
    public init<Serializer: DataResponseSerializerProtocol>(
      _ request: DataRequest, queue: DispatchQueue, serializer: Serializer
    ) where Value == Serializer.SerializedObject {
      source = .once(request, queue) {
        request.response(queue: queue, responseSerializer: serializer, completionHandler: $0)
      }
    }

    /// Publishes the value or the error, without the rest of the response.
    ///
    /// - Returns: The publisher.
    public func result() -> AnyPublisher<Result<Value, AFError>, Never> {
      map(\.result).eraseToAnyPublisher()
    }

    /// Publishes the value, or fails with the response's error.
    ///
    /// - Returns: The publisher.
    public func value() -> AnyPublisher<Value, AFError> {
      tryMap { try $0.result.get() }.mapError(\.asPublished).eraseToAnyPublisher()
    }
  }

  extension DataResponsePublisher where Value == Data? {
    /// Makes a publisher of the response as it arrived.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - queue:   Where the response is published.
    public init(_ request: DataRequest, queue: DispatchQueue) {
      source = .once(request, queue) { request.response(queue: queue, completionHandler: $0) }
    }
  }
#endif
