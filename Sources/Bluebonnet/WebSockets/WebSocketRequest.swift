// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetURLLoading

// @unchecked: see Request; adds immutable properties and a mutex.
/// A WebSocket (RFC 6455): messages in both directions until one side closes it. Made by
/// ``Session/webSocketRequest(performing:configuration:interceptor:shouldAutomaticallyResume:)`` and the forms beside it.
///
/// The first handler starts it, unless it is told not to. Messages that are sent before it is open wait for that. What
/// arrives faster than the handlers return waits on the network, beyond about a megabyte.
public final class WebSocketRequest: Request, @unchecked Sendable {
  /// Makes the `URLRequest` of each attempt, which opens the WebSocket. Called on the session's `requestQueue` if its type is
  /// one of yours.
  public var convertible: any URLRequestConvertible { source.convertible }
  /// The settings of the WebSocket.
  public let configuration: Configuration

  let flow = Locked(WebSocketFlow())

  init(
    convertible: any URLRequestConvertible, configuration: Configuration, session: Session,
    shouldAutomaticallyResume: Bool?
  ) {
    self.configuration = configuration
    super.init(
      source: .convertible(convertible), session: session,
      shouldAutomaticallyResume: shouldAutomaticallyResume)
  }

  override func task(for request: URLRequest, using session: URLSession) -> URLSessionTask {
    var request = request
    if let name = configuration.protocol { request.headers.update(.websocketProtocol(name)) }
    let task = session.webSocketTask(with: request, for: self)
    task.maximumMessageSize = configuration.maximumMessageSize
    for send in flow.withLock({ $0.begin(task) }) { send(.success(task)) }
    return task
  }

  deinit {
    // It was never started, and cannot be any more.
    for send in flow.withLock({ $0.end() }) { send(.failure(AFError.explicitlyCancelled)) }
  }

  override var needsCleanup: Bool { true }

  override func cleanup() {
    // Messages to be sent that never had a task.
    let failure = error ?? .explicitlyCancelled
    for send in flow.withLock({ $0.end() }) { send(.failure(failure)) }
  }

  // MARK: Sending

  /// Sends a message, behind those that were given before.
  ///
  /// - Parameters:
  ///   - message:           The message.
  ///   - queue:             Where `completionHandler` is called; the main queue by default.
  ///   - completionHandler: Called once: when the message has been handed to the system, or can't be sent any more.
  @preconcurrency
  public func send(
    _ message: URLSessionWebSocketTask.Message, queue: DispatchQueue = .main,
    completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    perform { [executor = context.executor] result in
      switch result {
      case .success(let task):
        task.send(message, on: executor) { error in
          queue.async { completionHandler(error.map { .failure($0) } ?? .success(())) }
        }
      case .failure(let error): queue.async { completionHandler(.failure(error)) }
      }
    }
  }

  /// Does something with the task, as soon as there is one.
  private func perform(_ action: @escaping WebSocketFlow.Sending) {
    switch flow.withLock({ $0.add(action) }) {
    case .now(let task): action(.success(task))
    case .later: break
    case .never: action(.failure(error ?? .explicitlyCancelled))
    }
  }

  /// Sends a ping (RFC 6455 §5.5.2).
  ///
  /// - Parameters:
  ///   - queue:      Where `onResponse` is called; the main queue by default.
  ///   - onResponse: Called once, with what came of it.
  @preconcurrency
  public func sendPing(
    respondingOn queue: DispatchQueue = .main, onResponse: @escaping @Sendable (PingResponse) -> Void
  ) {
    guard isResumed, let task = lastTask as? URLSessionWebSocketTask else {
      return queue.async { onResponse(.unsent) }
    }
    let (start, clock) = (Date(), ContinuousClock.now)
    task.sendPing(on: context.executor) { error in
      let latency = ContinuousClock.now - clock
      let end = Date()
      queue.async {
        onResponse(
          error.map { .error($0) }
            ?? .pong(PingResponse.Pong(start: start, end: end, latency: latency / .seconds(1))))
      }
    }
  }

  /// Closes the WebSocket behind the messages given before, and completes without an error; with `URLError.timedOut` if the server
  /// does not answer within 10 s. One that is not open yet is given up, with its waiting messages. Without effect on a
  /// request that is over or was cancelled.
  ///
  /// - Parameters:
  ///   - closeCode: The code for the server.
  ///   - reason:    The same in words, UTF-8 of at most 123 bytes; `nil` by default.
  /// - Returns: The request.
  @discardableResult
  public func close(sending closeCode: URLSessionWebSocketTask.CloseCode, reason: Data? = nil) -> Self {
    flow.withLock { if !isCancelled { $0.isClosing = true } }
    return endEarly(asFailure: false) { task in
      (task as? URLSessionWebSocketTask)?.close(sending: closeCode, reason: reason)
    }
  }

  // MARK: What the task tells

  func didOpen(_ task: URLSessionWebSocketTask, _ subprotocol: String?) {
    flow.withLock { $0.open(subprotocol) }
    listen(to: task)
    if let interval = configuration.pingInterval { ping(task, every: interval) }
  }

  func didClose(_ task: URLSessionWebSocketTask, _ code: URLSessionWebSocketTask.CloseCode, _ reason: Data?) {
    // Told behind the messages that have come before.
    let handlers = flow.withLock { $0.close(code, reason) }
    for handler in handlers { handler(.disconnected(closeCode: code, reason: reason)) }
  }

  /// Asks for messages, one after the other.
  func listen(to task: URLSessionWebSocketTask) {
    guard flow.withLock({ $0.listen() }) else { return }
    receive(from: task)
  }

  private func receive(from task: URLSessionWebSocketTask) {
    task.receive(on: context.executor) { [self] result in
      guard case .success(let message) = result, !isCancelled || flow.withLock({ $0.isClosing }) else {
        return stopListening()
      }
      let count = message.cost
      let (handlers, rests) = flow.withLock { $0.messages.begin(count) }
      for handler in handlers { handler(.receivedMessage(message)) }
      if !rests { receive(from: task) }
    }
  }

  /// A handler has returned from a message, or its reader has taken it.
  func didConsume(_ count: Int) {
    let goesOn = flow.withLock { $0.messages.consume(count) }
    if goesOn, let task = lastTask as? URLSessionWebSocketTask { receive(from: task) }
  }

  /// A handler has been given a message.
  func didHandOver() {
    for action in flow.withLock({ $0.messages.handOver() }) { action() }
  }

  private func stopListening() {
    let (close, handlers, waiting) = flow.withLock { $0.stopListening() }
    if let close {
      for handler in handlers { handler(.disconnected(closeCode: close.code, reason: close.reason)) }
    }
    for action in waiting { action() }
  }

  private func ping(_ task: URLSessionWebSocketTask, every interval: TimeInterval) {
    context.rootQueue.asyncAfter(deadline: .now() + interval) { [weak self, weak task] in
      guard let self, let task, lastTask === task, task.state == .running || task.state == .suspended else {
        return
      }
      // Nothing is read meanwhile, no pong either.
      guard isResumed else { return ping(task, every: interval) }
      sendPing(respondingOn: context.rootQueue) { [weak self, weak task] response in
        // Without a pong the task ends by itself.
        guard case .pong = response, let self, let task else { return }
        ping(task, every: interval)
      }
    }
  }
}

extension URLSessionWebSocketTask.Message {
  /// The bytes it counts for while it is in hand: more than its own, so that empty ones count, too.
  var cost: Int {
    switch self {
    case .data(let data): data.count + 64
    case .string(let text): text.utf8.count + 64
    }
  }
}
