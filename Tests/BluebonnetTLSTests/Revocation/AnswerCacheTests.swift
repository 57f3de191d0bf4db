// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetTLS

@Suite struct AnswerCacheTests {
  @Test func keepsForAsLongAsItHolds() {
    var cache = AnswerCache<Int, String>(limit: 10)
    cache.insert("a", for: 1, validUntil: 100, at: 50)
    #expect(cache.value(for: 1, at: 99) == "a")
    #expect(cache.value(for: 1, at: 100) == nil)
    #expect(cache.count == 0)
    cache.insert("over", for: 2, validUntil: 40, at: 50)
    cache.insert("for the moment", for: 3, validUntil: nil, at: 50)
    #expect(cache.count == 0)
  }

  @Test func whatIsOverGoesFirstThenWhatIsNotUsed() {
    var cache = AnswerCache<Int, Int>(limit: 3)
    for key in 1...3 { cache.insert(key, for: key, validUntil: key == 2 ? 60 : 100, at: 50) }
    cache.insert(4, for: 4, validUntil: 100, at: 70)
    #expect((1...4).map { cache.value(for: $0, at: 70) } == [1, nil, 3, 4])
    _ = cache.value(for: 1, at: 70)
    cache.insert(5, for: 5, validUntil: 100, at: 70)
    #expect((1...5).map { cache.value(for: $0, at: 70) } == [1, nil, nil, 4, 5])
    cache.insert(6, for: 5, validUntil: 100, at: 70)
    #expect(cache.count == 3)
    #expect(cache.value(for: 5, at: 70) == 6)
  }
}
