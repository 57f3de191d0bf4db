// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// The listeners of a WebSocket, the messages they have in hand, and those waiting to be sent.
///
///     idle ──listen──▶ asking ⇄ resting (too much in hand) ──the task has nothing more, or is cancelled──▶ idle
struct WebSocketFlow {
  typealias CloseCode = URLSessionWebSocketTask.CloseCode
  typealias Handler = @Sendable (WebSocketRequest.IncomingEvent) -> Void
  typealias Sending = @Sendable (Result<URLSessionWebSocketTask, any Error>) -> Void

  enum SendStep {
    case now(URLSessionWebSocketTask)
    case later
    case never
  }

  /// The listeners, and the messages that they have in hand; expects more while it listens.
  var messages = PartFlow<Handler>()
  private var task: URLSessionWebSocketTask?
  private var early: [Sending] = []
  private var isOver = false

  private(set) var isOpen = false
  /// The caller has closed: what comes until the server has answered is still handed over.
  var isClosing = false
  private var subprotocol: String?
  private var closed: (code: CloseCode, reason: Data?)?

  // MARK: Sending

  /// An attempt has a task: what waits can be given to it.
  mutating func begin(_ task: URLSessionWebSocketTask) -> [Sending] {
    self.task = task
    (isOpen, subprotocol, closed) = (false, nil, nil)
    defer { early = [] }
    return early
  }

  mutating func add(_ sending: @escaping Sending) -> SendStep {
    if let task { return .now(task) }
    if isOver { return .never }
    early.append(sending)
    return .later
  }

  /// There will be no further task.
  mutating func end() -> [Sending] {
    isOver = true
    defer { early = [] }
    return early
  }

  // MARK: Hearing

  /// Handlers only enter queues. They are told of the opening while the flow is locked, so that no message overtakes it.
  ///
  /// - Returns: What there is to listen to, for a handler that comes after the WebSocket was opened.
  mutating func add(_ handler: @escaping Handler) -> URLSessionWebSocketTask? {
    messages.add(handler)
    guard isOpen else { return nil }
    handler(.connected(protocol: subprotocol))
    return task
  }

  mutating func open(_ subprotocol: String?) {
    isOpen = true
    self.subprotocol = subprotocol
    for handler in messages.consumers { handler(.connected(protocol: subprotocol)) }
  }

  /// Whether the first message is to be asked for: it is wanted, and has not been.
  mutating func listen() -> Bool {
    guard isOpen, !messages.expectsMore, !messages.consumers.isEmpty else { return false }
    messages.expectsMore = true
    return true
  }

  /// The server has closed. Said at once if it was not listened to, and behind the messages still to be heard otherwise; so it is
  /// without a listener yet.
  mutating func close(_ code: CloseCode, _ reason: Data?) -> [Handler] {
    guard messages.expectsMore || messages.consumers.isEmpty else { return messages.consumers }
    closed = (code, reason)
    return []
  }

  /// The task has no more messages.
  mutating func stopListening() -> (
    close: (code: CloseCode, reason: Data?)?, handlers: [Handler], waiting: [@Sendable () -> Void]
  ) {
    messages.expectsMore = false
    isOpen = false
    return (closed.take(), messages.consumers, messages.takeWaiting())
  }

  /// True when `action` has to wait until everything that has come has been handed over.
  mutating func wait(for action: @escaping @Sendable () -> Void, isCancelled: Bool) -> Bool {
    // Messages still to be asked for are no longer wanted.
    if messages.isResting, isCancelled, !isClosing { messages.expectsMore = false }
    return messages.wait(for: action)
  }
}
