// SPDX-License-Identifier: MIT
import Testing

/// Random orders of events, with a fixed seed, so that a failure can be repeated: what the fuzzer does, within seconds.
@Suite struct RandomEventsTests {
  static let words = [
    "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early\r\n\r\n",
    "HTTP/1.0 413 Large\r\n",
    "HTTP/1.1 101 Switch\r\n\r\n", "HTTP/1.1 417 No\r\nConnection: close\r\n", "HTTP/1.1 204 None\r\n\r\n",
    "Content-Length: 3\r\n\r\nabc", "Content-Length: 0\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n",
    "3\r\nabc\r\n",
    "0\r\n\r\n", "Connection: close\r\n", "\r\n", "\n", "abc",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
  ].map { Array($0.utf8) }

  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func anyOrderOfEventsKeepsTheInvariant(seed: UInt64) {
    var state = seed
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    for _ in 0..<5000 {
      var input = [UInt8(random(64)), UInt8(random(256)), UInt8(random(256))]
      // Mostly what a client does; sometimes what it must not.
      let events = (0..<random(24)).map { _ in
        UInt8(random(32) << 3 | [0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 6, 7][random(13)])
      }
      input.append(UInt8(events.count))
      input += events
      for _ in 0..<1 + random(6) { input += Self.words[random(Self.words.count)] }
      if let violation = Invariant.exchange.violation(input) {
        Issue.record("\(violation): \(input)")
        return
      }
    }
  }
}
