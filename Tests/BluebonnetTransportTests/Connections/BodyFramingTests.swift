import Testing

@testable import BluebonnetTransport

@Suite struct BodyFramingTests {
  /// Answers with what it was told to, in turn.
  private final class Script: BodySource, @unchecked Sendable {  // used from one test on one thread
    let length: Int?
    var answers: [BodyReading]

    init(length: Int?, _ answers: [BodyReading]) {
      self.length = length
      self.answers = answers
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyReading {
      let answer = answers.removeFirst()
      if case .bytes(let count) = answer {
        for index in 0..<count { buffer[index] = UInt8(ascii: "x") }
      }
      return answer
    }

    func rewind() -> Bool { false }
  }

  private func frame(_ source: Script, steps: Int) -> (text: String, outcomes: [String]) {
    var framing = BodyFraming(source)
    var buffer = OutgoingBuffer()
    var outcomes: [String] = []
    for _ in 0..<steps {
      switch framing.stage(into: &buffer) {
      case .staged(let count): outcomes.append("staged \(count)")
      case .later: outcomes.append("later")
      case .finished: outcomes.append("finished")
      case .failed: outcomes.append("failed")
      }
    }
    return (String(decoding: buffer.readable, as: UTF8.self), outcomes)
  }

  @Test func aCountedBodyGoesOutAsItIs() {
    let (text, outcomes) = frame(Script(length: 5, [.bytes(2), .bytes(3)]), steps: 3)
    #expect(text == "xxxxx")
    #expect(outcomes == ["staged 2", "staged 3", "finished"])
  }

  @Test func aBodyShorterThanAnnouncedFails() {
    let (_, outcomes) = frame(Script(length: 5, [.bytes(2), .end]), steps: 2)
    #expect(outcomes == ["staged 2", "failed"])
  }

  @Test func anUncountedBodyGoesOutInChunks() {
    let (text, outcomes) = frame(
      Script(length: nil, [.bytes(3), .later, .bytes(17), .end]), steps: 4)
    #expect(text == "3\r\nxxx\r\n11\r\n\(String(repeating: "x", count: 17))\r\n0\r\n\r\n")
    #expect(outcomes == ["staged 3", "later", "staged 17", "finished"])
  }

  @Test func aFailingSourceSaysSo() {
    let (_, outcomes) = frame(Script(length: nil, [.failed("disk")]), steps: 1)
    #expect(outcomes == ["failed"])
  }
}
