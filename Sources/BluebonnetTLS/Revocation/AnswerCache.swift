// SPDX-License-Identifier: MIT

/// Answers for as long as they hold, up to a number: the one unused for longest goes first.
package struct AnswerCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Entry {
    let value: Value
    let validUntil: Int64
    var lastUse: UInt64
  }

  private let limit: Int
  private var entries: [Key: Entry] = [:]
  private var uses: UInt64 = 0

  package init(limit: Int) {
    self.limit = max(limit, 1)
  }

  package var count: Int { entries.count }

  /// - Parameters:
  ///   - validUntil: In seconds since 1970; what holds at the moment only is not kept.
  ///   - now: In seconds since 1970.
  package mutating func insert(_ value: Value, for key: Key, validUntil: Int64?, at now: Int64) {
    guard let validUntil, now < validUntil else { return }
    uses += 1
    if entries[key] == nil, entries.count >= limit {
      entries = entries.filter { now < $0.value.validUntil }
      if entries.count >= limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
        entries[oldest.key] = nil
      }
    }
    entries[key] = Entry(value: value, validUntil: validUntil, lastUse: uses)
  }

  /// - Parameter now: In seconds since 1970.
  package mutating func value(for key: Key, at now: Int64) -> Value? {
    guard let entry = entries[key] else { return nil }
    guard now < entry.validUntil else {
      entries[key] = nil
      return nil
    }
    uses += 1
    entries[key]?.lastUse = uses
    return entry.value
  }
}
