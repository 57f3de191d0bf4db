// SPDX-License-Identifier: MIT
import Bluebonnet
import Foundation

/// One member's side: sends lines, and hands on all that arrive.
struct Client: Sendable {
  private let socket: WebSocketTask

  /// - Parameter room: `ws://…/room` or `wss://…/room`.
  init(name: String, room: URL, session: Session = AF) {
    let url = room.appending(queryItems: [URLQueryItem(name: "name", value: name)])
    socket = session.webSocketRequest(to: url, configuration: .pingInterval(30)).webSocketTask()
  }

  /// Reads until the connection is over.
  ///
  /// - Throws: An `AFError` if it could not be opened, or broke; `Left` if the server has closed it with another code than 1000.
  func read(_ take: (Line) async -> Void) async throws {
    for await event in socket.streamingDecodableEvents(Line.self) {
      switch event.kind {
      case .connected: break
      case .receivedMessage(let line): await take(line)
      // A line of a later version of the server: the others are good.
      case .serializerFailed(let error): log("not a line: \(error)")
      case .disconnected(let code, let reason):
        if code != .normalClosure { throw Left(code: code.rawValue, reason: reason) }
      case .completed(let completion): if let error = completion.error { throw error }
      }
    }
  }

  /// Waits until the connection is open and the line is on its way.
  func send(_ text: String) async throws { try await socket.send(.string(text)) }

  func close() { socket.close(sending: .normalClosure) }

  /// The server's reason to end the chat.
  struct Left: Error, CustomStringConvertible {
    let code: Int
    let reason: Data?

    var description: String {
      let words = reason.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""
      return "the server has closed the room: \(code)\(words)"
    }
  }
}

/// The lines of standard input, read on a thread of its own, because that blocks.
func inputLines() -> AsyncStream<String> {
  let (lines, continuation) = AsyncStream.makeStream(of: String.self)
  Thread.detachNewThread {
    while let line = readLine() { continuation.yield(line) }
    continuation.finish()
  }
  return lines
}
