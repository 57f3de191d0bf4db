// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks

// Unchecked: see URLSessionTask.
/// A WebSocket connection (RFC 6455): messages in both directions, until one side closes it.
///
/// Made by ``URLSession/webSocketTask(with:)-(URL)`` and suspended until `resume()`. Messages and pings may be sent and asked for
/// before: they wait for the connection. It completes without an error when the server has closed, with
/// `URLError.cancelled` when it was closed or cancelled here, and otherwise with the failure.
///
/// Messages that are not asked for are kept, about 256 KiB of them; then nothing is read any more, and the server stops. The
/// connection may be silent for as long as it likes: `timeoutIntervalForRequest` limits the opening handshake, each pause in
/// sending, and the time until a pong. `suspend()` stops reading, and goes on sending.
open class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {
  /// A message, sent or received.
  public enum Message: Sendable, Hashable {
    /// Bytes of any kind.
    case data(Data)
    /// Text, which goes over the wire as UTF-8.
    case string(String)
  }

  struct Closing: Sendable {
    var code = CloseCode.invalid
    var reason: Data?
    var maximumMessageSize = 1 << 20
  }

  let closing = Locked(Closing())
  let link: WebSocketLink

  init(_ origins: Origins, request: URLRequest, protocols: [String] = []) {
    let settings = origins.session.settings
    link = WebSocketLink(
      loop: settings.eventLoop.loop,
      offer: .init(protocols: protocols, compression: settings.webSocketCompression))
    super.init(origins, request: request, body: .ofRequest)
    link.task = self
  }

  override var webSocketLink: WebSocketLink? { link }

  /// The largest message that is taken, in bytes and after it was inflated; 1,048,576 by default, from 0. A larger one ends the
  /// connection with `URLError.dataLengthExceedsMaximum`, and the server is told (1009).
  open var maximumMessageSize: Int {
    get { closing.withLock { $0.maximumMessageSize } }
    set {
      closing.withLock { $0.maximumMessageSize = newValue }
      link.loop.execute { [link] in link.setMessageLimit(newValue) }
    }
  }

  /// Why the connection was closed: what the server has said, or what this side has while the server has not;
  /// ``CloseCode/invalid`` as long as it is open.
  open var closeCode: CloseCode { closing.withLock { $0.code } }

  /// The reason given with ``closeCode``; `nil` for none.
  open var closeReason: Data? { closing.withLock { $0.reason } }

  // MARK: Messages

  /// Sends a message, behind those that were given before.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - completionHandler: Called once on the session's `delegateQueue`: without an error when the message has been handed to
  ///     the system. That it has arrived, only an answer says.
  open func send(_ message: Message, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
    send(message, on: session.userExecutor, completionHandler: completionHandler)
  }

  /// Sends a message, behind those that were given before, and waits until it has been handed to the system.
  ///
  /// - Throws: A `URLError` if it can't be sent any more.
  open func send(_ message: Message) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      link.loop.execute { [link] in
        link.send(message) { error in
          if let error { continuation.resume(throwing: error) } else { continuation.resume() }
        }
      }
    }
  }

  /// Asks for the next message. Each call gets another one, in the order of the calls.
  ///
  /// - Parameter completionHandler: Called once on the session's `delegateQueue`; with an error if there is none to come.
  open func receive(completionHandler: @escaping @Sendable (Result<Message, any Error>) -> Void) {
    receive(on: session.userExecutor, completionHandler: completionHandler)
  }

  /// Waits for the next message. If the Swift task is cancelled, nothing is lost: the next caller gets it.
  ///
  /// - Throws: A `URLError` if there is none to come; `.cancelled` if the Swift task was cancelled.
  open func receive() async throws -> Message {
    let request = WebSocketLink.ReceiveRequest()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Message, any Error>) in
        link.loop.execute { [link] in link.receive(request) { continuation.resume(with: $0) } }
      }
    } onCancel: {
      link.loop.execute { [link, cancelled = cancelledEarly] in link.withdraw(request, with: cancelled) }
    }
  }

  /// Sends a ping (RFC 6455 §5.5.2).
  ///
  /// - Parameter pongReceiveHandler: Called once on the session's `delegateQueue`: without an error when the pong has come. If
  ///   none comes within `timeoutIntervalForRequest`, the connection ends with `URLError.timedOut`.
  open func sendPing(pongReceiveHandler: @escaping @Sendable ((any Error)?) -> Void) {
    sendPing(on: session.userExecutor, pongReceiveHandler: pongReceiveHandler)
  }

  /// Closes the connection behind the messages given before: says why, waits for the server's answer for 10 s at most, and
  /// completes with `URLError.cancelled`.
  ///
  /// - Parameters:
  ///   - closeCode: The reason's code. A code that must not be sent (RFC 6455 §7.4.1), such as ``CloseCode/noStatusReceived``, is
  ///     not: the server is told no reason then.
  ///   - reason: In words, UTF-8; cut off beyond 123 bytes, and not sent if it is no UTF-8.
  open func cancel(with closeCode: CloseCode, reason: Data?) {
    close(sending: closeCode, reason: reason, completing: .cancelled)
  }
}

extension URLSessionWebSocketTask {
  /// The end of a task that was closed by its caller.
  package enum ClosedEnding: Sendable {
    /// With `URLError.cancelled`, as `cancel(with:reason:)` has it.
    case cancelled
    /// Without an error, once the server has answered.
    case complete
  }

  /// Closes, and completes without an error.
  package func close(sending closeCode: CloseCode, reason: Data?) {
    close(sending: closeCode, reason: reason, completing: .complete)
  }

  private func close(sending closeCode: CloseCode, reason: Data?, completing ending: ClosedEnding) {
    closing.withLock { closing in
      guard closing.code == .invalid else { return }
      closing.code = closeCode
      closing.reason = reason
    }
    guard let driver = beginCancelling() else { return }
    link.loop.execute { [link] in
      if !link.close(closeCode, reason: reason, completing: ending) { driver.cancel() }
    }
  }
}

extension URLSessionWebSocketTask {
  /// The same with another executor.
  package func send(
    _ message: Message, on executor: CallbackExecutor,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    link.loop.execute { [link] in
      link.send(message) { error in executor.run { completionHandler(error) } }
    }
  }

  /// The same with another executor.
  package func receive(
    on executor: CallbackExecutor, completionHandler: @escaping @Sendable (Result<Message, any Error>) -> Void
  ) {
    link.loop.execute { [link] in
      link.receive(WebSocketLink.ReceiveRequest()) { result in executor.run { completionHandler(result) } }
    }
  }

  /// The same with another executor.
  package func sendPing(
    on executor: CallbackExecutor, pongReceiveHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    link.loop.execute { [link] in
      link.ping { error in executor.run { pongReceiveHandler(error) } }
    }
  }
}
