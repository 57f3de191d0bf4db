// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetWireVectors
import Testing

@Suite struct LimitTests {
  let limits = ParserLimits(headBytes: 100, fieldCount: 3, lineBytes: 40)

  private func verdict(_ text: String) -> Transcript.Verdict {
    let bytes = Array(text.utf8)
    #expect(Subject.response(.head).disagreement(bytes, limits: limits) == nil, "\(text)")
    return Subject.response(.head).transcript(bytes, limits: limits).verdict
  }

  private func pad(_ count: Int) -> String { String(repeating: "x", count: count) }

  @Test func lines() {
    #expect(verdict("HTTP/1.1 200 OK\r\nA: \(pad(37))\r\n\r\n") == .complete)
    #expect(
      verdict("HTTP/1.1 200 OK\r\nA: \(pad(38))\r\n\r\n") == .reject(HTTP1Error(.lineTooLong, offset: 57)))
    #expect(
      verdict("HTTP/1.1 200 OK\r\n\(pad(41)): \r\n\r\n") == .reject(HTTP1Error(.lineTooLong, offset: 57)))
    #expect(verdict("HTTP/1.1 200 OK\r\nA:\(pad(60))\n") == .reject(HTTP1Error(.lineTooLong, offset: 57)))
    #expect(verdict("HTTP/1.1 200 \(pad(28))\r\n\r\n") == .reject(HTTP1Error(.lineTooLong, offset: 40)))
  }

  @Test func aTargetThatIsWrongAndTooLongIsTooLongWhereverItIsCut() {
    let bytes = Array("GET \(pad(80)) HTTP/1.1\r\n\r\n".utf8)
    let limits = ParserLimits(lineBytes: 72)
    let refused = Transcript.Verdict.reject(HTTP1Error(.lineTooLong, offset: 72))
    #expect(Subject.request.transcript(bytes, limits: limits).verdict == refused)
    #expect(Subject.request.disagreement(bytes, limits: limits) == nil)
  }

  @Test func fields() {
    #expect(verdict("HTTP/1.1 200 OK\r\nA:\r\nB:\r\nC:\r\n\r\n") == .complete)
    #expect(
      verdict("HTTP/1.1 200 OK\r\nA:\r\nB:\r\nC:\r\nD:\r\n\r\n")
        == .reject(HTTP1Error(.tooManyFields, offset: 29)))
  }

  @Test func heads() {
    let start = "HTTP/1.1 200 OK\r\nA: \(pad(36))\r\n"  // 58 bytes
    #expect(verdict(start + "B: \(pad(35))\r\n\r\n") == .complete)
    #expect(verdict(start + "B: \(pad(36))\r\n\r\n") == .reject(HTTP1Error(.headTooLong, offset: 100)))
    #expect(verdict(start + "B: \(pad(37))\r\n\r\n") == .reject(HTTP1Error(.headTooLong, offset: 100)))
  }

  @Test func emptyLinesBeforeARequestCount() {
    let bytes = Array(String(repeating: "\r\n", count: 60).utf8)
    let result = Subject.request.transcript(bytes, limits: limits)
    #expect(result.verdict == .reject(HTTP1Error(.headTooLong, offset: 100)))
    #expect(Subject.request.disagreement(bytes, limits: limits) == nil)
  }
}
