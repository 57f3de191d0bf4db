// SPDX-License-Identifier: MIT

/// Waiters in order. Joining at either end, leaving from anywhere and being served take constant time, however many wait.
///
/// A list over a table of slots, and an index from keys to slots.
struct WaitingQueue<Key: Hashable, Value> {
  private struct Slot {
    /// Nil while the slot is free: a waiter that has left is not kept.
    var waiter: (key: Key, value: Value)?
    /// In order of arrival.
    var number = 0
    var previous: Int?
    /// In a free slot the next free one.
    var next: Int?
  }

  private var slots: [Slot] = []
  private var places: [Key: Int] = [:]
  private var head: Int?
  private var tail: Int?
  private var free: Int?
  /// Of the last one that joined behind others, and of the last one that joined before them.
  private var last = 0
  private var foremost = 0

  var count: Int { places.count }
  var isEmpty: Bool { head == nil }

  /// The next waiter to be served.
  var first: (key: Key, value: Value)? { head.flatMap { slots[$0].waiter } }

  /// Joins behind the last one that is not overtaken. A key waits once only.
  mutating func append(_ key: Key, _ value: Value, overtaking overtakes: (Key) -> Bool = { _ in false }) {
    var previous = tail
    while let place = previous, let other = slots[place].waiter, overtakes(other.key) {
      previous = slots[place].previous
    }
    last += 1
    insert(key, value, behind: previous, last)
  }

  /// Joins before all others.
  mutating func prepend(_ key: Key, _ value: Value) {
    foremost -= 1
    insert(key, value, behind: nil, foremost)
  }

  mutating func removeFirst() -> (key: Key, value: Value)? {
    guard let head, let first = slots[head].waiter else { return nil }
    places[first.key] = nil
    unlink(head)
    return first
  }

  /// - Returns: whether the key was waiting.
  mutating func remove(_ key: Key) -> Bool {
    guard let place = places.removeValue(forKey: key) else { return false }
    unlink(place)
    return true
  }

  /// Puts one that may wait where it belongs: before those that it is more urgent than, and among equals in order of
  /// arrival.
  mutating func move(_ key: Key, isMoreUrgent: (Key, Key) -> Bool) {
    guard head != tail, let place = places[key], let waiter = slots[place].waiter else { return }
    let number = slots[place].number
    _ = remove(key)
    var previous = tail
    while let place = previous, let other = slots[place].waiter,
      isMoreUrgent(key, other.key) || slots[place].number > number && !isMoreUrgent(other.key, key)
    {
      previous = slots[place].previous
    }
    insert(key, waiter.value, behind: previous, number)
  }

  private mutating func insert(_ key: Key, _ value: Value, behind previous: Int?, _ number: Int) {
    assert(places[key] == nil, "it waits already")
    let next = previous.map { slots[$0].next } ?? head
    let place: Int
    let slot = Slot(waiter: (key, value), number: number, previous: previous, next: next)
    if let unused = free {
      place = unused
      free = slots[unused].next
      slots[unused] = slot
    } else {
      place = slots.count
      slots.append(slot)
    }
    places[key] = place
    if let previous { slots[previous].next = place } else { head = place }
    if let next { slots[next].previous = place } else { tail = place }
  }

  private mutating func unlink(_ place: Int) {
    let (previous, next) = (slots[place].previous, slots[place].next)
    if let previous { slots[previous].next = next } else { head = next }
    if let next { slots[next].previous = previous } else { tail = previous }
    slots[place] = Slot(next: free)
    free = place
    // A rush leaves nothing behind.
    if head == nil { self = WaitingQueue() }
  }
}
