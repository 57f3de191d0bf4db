// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLocks
import BluebonnetWebSocket
import Glibc

@testable import BluebonnetTransport

/// A connection in a loop of its own, and the server's side of it as a blocking descriptor.
///
/// `@unchecked Sendable`: the connection is touched while the loop is held only.
final class WebSocketStand: @unchecked Sendable {
  let stand: ChannelStand
  let client = WebSocketListening()
  private(set) var connection: WebSocketConnection?

  /// - Parameter prepare: Given the client before it hears of anything.
  init(
    unread: [UInt8] = [], _ settings: WebSocketSettings = WebSocketSettings(),
    prepare: (WebSocketListening) -> Void = { _ in }
  ) throws {
    prepare(client)
    let stand = try ChannelStand()
    self.stand = stand
    try stand.loop.withLoop {
      let made = WebSocketConnection(
        ChannelUpgrade(channel: try stand.channel(), unread: unread), agreement: WebSocketAgreement(),
        settings: settings, client: client)
      connection = made
      made.start()
    }
  }

  func act(_ body: (WebSocketConnection) throws -> Void) rethrows {
    try stand.loop.withLoop { if let connection { try body(connection) } }
  }

  func say(_ text: String, noting label: String) {
    act { connection in
      connection.send(.text, Array(text.utf8).span) { [client] error in client.note(label, error) }
    }
  }

  func stop() {
    act { $0.cancel() }
    stand.stop()
  }
}

/// Remembers what it was told.
final class WebSocketListening: WebSocketClient, Sendable {
  let heard = Locked<[String]>([])
  /// What to do with each message.
  let reaction = Locked<@Sendable (WebSocketConnection, [UInt8]) -> Void>({ _, _ in })

  func note(_ label: String, _ error: TransportError?) {
    heard.withLock { $0.append(error.map { "\(label): \($0) \($0.phase.rawValue)" } ?? label) }
  }

  func webSocket(
    _ connection: WebSocketConnection, didReceive kind: WebSocketMessageKind, _ bytes: consuming [UInt8]
  ) {
    let bytes = bytes
    heard.withLock { $0.append("\(kind) \(String(decoding: bytes.prefix(20), as: UTF8.self))") }
    reaction.withLock { $0 }(connection, bytes)
  }

  func webSocket(_ connection: WebSocketConnection, didReceive close: WebSocketClose) {
    heard.withLock {
      $0.append("close \(close.code.rawValue) \(String(decoding: close.reason, as: UTF8.self))")
    }
  }

  func webSocket(_ connection: WebSocketConnection, didEndWith error: TransportError?) { note("end", error) }
}

/// The server's side, by hand: the endpoint that stands at the other end in tests of the module itself.
struct WebSocketPeer: ~Copyable {
  let descriptor: Int32
  private var endpoint = WebSocketEndpoint(
    .server, agreement: WebSocketAgreement(), using: SystemRandomNumberGenerator())

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Speaks, and sends it.
  mutating func act(_ body: (inout WebSocketEndpoint) throws -> Void) rethrows {
    try body(&endpoint)
    flush()
  }

  mutating func say(_ text: String) throws { try act { try $0.send(.text, Array(text.utf8).span) } }

  /// Receives until something comes, and answers what has to be answered; nil at the end of the stream.
  mutating func hear() -> String? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &buffer, 1, 0)
      guard count > 0 else { return nil }
      var consumed = 0
      guard let action = try? endpoint.receive(in: buffer.span.extracting(first: count), consumed: &consumed)
      else {
        return "broken"
      }
      flush()
      switch action {
      case .needsMore, .end: continue
      case .message(let kind): return "\(kind) \(String(decoding: endpoint.takeMessage(), as: UTF8.self))"
      case .ping: return "ping"
      case .pong: return "pong"
      case .close(let close): return "close \(close.code.rawValue)"
      }
    }
  }

  private mutating func flush() {
    while endpoint.unsentBytes > 0 {
      let count = endpoint.withOutgoing { bytes in
        bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      }
      guard count > 0 else { return }
      endpoint.sent(count)
    }
  }
}
