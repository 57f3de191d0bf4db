// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension WebSocketRequest {
  /// Adds a handler of what a serializer makes of each message, and of everything else that happens.
  ///
  /// - Parameters:
  ///   - serializer: Makes something of each message, on the session's `serializationQueue`.
  ///   - queue:      Where `handler` is called; the main queue by default.
  ///   - handler:    Called with each event. One that is added when the WebSocket is open hears first that it is.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func streamSerializer<Serializer: WebSocketMessageSerializer>(
    _ serializer: Serializer, on queue: DispatchQueue = .main,
    handler: @escaping @Sendable (_ event: Event<Serializer.Output, Serializer.Failure>) -> Void
  ) -> Self where Serializer.Failure == any Error {
    stream(on: queue, through: context.serializationQueueOfStream(), to: handler) {
      [cancels = configuration] message in
      do {
        return .receivedMessage(try serializer.decode(message))
      } catch {
        if cancels.automaticallyCancelOnStreamError { self.abort(with: error) }
        return .serializerFailed(error)
      }
    }
  }

  /// Adds a handler of values, one decoded from each message, and of everything else that happens.
  ///
  /// - Parameters:
  ///   - type:    What to decode.
  ///   - queue:   Where `handler` is called; the main queue by default.
  ///   - decoder: Decodes each message; `JSONDecoder()` by default.
  ///   - handler: Called with each event.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func streamDecodableEvents<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, on queue: DispatchQueue = .main,
    using decoder: any DataDecoder = JSONDecoder(),
    handler: @escaping @Sendable (_ event: Event<Value, any Error>) -> Void
  ) -> Self {
    streamSerializer(DecodableWebSocketMessageDecoder<Value>(decoder: decoder), on: queue, handler: handler)
  }

  /// Adds a handler of values, one decoded from each message. Messages of which none can be made are passed over.
  ///
  /// - Parameters:
  ///   - type:    What to decode.
  ///   - queue:   Where `handler` is called; the main queue by default.
  ///   - decoder: Decodes each message; `JSONDecoder()` by default.
  ///   - handler: Called with each value.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func streamDecodable<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, on queue: DispatchQueue = .main,
    using decoder: any DataDecoder = JSONDecoder(), handler: @escaping @Sendable (_ value: Value) -> Void
  ) -> Self {
    streamDecodableEvents(Value.self, on: queue, using: decoder) { event in
      if let value = event.message { handler(value) }
    }
  }

  /// Adds a handler of the messages as they are, and of everything else that happens.
  ///
  /// - Parameters:
  ///   - queue:   Where `handler` is called; the main queue by default.
  ///   - handler: Called with each event.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func streamMessageEvents(
    on queue: DispatchQueue = .main,
    handler: @escaping @Sendable (_ event: Event<URLSessionWebSocketTask.Message, Never>) -> Void
  ) -> Self {
    stream(on: queue, through: nil, to: handler) { .receivedMessage($0) }
  }

  /// Adds a handler of the messages as they are.
  ///
  /// - Parameters:
  ///   - queue:   Where `handler` is called; the main queue by default.
  ///   - handler: Called with each message.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func streamMessages(
    on queue: DispatchQueue = .main,
    handler: @escaping @Sendable (_ message: URLSessionWebSocketTask.Message) -> Void
  ) -> Self {
    streamMessageEvents(on: queue) { event in
      if let message = event.message { handler(message) }
    }
  }

  /// - Parameter own: Where something is made of messages; nil where they are passed on as they are.
  private func stream<Success, Failure>(
    on queue: DispatchQueue, through own: DispatchQueue?,
    to handler: @escaping @Sendable (Event<Success, Failure>) -> Void,
    making make: @escaping @Sendable (URLSessionWebSocketTask.Message) -> Event<Success, Failure>.Kind
  ) -> Self {
    let path = EventPath(queue: queue, own: own, handler: handler)
    let listen: WebSocketFlow.Handler = { [unowned self] event in
      switch event {
      case .connected(let name): path.hand(self, 0) { .connected(protocol: name) }
      case .disconnected(let code, let reason):
        path.hand(self, 0) { .disconnected(closeCode: code, reason: reason) }
      case .receivedMessage(let message): path.hand(self, message.cost) { make(message) }
      }
    }
    let task = flow.withLock { $0.add(listen) }
    if let task { self.listen(to: task) }
    // The request owns its jobs and outlives them.
    let end = EndJob(queue: nil) { [unowned self] done in
      self.whenConsumed { [self] in
        let outcome = outcome
        let completion = Completion(
          request: outcome.request, response: outcome.response, metrics: outcome.metrics, error: outcome.error
        )
        path.end(self, with: completion) { done?() }
      }
    }
    add(end)
    return self
  }

  /// The path of a stream's events: each goes the same, so that none overtakes another.
  private struct EventPath<Success: Sendable, Failure: Error>: Sendable {
    let queue: DispatchQueue
    let own: DispatchQueue?
    let handler: @Sendable (Event<Success, Failure>) -> Void

    private func pass(_ work: @escaping @Sendable () -> Void) {
      if let own { own.async(execute: work) } else { work() }
    }

    /// - Parameter count: The bytes to account for when the event has been consumed.
    func hand(
      _ request: WebSocketRequest, _ count: Int,
      _ makeKind: @escaping @Sendable () -> Event<Success, Failure>.Kind
    ) {
      pass {
        let kind = makeKind()
        queue.async {
          // Weak, because an unread message is kept by what the request keeps.
          let receipt =
            count > 0 ? ConsumptionToken { [weak request] in request?.didConsume(count) } : nil
          handler(Event(socket: request, kind: kind, receipt: receipt))
          receipt?.handlerReturned()
          if count > 0 { request.didHandOver() }
        }
      }
    }

    /// The last event.
    func end(
      _ request: WebSocketRequest, with completion: Completion, done: @escaping @Sendable () -> Void
    ) {
      pass {
        queue.async {
          handler(Event(socket: request, kind: .completed(completion)))
          done()
        }
      }
    }
  }

  /// Calls `action` when everything that has come has been consumed.
  private func whenConsumed(_ action: @escaping @Sendable () -> Void) {
    let isCancelled = isCancelled
    if flow.withLock({ $0.wait(for: action, isCancelled: isCancelled) }) { return }
    action()
  }
}
