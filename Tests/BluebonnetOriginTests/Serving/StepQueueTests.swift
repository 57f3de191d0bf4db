// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetOrigin

@Suite struct StepQueueTests {
  private func bytes(_ steps: [ScriptedReply.Step], pieces: Int = .max) -> (bytes: [UInt8], longest: Int) {
    var queue = StepQueue(steps)
    var bytes: [UInt8] = []
    var longest = 0
    var count = 0
    while count < pieces, case .send(let piece) = queue.next() {
      bytes += piece
      longest = max(longest, piece.count)
      count += 1
    }
    return (bytes, longest)
  }

  @Test(arguments: [0, 1, 3, 65_535, 65_536, 65_537, 200_000])
  func bytesComeWhole(count: Int) {
    let content = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let sent = bytes([.bytes(content)])
    #expect(sent.bytes == content)
    #expect(sent.longest <= StepQueue.pieceSize)
  }

  @Test(
    arguments: [0, 1, 5, 70_000, 300_001],
    [[7], [1, 2, 3], (0..<251).map { UInt8($0) }, Array(repeating: 9, count: 70_000)])
  func patternsComeToTheirCount(count: Int, pattern: [UInt8]) {
    let sent = bytes([.repeating(pattern, count: count)]).bytes
    #expect(sent.count == count)
    #expect(sent.indices.allSatisfy { sent[$0] == pattern[$0 % pattern.count] })
  }

  @Test func endlessPatternsDoNotEnd() {
    #expect(bytes([.repeating([1], count: nil)], pieces: 50).bytes.count == 50 * StepQueue.pieceSize)
  }

  @Test func emptyPatternsEnd() {
    #expect(bytes([.repeating([], count: nil), .bytes([1])]).bytes == [1])
  }

  @Test func composing() {
    let reply = ScriptedReply.response(status: 201, reason: "Made", fields: [("A", "b")], body: "hello".utf8)
    let whole = "HTTP/1.1 201 Made\r\nA: b\r\nContent-Length: 5\r\n\r\nhello"
    #expect(reply == .text(whole))
    #expect(reply.cut(after: 10, then: .reset).steps == [.bytes(Array(whole.utf8.prefix(10))), .reset])
    #expect(
      ScriptedReply.text("abc").dripping(size: 2, every: 5).steps
        == [.bytes([97, 98]), .pause(milliseconds: 5), .bytes([99]), .pause(milliseconds: 5)])
  }

  /// RFC 9110 §8.6.
  @Test(arguments: [
    (101, false), (199, false), (200, true), (204, false), (205, true), (304, false), (404, true),
  ])
  func statusesWithoutContent(status: Int, hasLength: Bool) {
    #expect(
      ScriptedReply.response(status: status)
        == .text("HTTP/1.1 \(status) \r\n\(hasLength ? "Content-Length: 0\r\n" : "")\r\n"))
    // What is asked for is written.
    #expect(
      ScriptedReply.response(status: status, fields: [("content-length", "7")])
        == .text("HTTP/1.1 \(status) \r\ncontent-length: 7\r\n\r\n"))
  }
}
