// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import Testing

@testable import Bluebonnet

/// Runs what the article *WebSockets* shows.
@Suite struct WebSocketExamplesTests {
  private let origin: Origin

  init() throws {
    origin = try Origin.start()
  }

  private var url: String { "ws" + origin.baseURL.dropFirst(4) + "/websocket/echo" }

  @Test func events() async {
    let socket = WebSocketExamples.events(url)
    await Eventually.expect("It is open.") { socket.response?.statusCode == 101 }
    #expect(origin.requests.first?.values("Sec-WebSocket-Protocol") == ["chat"])
    await Eventually.expect("The answer has come.") { socket.task?.countOfBytesReceived == 5 }
    socket.close(sending: .normalClosure)
    await Eventually.expect("It is over.") { socket.task?.state == .completed }
    #expect(socket.error == nil)
  }

  @Test(.timeLimit(.minutes(5))) func messages() async throws {
    try await WebSocketExamples.messages(url)
    #expect(origin.requests.count == 1)
  }

  @Test func pings() {
    #expect(WebSocketExamples.pings(url).configuration.pingInterval == 30)
  }
}
