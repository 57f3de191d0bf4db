// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import Foundation

/// A server inside this process that loses its connection twice, and a reader that misses nothing.
enum Demo {
  private static let events = ["rain", "sun", "rain and sun", "rainbow", "night"]

  /// The events behind the one that the client has seen, and then: a broken connection, the end of a stream in the middle of an
  /// event, the end of everything.
  private static func reply(to request: RecordedRequest) -> ScriptedReply {
    let seen = request.value("Last-Event-ID").flatMap { Int($0) } ?? 0
    guard seen < events.count else { return .text("HTTP/1.1 204 No Content\r\n\r\n") }
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    var steps = [ScriptedReply.Step.bytes(Array(head.utf8)), chunk(": hello\nretry: 200\n\n")]
    for id in (seen + 1)...min(seen + 2, events.count) {
      steps += [.pause(milliseconds: 50), chunk("id: \(id)\nevent: weather\ndata: \(events[id - 1])\n\n")]
    }
    if seen == 0 { return ScriptedReply(steps + [.abruptClose]) }
    return ScriptedReply(steps + [chunk("id: 99\ndata: half an ev"), .bytes(Array("0\r\n\r\n".utf8))])
  }

  private static func chunk(_ text: String) -> ScriptedReply.Step {
    .bytes(Array("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n".utf8))
  }

  static func run() async throws {
    let origin = try Origin.start()
    origin.handle("/weather") { reply(to: $0) }
    guard let url = URL(string: origin.baseURL + "/weather") else { throw URLError(.badURL) }
    let reader = Reader(session: AF, url: url, bookmark: nil, reconnection: .init(attemptLimit: 3))
    try await reader.run { show($0) }
    say("The server has ended the stream.")
    let places = origin.requests.map { $0.value("Last-Event-ID") ?? "none" }
    say("\(places.count) connections, Last-Event-ID: \(places.joined(separator: ", "))")
  }
}
