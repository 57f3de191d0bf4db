// SPDX-License-Identifier: MIT
#if OpenCombine
  import Bluebonnet
  import BluebonnetFoundation
  import OpenCombine

  /// Publishes what a serializer makes of each part of a `DataStreamRequest`'s body, at last how the stream ended, and
  /// finishes.
  ///
  /// Nothing is sent before a subscriber asks for something; then the request is resumed. No more is published than was asked
  /// for, and where a request has one subscriber and no other handler, the body is held back on the network as long as more than half a
  /// megabyte of it waits. Cancelling a subscription cancels the request, and its subscriber is told nothing more. Nothing is kept
  /// for later subscribers: of a stream that is over they learn how it ended.
  public struct DataStreamPublisher<Value: Sendable>: RequestPublisher {
    /// A part, or the end.
    public typealias Output = DataStreamRequest.Stream<Value, AFError>
    /// A stream that fails has an end that says so.
    public typealias Failure = Never

    let source: ResponseSource<Output>

    /// Makes a publisher of what a serializer makes of each part. Parts are cut where the network cut them.
    ///
    /// - Parameters:
    ///   - request:    The request.
    ///   - queue:      Where the parts are published.
    ///   - serializer: Makes something of each part.
    public init<Serializer: DataStreamSerializer>(
      _ request: DataStreamRequest, queue: DispatchQueue, serializer: Serializer
    ) where Value == Serializer.SerializedObject {
      source = ResponseSource(
        request: request, queue: queue,
        listen: { receive in
          // The request keeps its handlers, and calls them itself.
          request.responseStream(using: serializer, on: queue) { [unowned request] stream in
            request.awaitReader(of: stream)
            receive(stream, stream.completion != nil)
          }
        },
        didConsume: { $0.didConsume() })
    }

    /// Publishes the value made of each part, or the reason why it could not be made; and the error if the stream ended with one.
    ///
    /// - Returns: The publisher.
    public func result() -> AnyPublisher<Result<Value, AFError>, Never> {
      compactMap(\.published).eraseToAnyPublisher()
    }

    /// Publishes the value made of each part. Fails with the first error, be it a part's or the stream's; a part's cancels
    /// the request.
    ///
    /// - Returns: The publisher.
    public func value() -> AnyPublisher<Value, AFError> {
      tryCompactMap { try $0.published?.get() }.mapError(\.asPublished).eraseToAnyPublisher()
    }
  }

  extension DataStreamRequest.Stream where Failure == AFError {
    /// The event's result: nothing for an end without an error.
    fileprivate var published: Result<Success, AFError>? {
      switch event {
      case .stream(let result): result
      case .complete(let completion): completion.error.map(Result.failure)
      }
    }
  }
#endif
