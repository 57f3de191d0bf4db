// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Makes sequences of what a WebSocket receives, and sends over it.
public struct WebSocketTask: Sendable {
  /// A sequence of a WebSocket's events.
  public typealias EventStreamOf<Success: Sendable, Failure: Error> =
    StreamOf<WebSocketRequest.Event<Success, Failure>>

  private let request: WebSocketRequest

  init(request: WebSocketRequest) { self.request = request }

  /// The messages as they are, and everything else that happens.
  ///
  /// - Parameters:
  ///   - shouldAutomaticallyCancel: Whether the request is cancelled when a loop over this sequence ends early.
  ///   - bufferingPolicy:           How much to keep for a slow reader.
  /// - Returns: The sequence, which ends behind ``WebSocketRequest/Event/Kind/completed(_:)``.
  public func streamingMessageEvents(
    automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
    bufferingPolicy: EventStreamOf<URLSessionWebSocketTask.Message, Never>.BufferingPolicy = .unbounded
  ) -> EventStreamOf<URLSessionWebSocketTask.Message, Never> {
    stream(shouldAutomaticallyCancel, bufferingPolicy, of: { $0 }) { request, queue, handler in
      request.streamMessageEvents(on: queue, handler: handler)
    }
  }

  /// The messages as they are.
  ///
  /// - Parameters:
  ///   - shouldAutomaticallyCancel: Whether the request is cancelled when a loop over this sequence ends early.
  ///   - bufferingPolicy:           How much to keep for a slow reader.
  /// - Returns: The sequence.
  public func streamingMessages(
    automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
    bufferingPolicy: StreamOf<URLSessionWebSocketTask.Message>.BufferingPolicy = .unbounded
  ) -> StreamOf<URLSessionWebSocketTask.Message> {
    stream(shouldAutomaticallyCancel, bufferingPolicy, of: \.message) { request, queue, handler in
      request.streamMessageEvents(on: queue, handler: handler)
    }
  }

  /// Values, one decoded from each message, and everything else that happens.
  ///
  /// - Parameters:
  ///   - type:                      What to decode.
  ///   - shouldAutomaticallyCancel: Whether the request is cancelled when a loop over this sequence ends early.
  ///   - decoder:                   Decodes each message; `JSONDecoder()` by default.
  ///   - bufferingPolicy:           How much to keep for a slow reader.
  /// - Returns: The sequence, which ends behind ``WebSocketRequest/Event/Kind/completed(_:)``.
  public func streamingDecodableEvents<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
    using decoder: any DataDecoder = JSONDecoder(),
    bufferingPolicy: EventStreamOf<Value, any Error>.BufferingPolicy = .unbounded
  ) -> EventStreamOf<Value, any Error> {
    stream(shouldAutomaticallyCancel, bufferingPolicy, of: { $0 }) { request, queue, handler in
      request.streamDecodableEvents(Value.self, on: queue, using: decoder, handler: handler)
    }
  }

  /// Values, one decoded from each message. Messages of which none can be made are passed over.
  ///
  /// - Parameters:
  ///   - type:                      What to decode.
  ///   - shouldAutomaticallyCancel: Whether the request is cancelled when a loop over this sequence ends early.
  ///   - decoder:                   Decodes each message; `JSONDecoder()` by default.
  ///   - bufferingPolicy:           How much to keep for a slow reader.
  /// - Returns: The sequence.
  public func streamingDecodable<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
    using decoder: any DataDecoder = JSONDecoder(),
    bufferingPolicy: StreamOf<Value>.BufferingPolicy = .unbounded
  ) -> StreamOf<Value> {
    stream(shouldAutomaticallyCancel, bufferingPolicy, of: \.message) { request, queue, handler in
      request.streamDecodableEvents(Value.self, on: queue, using: decoder, handler: handler)
    }
  }

  /// Sends a message, and waits until it has been handed to the system. Starts the request as a handler would, unless it is told
  /// not to start by itself.
  ///
  /// - Throws: Why it can't be sent any more; ``AFError/explicitlyCancelled`` if the Swift task is cancelled, which does not keep a
  ///   message from being sent that is on its way.
  public func send(_ message: URLSessionWebSocketTask.Message) async throws {
    // Ends at once when the Swift task is cancelled.
    let (results, answer) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
    request.send(message, queue: request.underlyingQueue) {
      answer.yield($0)
      answer.finish()
    }
    if request.startsByItself, request.isInitialized { request.resume() }
    for await result in results { return try result.get() }
    throw AFError.explicitlyCancelled
  }

  /// Closes the WebSocket: see ``WebSocketRequest/close(sending:reason:)``.
  public func close(sending closeCode: URLSessionWebSocketTask.CloseCode, reason: Data? = nil) {
    request.close(sending: closeCode, reason: reason)
  }

  /// Cancels the request: the sequences end with a completion that has the error ``AFError/explicitlyCancelled``.
  public func cancel() { request.cancel() }

  /// Resumes the request, if it was suspended or has not been started.
  public func resume() { request.resume() }

  /// Suspends the request: nothing more is read until it is resumed.
  public func suspend() { request.suspend() }

  private func stream<Element, Success, Failure>(
    _ cancels: Bool, _ bufferingPolicy: StreamOf<Element>.BufferingPolicy,
    of element: @escaping @Sendable (WebSocketRequest.Event<Success, Failure>) -> Element?,
    listen: (
      WebSocketRequest, DispatchQueue, @escaping @Sendable (WebSocketRequest.Event<Success, Failure>) -> Void
    ) -> Void
  ) -> StreamOf<Element> {
    StreamOf<Element>(
      bufferingPolicy: bufferingPolicy,
      onTermination: { [request] in
        if cancels { request.cancelUnlessOver() }
      }
    ) { continuation in
      // Before the handler starts the request.
      if cancels, Task.isCancelled { request.cancel() }
      listen(request, request.underlyingQueue) { event in
        if let element = element(event) {
          // Unread messages wait on the network, so that nothing piles up.
          let holdsBack = event.socket?.flow.withLock { $0.messages.holdsBackForReaders } ?? false
          if holdsBack { event.receipt?.awaitReader() }
          continuation.yield(element, receipt: holdsBack ? event.receipt : nil)
        }
        if case .completed = event.kind { continuation.finish() }
      }
    }
  }
}

extension WebSocketRequest {
  /// Makes sequences of what the WebSocket receives.
  ///
  /// - Returns: Their maker.
  public func webSocketTask() -> WebSocketTask { WebSocketTask(request: self) }
}
