// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetTestSupport
import Testing

/// WebSockets through every proxy, which are asked for by CONNECT also in plain (RFC 6455 §4.1).
@Suite(.enabled(if: RealServer.squid.isPresent, "squid does not run"))
struct WebSocketMatrixTests {
  @Test func everyFieldIsAnswered() async {
    var matrix = Matrix("WebSockets", ["scheme", "proxy", "ws", "wss"])
    for proxy in ProxyMatrixTests.proxies {
      matrix.row(
        [proxy.scheme.rawValue, proxy.name],
        [RealServer.websockets, .websocketsTLS].map { origin in { try await faults(proxy, to: origin) } })
    }
    await matrix.judge()
  }

  private func faults(_ proxy: MatrixProxy, to origin: RealServer) async throws -> [String] {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 20
    if let authority = RealServer.authority { configuration.trustAnchors = .file(path: authority) }
    try proxy.apply(to: configuration, as: proxy.scheme.credential)
    let session = URLSession(configuration: configuration)
    defer { session.finishTasksAndInvalidate() }
    let task = session.webSocketTask(with: try #require(URL(string: origin.url("/echo"))))
    task.resume()
    defer { task.cancel() }
    for text in ["petals", String(repeating: "€", count: 30_000)] {
      try await task.send(.string(text))
      if try await task.receive() != .string(text) { return ["another message"] }
    }
    return []
  }
}
