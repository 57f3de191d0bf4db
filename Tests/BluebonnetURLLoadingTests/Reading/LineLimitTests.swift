// SPDX-License-Identifier: MIT
import BluebonnetURLLoading
import Testing

/// A separator of several bytes does not count against the limit of the line that it ends.
@Suite struct LineLimitTests {
  private func lines(_ bytes: [UInt8], ofAtMost limit: Int) async throws -> [String] {
    let source = AsyncStream { continuation in
      for byte in bytes { continuation.yield(byte) }
      continuation.finish()
    }
    var lines: [String] = []
    for try await line in source.lines(ofAtMost: limit) { lines.append(line) }
    return lines
  }

  @Test(
    arguments: [
      [0x0A], [0x0D], [0x0D, 0x0A], [0xC2, 0x85], [0xE2, 0x80, 0xA8], [0xE2, 0x80, 0xA9],
    ] as [[UInt8]], 0..<4)
  func aSeparatorIsNoPartOfItsLine(_ separator: [UInt8], over: Int) async throws {
    let text = [UInt8](repeating: 0x61, count: 3)
    let bytes = text + separator + [0x62]
    if over < 3 {
      await #expect(throws: URLError.self) { try await lines(bytes, ofAtMost: over) }
    } else {
      #expect(try await lines(bytes, ofAtMost: over) == ["aaa", "b"])
      #expect(try await lines(bytes, ofAtMost: over + 1) == ["aaa", "b"])
    }
  }

  @Test func whatOnlyBeginsLikeOneCounts() async throws {
    #expect(try await lines([0x61, 0xE2, 0x80, 0x94], ofAtMost: 4) == ["a—"])
    await #expect(throws: URLError.self) { try await lines([0x61, 0xE2, 0x80, 0x94], ofAtMost: 3) }
    await #expect(throws: URLError.self) { try await lines([0x61], ofAtMost: -1) }
    #expect(try await lines([], ofAtMost: -1).isEmpty)
  }
}
