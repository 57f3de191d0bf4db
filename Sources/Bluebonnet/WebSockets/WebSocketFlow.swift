import BluebonnetFoundation
import BluebonnetURLLoading

/// Who hears of a WebSocket, what they have in hand, and what waits to be sent.
///
///     idle ──listen──▶ asking ⇄ resting (too much in hand) ──the task has nothing more──▶ idle
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
  private var inHand = 0
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

  /// - Returns: The subprotocol, for a handler that comes after the WebSocket was opened.
  mutating func add(_ handler: @escaping Handler) -> (
    isOpen: Bool, subprotocol: String?, URLSessionWebSocketTask?
  ) {
    handlers.append(handler)
    return (isOpen, subprotocol, task)
  }

  mutating func open(_ subprotocol: String?) -> [Handler] {
    isOpen = true
    self.subprotocol = subprotocol
    return handlers
  }

  /// Whether the first message is to be asked for: somebody wants it, and it has not been.
  mutating func listen() -> Bool {
    guard isOpen, !isListening, !handlers.isEmpty else { return false }
    isListening = true
    return true
  }

  mutating func receive(_ count: Int) -> (handlers: [Handler], goesOn: Bool) {
    inHand += count * handlers.count
    isResting = inHand > Self.highWater
    return (handlers, !isResting)
  }

  mutating func consume(_ count: Int) -> (goesOn: Bool, waiting: [@Sendable () -> Void]) {
    inHand -= count
    if isResting, inHand < Self.highWater / 4 {
      isResting = false
      return (true, [])
    }
    return (false, takeWaiting())
  }

  /// The server has closed. Said at once if nobody listens, and behind what is still to be heard otherwise.
  mutating func close(_ code: CloseCode, _ reason: Data?) -> [Handler] {
    guard isListening else { return handlers }
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

  /// True when `action` has to wait until everything that has come has been consumed.
  mutating func wait(for action: @escaping @Sendable () -> Void) -> Bool {
    guard isListening || inHand > 0 else { return false }
    waiting.append(action)
    return true
  }

  private mutating func takeWaiting() -> [@Sendable () -> Void] {
    guard !isListening, inHand == 0 else { return [] }
    defer { waiting = [] }
    return waiting
  }
}
