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
    stream(on: queue, through: serializationQueue, to: handler) { [cancels = configuration] message in
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
    // Every event goes the same way, so that none overtakes another.
    let hand:
      @Sendable (WebSocketRequest, @escaping @Sendable () -> Event<Success, Failure>.Kind, Int) -> Void = {
        request, kind, count in
        let deliver: @Sendable (Event<Success, Failure>.Kind) -> Void = { kind in
          queue.async {
            // Weak, because an unread message is kept by what the request keeps.
            let receipt = count > 0 ? ConsumptionToken { [weak request] in request?.didConsume(count) } : nil
            handler(Event(socket: request, kind: kind, receipt: receipt))
            receipt?.handlerReturned()
            if count > 0 { request.didHandOver() }
          }
        }
        if let own { own.async { deliver(kind()) } } else { deliver(kind()) }
      }
    let listen: WebSocketFlow.Handler = { [unowned self] event in
      switch event {
      case .connected(let name): hand(self, { .connected(protocol: name) }, 0)
      case .disconnected(let code, let reason):
        hand(self, { .disconnected(closeCode: code, reason: reason) }, 0)
      case .receivedMessage(let message): hand(self, { make(message) }, message.cost)
      }
    }
    let task = flow.withLock { $0.add(listen) }
    if let task { self.listen(to: task) }
    add(
      WebSocketEnd(request: self) { request, completion, done in
        let last: @Sendable () -> Void = {
          queue.async {
            handler(Event(socket: request, kind: .completed(completion)))
            done?()
          }
        }
        if let own { own.async(execute: last) } else { last() }
      })
    return self
  }
}

// @unchecked: see ResponseJob.
/// The last event of one handler, after everything that has come.
private final class WebSocketEnd: ResponseJob, @unchecked Sendable {
  typealias Deliver =
    @Sendable (WebSocketRequest, WebSocketRequest.Completion, (@Sendable () -> Void)?) -> Void

  // The request owns its jobs and outlives them.
  private unowned let request: WebSocketRequest
  private let hand: Deliver

  init(request: WebSocketRequest, hand: @escaping Deliver) {
    self.request = request
    self.hand = hand
  }

  override func isQuick(for bodyCount: Int) -> Bool { true }

  override func deliver(then done: (@Sendable () -> Void)?) {
    let (request, hand) = (request, hand)
    request.whenConsumed {
      let outcome = request.outcome
      hand(
        request,
        WebSocketRequest.Completion(
          request: outcome.request, response: outcome.response, metrics: outcome.metrics, error: outcome.error
        ),
        done)
    }
  }
}

extension WebSocketRequest {
  /// Calls `action` when everything that has come has been consumed.
  fileprivate func whenConsumed(_ action: @escaping @Sendable () -> Void) {
    let isCancelled = isCancelled
    if flow.withLock({ $0.wait(for: action, isCancelled: isCancelled) }) { return }
    action()
  }
}
