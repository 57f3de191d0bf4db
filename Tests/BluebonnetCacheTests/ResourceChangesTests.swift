// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetCache

/// What was asked for before a resource changed is not kept (RFC 9111 §4.4).
@Suite struct ResourceChangesTests {
  private func key(_ number: Int) -> StoredResponse.Key { .init(method: "GET", target: "http://a/\(number)") }

  @Test func whatCameBeforeAndWhatCameAfter() {
    var changes = ResourceChanges()
    #expect(!changes.hasChanged(key(1), since: 5))
    changes.note(key(1), at: 10)
    #expect(changes.hasChanged(key(1), since: 9))
    #expect(changes.hasChanged(key(1), since: 10))
    #expect(!changes.hasChanged(key(1), since: 11))
    #expect(!changes.hasChanged(key(2), since: 9))
    #expect(!changes.hasChanged(key(1), since: .infinity))
  }

  /// Where there are too many to remember, all count as changed when the last of them was.
  @Test func memoryIsBounded() {
    var changes = ResourceChanges()
    for number in 0...ResourceChanges.limit { changes.note(key(number), at: Double(number)) }
    let last = Double(ResourceChanges.limit)
    #expect(changes.hasChanged(key(0), since: 0))
    #expect(changes.hasChanged(key(-1), since: last - 1))
    #expect(!changes.hasChanged(key(-1), since: last))
    #expect(changes.hasChanged(key(ResourceChanges.limit), since: last))
  }
}
