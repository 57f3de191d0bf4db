// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetWebSocket
import Foundation
import Sockets

/// One client in the room: the server's side of its WebSocket.
actor Member {
  private enum Errand: Sendable {
    case line([UInt8])
    case close(WebSocketCloseCode)
    /// Something else waits to be sent, such as a pong.
    case flush
  }

  nonisolated let name: String
  private let connection: Connection
  private var endpoint: WebSocketEndpoint
  /// Work for the one task that writes. A member that is so far behind reads too slowly.
  private let errands = AsyncStream.makeStream(of: Errand.self, bufferingPolicy: .bufferingOldest(256))

  private init(_ name: String, _ connection: Connection, _ agreement: WebSocketAgreement) {
    self.name = name
    self.connection = connection
    endpoint = WebSocketEndpoint(
      .server, agreement: agreement, limits: WebSocketLimits(messageBytes: 4096),
      using: SystemRandomNumberGenerator())
  }

  /// Answers an opening handshake for `/room?name=NAME` (RFC 6455 §4.2). Nil if it was refused.
  static func open(_ connection: Connection) async throws -> Member? {
    var parser = RequestParser()
    var bytes: [UInt8] = []
    var consumed = 0
    // A client sends no frame before it has the answer.
    while try parser.next(in: bytes.span, consumed: &consumed) != .head {
      let more = try await connection.read()
      if more.isEmpty { return nil }
      bytes += more
    }
    let head = parser.head
    guard let query = URLComponents(string: head.target), query.path == "/room",
      let name = query.queryItems?.first(where: { $0.name == "name" })?.value, (1...40).contains(name.count)
    else {
      try await connection.write(
        Array("HTTP/1.1 404 \r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
      return nil
    }
    do {
      let acceptance = try WebSocketAcceptance(method: head.method, compression: WebSocketCompression()) {
        head.fields.values($0)
      }
      var encoder = ResponseEncoder()
      try encoder.begin(status: 101, reason: "Switching Protocols")
      for (name, value) in acceptance.fields { try encoder.field(name, value) }
      encoder.end()
      try await connection.write(encoder.bytes)
      return Member(name, connection, acceptance.agreement)
    } catch let error as WebSocketError {
      let status = error.rule == .unsupportedVersion ? "426 \r\nSec-WebSocket-Version: 13" : "400 "
      try await connection.write(
        Array("HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
      return nil
    }
  }

  /// Reads and writes until either side has closed.
  ///
  /// - Parameter say: Called with each line of text.
  func run(_ say: @escaping @Sendable (String) async -> Void) async {
    await withDiscardingTaskGroup { group in
      group.addTask { await self.write() }
      do {
        while !endpoint.isClosed {
          let bytes = try await connection.read()
          for text in try receive(bytes) { await say(text) }
          if bytes.isEmpty { try endpoint.peerEnded() }
        }
      } catch {
        if !(error is CancellationError) { log("\(name): \(error)") }
      }
      // Errands that wait are still done.
      errands.continuation.finish()
    }
  }

  /// Queues a line. No member waits for a slow one: that has to go.
  nonisolated func deliver(_ json: [UInt8]) { give(.line(json)) }

  /// Queues a Close, to which the client answers.
  nonisolated func close(_ code: WebSocketCloseCode) { give(.close(code)) }

  private nonisolated func give(_ errand: Errand) {
    if case .dropped = errands.continuation.yield(errand) { connection.abort() }
  }

  private func receive(_ bytes: [UInt8]) throws -> [String] {
    // Pongs, and the Close after a broken rule.
    defer { if endpoint.unsentBytes > 0 { give(.flush) } }
    var texts: [String] = []
    var consumed = 0
    while true {
      switch try endpoint.receive(in: bytes.span, consumed: &consumed) {
      case .message: texts.append(String(decoding: endpoint.takeMessage(), as: UTF8.self))
      case .ping, .pong, .close: continue
      case .needsMore, .end: return texts
      }
    }
  }

  private func write() async {
    do {
      for await errand in errands.stream {
        switch errand {
        // No line follows a Close (RFC 6455 §5.5.1).
        case .line(let json): if !endpoint.isClosing { try endpoint.send(.text, json.span) }
        case .close(let code): try endpoint.close(code)
        case .flush: break
        }
        while endpoint.unsentBytes > 0 {
          let bytes = endpoint.withOutgoing { span in span.withUnsafeBytes { Array($0) } }
          endpoint.sent(bytes.count)
          try await connection.write(bytes)
        }
      }
    } catch {
      log("\(name): \(error)")
      connection.abort()
    }
  }
}
