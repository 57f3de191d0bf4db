// SPDX-License-Identifier: MIT
import BluebonnetWebSocket

/// One WebSocket that the origin has accepted: what it says by itself, and what it answers.
final class ServedWebSocket {
  /// The behaviour of an endpoint.
  enum Behavior: Equatable {
    /// Says so many messages, and closes after so many milliseconds.
    case says(count: Int, closing: WebSocketCloseCode, afterMilliseconds: Int)
    /// Says what it hears.
    case echoes
    /// Closes after so many pings.
    case countsPings(Int)
  }

  private var endpoint: WebSocketEndpoint
  private let behavior: Behavior
  private let payload: [UInt8]
  private var pings = 0

  init(_ agreement: WebSocketAgreement, behavior: Behavior, payload: [UInt8]) {
    endpoint = WebSocketEndpoint(
      .server, agreement: agreement, limits: WebSocketLimits(messageBytes: 64 << 20),
      using: SystemRandomNumberGenerator())
    self.behavior = behavior
    self.payload = payload
  }

  /// Says what it says by itself.
  ///
  /// - Parameter later: Runs something after so many milliseconds.
  func begin(later: (Int, @escaping () -> Void) -> Void) {
    guard case .says(let count, let code, let delay) = behavior else { return }
    let payload = payload
    for _ in 0..<count { try? endpoint.send(.binary, payload.span) }
    guard delay > 0 else { return close(code) }
    later(delay) { [weak self] in self?.close(code) }
  }

  private func close(_ code: WebSocketCloseCode) { try? endpoint.close(code.isSendable ? code : nil) }

  /// Hears bytes. False if they break a rule.
  func take(_ bytes: ArraySlice<UInt8>) -> Bool {
    var consumed = 0
    do throws(WebSocketError) {
      while true {
        switch try endpoint.receive(in: bytes.span, consumed: &consumed) {
        case .needsMore, .end: return true
        case .message(let kind):
          let message = endpoint.takeMessage()
          if behavior == .echoes, !endpoint.isClosing { try endpoint.send(kind, message.span) }
        case .ping: pingCame()
        case .pong, .close: break
        }
      }
    } catch {
      return false
    }
  }

  private func pingCame() {
    pings += 1
    if case .countsPings(let count) = behavior, pings >= count { close(.normalClosure) }
  }

  /// Whether both sides have said that they close.
  var isClosed: Bool { endpoint.isClosed }

  /// Takes the bytes to be sent, once.
  func takeOutgoing() -> [UInt8] {
    var taken: [UInt8] = []
    while endpoint.unsentBytes > 0 {
      let bytes = endpoint.withOutgoing { span in span.withUnsafeBytes { Array($0) } }
      endpoint.sent(bytes.count)
      taken += bytes
    }
    return taken
  }
}
