import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetTransport
import BluebonnetWebSocket

// A load that goes on as a WebSocket.
extension TaskLoad {
  /// The final response to an opening handshake, a 101 or a refusal.
  func takeOpening(_ response: HTTPURLResponse, _ link: WebSocketLink) {
    state.task.setResponse(response)
    state.phase = .receiving
    guard let opening = prepared.opening else {
      return assertionFailure("a WebSocket's request is an opening handshake")
    }
    do throws(WebSocketError) {
      link.agreement = try opening.handshake.agreement(status: response.statusCode) { name in
        response.fields.values(name)
      }
    } catch {
      stop(failure(.webSocket(error), during: .receivingHead))
    }
  }

  func exchange(_ exchange: RequestDriver, didUpgrade upgrade: ChannelUpgrade) {
    guard let link = state.webSocket, let agreement = link.agreement, state.ending == nil else {
      return upgrade.channel.close()
    }
    let settings = WebSocketSettings(
      limits: WebSocketLimits(messageBytes: link.task?.maximumMessageSize ?? 0),
      silence: exchange.request.timeouts.sending)
    link.upgraded = WebSocketConnection(upgrade, agreement: agreement, settings: settings, client: self)
  }

  /// The exchange has ended with an upgrade.
  func goOn(over connection: WebSocketConnection, _ link: WebSocketLink) {
    state.source = connection
    // An open WebSocket lives as long as it likes, and is no request any more.
    engine.requests?.rest(self)
    connection.hold(state.incoming.holds)
    if let listener, let task = state.task as? URLSessionWebSocketTask {
      let subprotocol = link.agreement?.subprotocol
      listener.executor.run { listener.task(task, didOpenWith: subprotocol) }
    }
    // Later: this is inside a read.
    engine.loop.enqueue { [connection = LoopConfined(connection)] in
      link.opened(connection.value)
      connection.value.start()
    }
  }

  /// The task completes.
  ///
  /// - Returns: With what.
  func end(_ link: WebSocketLink, with error: (any Error)?) -> (any Error)? {
    var error = error
    // Closed before it was open.
    if case .complete? = link.closedEnding, (error as? URLError)?.code == .cancelled { error = nil }
    // Without an error the server has closed: a caller that still asks is told so.
    link.ended(error ?? failure(.webSocket(WebSocketError(.closed)), during: .exchangingMessages))
    return error
  }

  private func failure(
    _ cause: TransportError.Cause, seconds: Double? = nil, during phase: TransportError.Phase
  ) -> URLError {
    .transport(
      TransportError(cause, during: phase, seconds: seconds),
      of: FailedExchange(url: state.request.url, method: state.request.httpMethod, response: state.response))
  }
}

extension TaskLoad: WebSocketClient {
  func webSocket(
    _ connection: WebSocketConnection, didReceive kind: WebSocketMessageKind, _ bytes: consuming [UInt8]
  ) {
    state.webSocket?.received(kind, bytes)
  }

  func webSocket(_ connection: WebSocketConnection, didReceive close: WebSocketClose) {
    guard let task = state.task as? URLSessionWebSocketTask else { return }
    let code = URLSessionWebSocketTask.CloseCode(close.code)
    let reason = close.reason.isEmpty ? nil : Data(close.reason)
    task.closing.withLock { ($0.code, $0.reason) = (code, reason) }
    guard let listener else { return }
    listener.executor.run { listener.task(task, didCloseWith: code, reason: reason) }
  }

  func webSocket(_ connection: WebSocketConnection, didEndWith error: TransportError?) {
    state.source = nil
    if let ending = state.ending { return finish(ending) }
    if case .cancelled? = state.webSocket?.closedEnding {
      return finish(.loading(.cancelled, url: state.request.url, phase: .cancelling, reason: ""))
    }
    finish(error.map { failure($0.cause, seconds: $0.seconds, during: $0.phase) })
  }
}

extension WebSocketConnection: ResponseSource {
  var phase: LoadingPhase { .exchangingMessages }
  var expectsContinue: Bool { false }
  func isWorthDraining(_ response: HTTPURLResponse) -> Bool { false }
  func retainBuffer(for bytes: UnsafeRawBufferPointer) -> RetainedBuffer? { nil }
}
