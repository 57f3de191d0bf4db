// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import Testing

/// Identifiers that need no descriptor.
@Suite struct RandomUUIDTests {
  @Test func theyDiffer() {
    #expect(Set((0..<1000).map { _ in UUID.random() }).count == 1000)
  }

  @Test func versionAndVariantAreThoseOfARandomOne() {
    for _ in 0..<100 {
      let bytes = UUID.random().uuid
      #expect(bytes.6 >> 4 == 4)
      #expect(bytes.8 >> 6 == 2)
    }
  }
}
