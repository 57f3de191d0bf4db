// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetMessages
import BluebonnetTransport
import BluebonnetWebSocket

/// Takes a load through the opening handshake of a WebSocket, and then between its connection and the task's link.
///
///     takeOpening ─▶ upgrade ─▶ open ─▶ messages, the peer's close ─▶ end
///
// Touched only while the loop is held.
final class WebSocketDriver {
  private unowned let load: Load
  private let link: WebSocketLink

  init(of load: Load, _ link: WebSocketLink) {
    (self.load, self.link) = (load, link)
  }

  /// The final response to an opening handshake, a 101 or a refusal.
  func takeOpening(_ response: HTTPURLResponse) {
    load.state.task.setResponse(response)
    load.state.machine.receive()
    guard let opening = load.prepared.opening else {
      return assertionFailure("a WebSocket's request is an opening handshake")
    }
    do throws(WebSocketError) {
      link.agreement = try opening.handshake.agreement(status: response.statusCode) { name in
        response.fields.values(name)
      }
    } catch {
      load.stop(failure(.webSocket(error), during: .receivingHead))
    }
  }

  /// The server has switched protocols.
  func upgrade(_ upgrade: ChannelUpgrade, silence: UInt64?) {
    guard let agreement = link.agreement, load.state.ending == nil else { return upgrade.channel.close() }
    let settings = WebSocketSettings(
      limits: WebSocketLimits(messageBytes: link.task?.maximumMessageSize ?? 0), silence: silence)
    link.upgraded = WebSocketConnection(upgrade, agreement: agreement, settings: settings, client: self)
  }

  /// The exchange has ended with an upgrade.
  func open(_ connection: WebSocketConnection) {
    load.state.source = connection
    // An open WebSocket lives as long as it likes, and is no request any more.
    load.engine.requests?.rest(load)
    connection.hold(load.state.incoming.holds)
    load.tell(.opened(subprotocol: link.agreement?.subprotocol))
    // Later: this is inside a read.
    load.engine.loop.enqueue { [link, connection = LoopConfined(connection)] in
      link.opened(connection.value)
      connection.value.start()
    }
  }

  /// The task completes.
  ///
  /// - Returns: With what.
  func end(with error: (any Error)?) -> (any Error)? {
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
      of: FailedExchange(
        url: load.state.request.url, method: load.state.request.httpMethod, response: load.state.response))
  }
}

extension WebSocketDriver: WebSocketClient {
  func webSocket(
    _ connection: WebSocketConnection, didReceive kind: WebSocketMessageKind, _ bytes: consuming [UInt8]
  ) {
    link.received(kind, bytes)
  }

  func webSocket(_ connection: WebSocketConnection, didReceive close: WebSocketClose) {
    guard let task = load.state.task as? URLSessionWebSocketTask else { return }
    let code = URLSessionWebSocketTask.CloseCode(close.code)
    let reason = close.reason.isEmpty ? nil : Data(close.reason)
    task.closing.withLock { ($0.code, $0.reason) = (code, reason) }
    load.tell(.closed(code, reason: reason))
  }

  func webSocket(_ connection: WebSocketConnection, didEndWith error: TransportError?) {
    load.state.source = nil
    if let ending = load.state.ending { return load.finish(ending) }
    if case .cancelled? = link.closedEnding {
      return load.finish(.loading(.cancelled, url: load.state.request.url, phase: .cancelling, reason: ""))
    }
    load.finish(error.map { failure($0.cause, seconds: $0.seconds, during: $0.phase) })
  }
}

extension WebSocketConnection: ResponseSource {
  var phase: LoadingPhase { .exchangingMessages }
  var expectsContinue: Bool { false }
  func isWorthDraining(_ response: HTTPURLResponse) -> Bool { false }
}
