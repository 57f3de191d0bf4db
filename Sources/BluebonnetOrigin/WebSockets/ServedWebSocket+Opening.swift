// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetWebSocket

extension ServedWebSocket {
  /// The answer to a request for a WebSocket.
  enum Opening {
    /// The bytes of the 101, and the WebSocket behind it.
    case accepted([UInt8], ServedWebSocket)
    case refused(Reply)

    /// Nil for a request that is none.
    ///
    /// `/websocket?closeCode=&closeDelay=`, `/websocket/payloads/:n`, `/websocket/echo` and `/websocket/ping/:n`; the first of
    /// the subprotocols that are asked for is taken.
    init?(_ request: IncomingRequest) {
      guard request.path.first == "websocket", request.field("upgrade") != nil else { return nil }
      guard let behavior = Behavior(request) else {
        self = .refused(.refusal(404, "no such WebSocket"))
        return
      }
      do throws(WebSocketError) {
        let acceptance = try WebSocketAcceptance(
          method: request.method, compression: WebSocketCompression(), choosing: \.first
        ) { name in
          request.fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        }
        var head = "HTTP/1.1 101 Switching Protocols\r\n"
        for (name, value) in acceptance.fields { head += "\(name): \(value)\r\n" }
        self = .accepted(
          Array((head + "\r\n").utf8),
          ServedWebSocket(acceptance.agreement, behavior: behavior, payload: request.echo.bytes))
      } catch {
        self = .refused(
          error.rule == .unsupportedVersion
            ? .refusal(426, "\(error)").adding("Sec-WebSocket-Version", "13") : .refusal(400, "\(error)"))
      }
    }
  }
}

extension ServedWebSocket.Behavior {
  /// Nil for a path that is no endpoint.
  fileprivate init?(_ request: IncomingRequest) {
    let path = request.path
    let code = WebSocketCloseCode(rawValue: request.queryItem("closeCode").flatMap { UInt16($0) } ?? 1000)
    let delay = request.queryItem("closeDelay").flatMap { Int($0) } ?? 30
    switch (path.dropFirst().first, path.count) {
    case (nil, 1): self = .says(count: 1, closing: code, afterMilliseconds: min(max(delay, 0), 10_000))
    case ("echo", 2): self = .echoes
    case ("payloads", 3):
      guard let count = Int(path[2]), (0...1000).contains(count) else { return nil }
      self = .says(count: count, closing: .normalClosure, afterMilliseconds: 0)
    case ("ping", 3):
      guard let count = Int(path[2]), count > 0 else { return nil }
      self = .countsPings(count)
    default: return nil
    }
  }
}
