import BluebonnetFoundation
import BluebonnetURLLoading

/// The listeners of a WebSocket, the messages they have in hand, and those waiting to be sent.
///
///     idle ──listen──▶ asking ⇄ resting (too much in hand) ──the task has nothing more, or is cancelled──▶ idle
struct WebSocketFlow {
  typealias CloseCode = URLSessionWebSocketTask.CloseCode
  typealias Handler = @Sendable (WebSocketRequest.IncomingEvent) -> Void
  typealias Sending = @Sendable (Result<URLSessionWebSocketTask, any Error>) -> Void

  /// Nothing more is asked for above this many bytes in hand, and it is again below a quarter of it.
  private static let highWater = 1 << 19

  enum SendStep {
    case now(URLSessionWebSocketTask)
    case later
    case never
  }

  private var handlers: [Handler] = []
  private var task: URLSessionWebSocketTask?
  private var early: [Sending] = []
  private var isOver = false

  private(set) var isOpen = false
  /// The caller has closed: what comes until the server has answered is still handed over.
  var isClosing = false
  private var subprotocol: String?
  private var isListening = false
  private var isResting = false
  /// Bytes that have not been consumed, and messages that have not been handed to all handlers.
  private var inHand = 0
  private var messagesInHand = 0
  private var closed: (code: CloseCode, reason: Data?)?
  private var waiting: [@Sendable () -> Void] = []

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
    handlers.append(handler)
    guard isOpen else { return nil }
    handler(.connected(protocol: subprotocol))
    return task
  }

  mutating func open(_ subprotocol: String?) {
    isOpen = true
    self.subprotocol = subprotocol
    for handler in handlers { handler(.connected(protocol: subprotocol)) }
  }

  /// Whether the first message is to be asked for: it is wanted, and has not been.
  mutating func listen() -> Bool {
    guard isOpen, !isListening, !handlers.isEmpty else { return false }
    isListening = true
    return true
  }

  mutating func receive(_ count: Int) -> (handlers: [Handler], goesOn: Bool) {
    inHand += count * handlers.count
    messagesInHand += handlers.count
    isResting = inHand > Self.highWater
    return (handlers, !isResting)
  }

  /// - Returns: Whether the next message is to be asked for.
  mutating func consume(_ count: Int) -> Bool {
    inHand -= count
    guard isResting, inHand < Self.highWater / 4 else { return false }
    isResting = false
    return true
  }

  /// A handler has been given a message.
  ///
  /// - Returns: The work that waited for the last one.
  mutating func handOver() -> [@Sendable () -> Void] {
    messagesInHand -= 1
    return takeWaiting()
  }

  /// Whether a slow reader stops the server. Beside other handlers none does: reading one sequence after the
  /// other must not wait for itself.
  var holdsBackForReaders: Bool { handlers.count == 1 }

  /// The server has closed. Said at once if it was not listened to, and behind the messages still to be heard otherwise; so it is
  /// without a listener yet.
  mutating func close(_ code: CloseCode, _ reason: Data?) -> [Handler] {
    guard isListening || handlers.isEmpty else { return handlers }
    closed = (code, reason)
    return []
  }

  /// The task has no more messages.
  mutating func stopListening() -> (
    close: (code: CloseCode, reason: Data?)?, handlers: [Handler], waiting: [@Sendable () -> Void]
  ) {
    isListening = false
    isOpen = false
    return (closed.take(), handlers, takeWaiting())
  }

  /// True when `action` has to wait until everything that has come has been handed over.
  mutating func wait(for action: @escaping @Sendable () -> Void, isCancelled: Bool) -> Bool {
    // Messages still to be asked for are no longer wanted.
    if isResting, isCancelled, !isClosing { isListening = false }
    guard isListening || messagesInHand > 0 else { return false }
    waiting.append(action)
    return true
  }

  private mutating func takeWaiting() -> [@Sendable () -> Void] {
    guard !isListening, messagesInHand == 0 else { return [] }
    defer { waiting = [] }
    return waiting
  }
}
