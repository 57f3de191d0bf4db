// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// The consumers of the parts of a stream, and the parts that they have in hand.
struct PartFlow<Consumer> {
  /// The task rests above this many bytes in hand, as many as a fast connection delivers in a few
  /// milliseconds, and goes on below a quarter of it.
  static var highWater: Int { 1 << 19 }
  /// The least that a consumer has asked for, or as much as usual.
  var limit = Self.highWater

  private(set) var consumers: [Consumer] = []
  private var bytesInHand = 0
  private var partsInHand = 0
  private(set) var isResting = false
  /// Further parts will be asked for: actions wait for those, too.
  var expectsMore = false
  private var waiting: [@Sendable () -> Void] = []

  mutating func add(_ consumer: Consumer) {
    consumers.append(consumer)
  }

  /// A part arrived. Returns its consumers and whether the task has to rest now.
  mutating func begin(_ count: Int) -> (consumers: [Consumer], rests: Bool) {
    bytesInHand += count * consumers.count
    partsInHand += consumers.count
    if bytesInHand > limit { isResting = true }
    // Also if the last attempt's task rested: this one's is another.
    return (consumers, isResting)
  }

  /// A consumer has been given a part. Says what waited for the last one.
  mutating func handOver() -> [@Sendable () -> Void] {
    partsInHand -= 1
    return takeWaiting()
  }

  /// A consumer is done with so many bytes. Says whether the task goes on.
  mutating func consume(_ count: Int) -> Bool {
    bytesInHand -= count
    guard isResting, bytesInHand < max(1, limit / 4) else { return false }
    isResting = false
    return true
  }

  /// Whether a slow reader holds the stream back. Beside other consumers none does: reading one sequence
  /// after the other must not wait for itself.
  var holdsBackForReaders: Bool { consumers.count == 1 }

  /// True when `action` has to wait, and will be handed out when everything that has come has been handed over.
  mutating func wait(for action: @escaping @Sendable () -> Void) -> Bool {
    guard expectsMore || partsInHand > 0 else { return false }
    waiting.append(action)
    return true
  }

  mutating func takeWaiting() -> [@Sendable () -> Void] {
    guard !expectsMore, partsInHand == 0 else { return [] }
    defer { waiting = [] }
    return waiting
  }
}

/// The consumers of a streamed body. Its task goes on by itself.
typealias StreamFlow = PartFlow<@Sendable (Data, URLSessionTask) -> Void>
