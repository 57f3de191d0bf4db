// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetTransport
import BluebonnetWebSocket

/// Between a WebSocket task and its connection: messages to be sent before there is one, and messages received before they were
/// asked for.
///
///     waiting ──opened──▶ open ──ended──▶ ended(error)
///        └──────────────────ended──────────▲
///
/// Unchecked because it is touched only while the loop is held.
final class WebSocketLink: @unchecked Sendable {
  typealias Message = URLSessionWebSocketTask.Message

  enum Phase {
    case waiting
    case open(WebSocketConnection)
    case ended(any Error)
  }

  /// A caller that asks for a message.
  ///
  /// Unchecked because it is touched only while the loop is held.
  final class ReceiveRequest: @unchecked Sendable {
    /// The message is no longer wanted.
    fileprivate var isWithdrawn = false
  }

  private struct Receiver {
    let request: ReceiveRequest
    let take: (Result<Message, any Error>) -> Void
  }

  /// The number of bytes kept for a task that does not ask for them. A message counts for some more than its own, so that
  /// empty ones do not fill the memory either.
  private static var backlogLimit: Int { 256 * 1024 }
  private static var messageCost: Int { 64 }

  let loop: EventLoop
  /// The task keeps the link.
  weak var task: URLSessionWebSocketTask?

  private var phase = Phase.waiting
  /// The jobs from before there was a connection.
  private var early: [(WebSocketConnection) -> Void] = []
  private var inbox = FirstInFirstOut<Message>()
  private var backlog = 0
  private var receivers = FirstInFirstOut<Receiver>()
  /// Whether a caller is being given a message.
  private var isServing = false
  /// The messages given before the end is told of it.
  private var refusals: [(any Error) -> Void] = []
  /// The caller has closed: how the task ends.
  private(set) var closedEnding: URLSessionWebSocketTask.ClosedEnding?
  private var messageLimit: Int?
  /// The offer of the opening handshake.
  let offer: WebSocketOpening.Offer

  /// The agreement with the server.
  var agreement: WebSocketAgreement?
  /// The connection, on its way from the exchange that has opened it.
  var upgraded: WebSocketConnection?

  init(loop: EventLoop, offer: WebSocketOpening.Offer) {
    self.loop = loop
    self.offer = offer
  }

  // MARK: What the task asks for

  func send(_ message: Message, completion: @escaping ((any Error)?) -> Void) {
    act(refusing: completion) { [weak self] connection in
      let completion = { (error: TransportError?) in completion(error.map { self?.error($0) ?? $0 }) }
      switch message {
      case .data(let data):
        connection.send(.binary, data.span, completion: completion)
        self?.task?.count { $0.sent += Int64(data.count) }
      case .string(let text):
        connection.send(.text, text.utf8.span, completion: completion)
        self?.task?.count { $0.sent += Int64(text.utf8.count) }
      }
    }
  }

  func ping(completion: @escaping ((any Error)?) -> Void) {
    act(refusing: completion) { [weak self] connection in
      connection.ping { error in completion(error.map { self?.error($0) ?? $0 }) }
    }
  }

  func receive(_ request: ReceiveRequest, _ take: @escaping (Result<Message, any Error>) -> Void) {
    if request.isWithdrawn { return take(.failure(task?.cancelledEarly ?? URLError(.cancelled))) }
    receivers.append(Receiver(request: request, take: take))
    serve()
  }

  /// Gives waiting callers the messages at hand, one after the other. A caller that asks again from within is served afterwards:
  /// otherwise the stack would grow with the number of messages.
  private func serve() {
    guard !isServing else { return }
    isServing = true
    defer { isServing = false }
    while !receivers.isEmpty {
      if let message = inbox.popFirst() {
        forget(message)
        receivers.popFirst()?.take(.success(message))
      } else if case .ended(let error) = phase {
        receivers.popFirst()?.take(.failure(error))
      } else {
        return
      }
    }
  }

  /// The caller does not want it any more, or has not asked yet and won't.
  func withdraw(_ request: ReceiveRequest, with error: any Error) {
    request.isWithdrawn = true
    for receiver in receivers.takeAll() {
      if receiver.request === request { receiver.take(.failure(error)) } else { receivers.append(receiver) }
    }
  }

  /// - Returns: false if there is no connection that could be closed.
  func close(
    _ code: URLSessionWebSocketTask.CloseCode, reason: Data?,
    completing ending: URLSessionWebSocketTask.ClosedEnding
  ) -> Bool {
    closedEnding = ending
    guard case .open(let connection) = phase else { return false }
    // Messages that still come are dropped, so that nothing holds the answer back.
    if case .cancelled = ending { dropInbox() }
    let code = code.code.isSendable ? code.code : nil
    let words = code == nil ? [] : Self.words(of: reason)
    do throws(WebSocketError) {
      try connection.close(code, reason: words)
      return true
    } catch {
      return false
    }
  }

  func setMessageLimit(_ limit: Int) {
    messageLimit = limit
    if case .open(let connection) = phase { connection.limits.messageBytes = max(limit, 0) }
  }

  /// The part of a reason that can be sent: as many whole characters as have room.
  private static func words(of reason: Data?) -> [UInt8] {
    guard let reason, let text = String(validating: reason, as: UTF8.self) else { return [] }
    var words: [UInt8] = []
    for character in text.unicodeScalars {
      let bytes = Array(String(character).utf8)
      if words.count + bytes.count > WebSocketClose.longestReason { break }
      words += bytes
    }
    return words
  }

  private func act(
    refusing completion: @escaping ((any Error)?) -> Void, _ action: @escaping (WebSocketConnection) -> Void
  ) {
    switch phase {
    case .open(let connection): action(connection)
    case .ended(let error): completion(error)
    case .waiting:
      early.append(action)
      refusals.append { completion($0) }
    }
  }

  // MARK: What the load tells

  func opened(_ connection: WebSocketConnection) {
    guard case .waiting = phase else { return connection.cancel() }
    phase = .open(connection)
    if let messageLimit { connection.limits.messageBytes = max(messageLimit, 0) }
    let actions = early
    early = []
    refusals = []
    for action in actions { action(connection) }
  }

  func received(_ kind: WebSocketMessageKind, _ bytes: [UInt8]) {
    task?.countReceived(bytes.count)
    if case .cancelled? = closedEnding { return }
    let message: Message =
      switch kind {
      case .binary: .data(Data(bytes))
      case .text: .string(String(decoding: bytes, as: UTF8.self))
      }
    inbox.append(message)
    backlog += Self.cost(of: message)
    serve()
    if backlog > Self.backlogLimit, case .open(let connection) = phase { connection.hold(.backlog) }
  }

  /// There is nothing more to come, and nothing more can be sent. Messages received may still be asked for.
  func ended(_ error: any Error) {
    if case .ended = phase { return }
    phase = .ended(error)
    let refused = refusals
    refusals = []
    early = []
    for refuse in refused { refuse(error) }
    serve()
  }

  private func dropInbox() {
    while let message = inbox.popFirst() { forget(message) }
  }

  private func forget(_ message: Message) {
    backlog -= Self.cost(of: message)
    guard backlog <= Self.backlogLimit / 2, case .open(let connection) = phase else { return }
    connection.release(.backlog)
  }

  private static func cost(of message: Message) -> Int {
    switch message {
    case .data(let data): data.count + messageCost
    case .string(let text): text.utf8.count + messageCost
    }
  }

  private func error(_ error: TransportError) -> any Error {
    let request = task?.currentRequest
    return URLError.transport(error, of: FailedExchange(url: request?.url, method: request?.httpMethod))
  }
}
