// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

@testable import BluebonnetWebSocket

@Suite struct MaskTests {
  /// Eight at a time or one by one, in any pieces: RFC 6455 §5.3, byte by byte.
  @Test func masksEachByteWithItsOwnOfTheKey() {
    var random = SeededGenerator(seed: 3)
    for count in 0...70 {
      let bytes = random.bytes(count)
      let key = random.bytes(4)
      let expected = bytes.enumerated().map { $1 ^ key[$0 % 4] }
      let word = key.withUnsafeBytes { $0.load(as: UInt32.self) }
      for cut in 0...count {
        var (mask, result) = (Mask(word), bytes)
        result.withUnsafeMutableBytes { all in
          mask.apply(to: UnsafeMutableRawBufferPointer(rebasing: all[..<cut]))
          mask.apply(to: UnsafeMutableRawBufferPointer(rebasing: all[cut...]))
        }
        #expect(result == expected, "\(count) bytes, cut at \(cut)")
      }
    }
  }

  /// No two frames have the same key, and all of them come from the source.
  @Test func eachFrameHasAKeyOfItsOwn() throws {
    var endpoint = client()
    for _ in 0..<3 { try endpoint.say([0, 0, 0, 0]) }
    let wire = endpoint.flush()
    let keys = (0..<3).map { Array(wire[($0 * 10 + 2)..<($0 * 10 + 6)]) }
    #expect(Set(keys).count == 3)
    // A zero masked is the key itself.
    for (index, key) in keys.enumerated() {
      #expect(Array(wire[(index * 10 + 6)..<(index * 10 + 10)]) == key)
    }
    var random = SeededGenerator(seed: 1)
    let first = random.next()
    #expect(withUnsafeBytes(of: UInt32(truncatingIfNeeded: first)) { Array($0) } == keys[0])
    #expect(withUnsafeBytes(of: UInt32(truncatingIfNeeded: first >> 32)) { Array($0) } == keys[1])
  }
}
