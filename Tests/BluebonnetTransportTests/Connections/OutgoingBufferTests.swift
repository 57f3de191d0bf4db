import Testing

@testable import BluebonnetTransport

@Suite struct OutgoingBufferTests {
  private func append(_ bytes: [UInt8], to buffer: inout OutgoingBuffer) {
    bytes.withUnsafeBytes { buffer.append($0) }
  }

  @Test func keepsTheOrderOverGrowthAndPartialSends() {
    var buffer = OutgoingBuffer()
    var expected: [UInt8] = []
    var sent: [UInt8] = []
    for round in 0..<200 {
      let piece = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: round * 37)
      expected += piece
      append(piece, to: &buffer)
      let count = buffer.readable.count / 2
      sent += buffer.readable.prefix(count)
      buffer.sent(count)
    }
    sent += buffer.readable
    #expect(sent == expected)
  }

  @Test func holdsNothingAfterReset() {
    var buffer = OutgoingBuffer()
    append([1, 2, 3], to: &buffer)
    buffer.reset()
    let isEmpty = buffer.isEmpty
    #expect(isEmpty)
    append([4], to: &buffer)
    #expect(Array(buffer.readable) == [4])
  }
}
