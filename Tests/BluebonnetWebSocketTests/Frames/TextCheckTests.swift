// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

@testable import BluebonnetWebSocket

@Suite struct TextCheckTests {
  /// The standard library decides, of random bytes that are mostly nearly UTF-8.
  @Test func agreesWithTheStandardLibrary() {
    var random = SeededGenerator(seed: 4)
    let parts: [[UInt8]] = [
      [0x61], Array("abcdefghij".utf8), [0xC3, 0xA9], [0xE2, 0x82, 0xAC], [0xED, 0x9F, 0xBF],
      [0xEE, 0x80, 0x80],
      [0xF0, 0x90, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF], [0xE0, 0xA0, 0x80],
    ]
    for round in 0..<20_000 {
      var bytes = (0..<Int.random(in: 0...4, using: &random)).flatMap { _ in
        parts.randomElement(using: &random) ?? []
      }
      if round % 2 == 0, !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        bytes[index] = UInt8.random(in: 0x78...255, using: &random)
      }
      let isText = String(validating: bytes, as: UTF8.self) != nil
      let cut = Int.random(in: 0...bytes.count, using: &random)
      var check = TextCheck()
      let taken = bytes.withUnsafeBytes { all in
        check.take(UnsafeRawBufferPointer(rebasing: all[..<cut]))
          && check.take(UnsafeRawBufferPointer(rebasing: all[cut...]))
      }
      #expect((taken && check.isBetweenCharacters) == isText, "\(bytes), cut at \(cut)")
    }
  }
}
