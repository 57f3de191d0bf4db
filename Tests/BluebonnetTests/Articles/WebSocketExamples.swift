// SPDX-License-Identifier: MIT

// The code of the article *WebSockets*, word for word; `WebSocketExamplesTests` runs it.

import Bluebonnet
import BluebonnetFoundation

enum WebSocketExamples {
  static func events(_ url: String) -> WebSocketRequest {
    let socket = AF.webSocketRequest(to: url, configuration: .protocol("chat"))
    socket.streamMessageEvents { event in
      switch event.kind {
      case .connected(let name): print("open, speaking \(name ?? "anything")")
      case .receivedMessage(.string(let text)): print(text)
      case .receivedMessage(.data(let data)): print("\(data.count) bytes")
      case .disconnected(let code, _): print("closed by the server: \(code.rawValue)")
      case .completed(let completion): print("over: \(completion.error.map { "\($0)" } ?? "well")")
      }
    }
    socket.send(.string("hello")) { result in print(result) }
    return socket
  }

  static func messages(_ url: String) async throws {
    let chat = AF.webSocketRequest(to: url).webSocketTask()
    try await chat.send(.string("hello"))
    for await message in chat.streamingMessages() {
      print(message)
      chat.close(sending: .normalClosure)
    }
  }

  static func pings(_ url: String) -> WebSocketRequest {
    let configuration = URLSessionConfiguration.af.default
    configuration.webSocketCompression = nil
    let quiet = Session(configuration: configuration)
    let pinged = quiet.webSocketRequest(to: url, configuration: .pingInterval(30))
    return pinged
  }
}
