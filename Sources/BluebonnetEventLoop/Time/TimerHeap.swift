// SPDX-License-Identifier: MIT

/// Pending timers ordered by deadline, and by age among equal deadlines.
///
/// A binary heap of small entries over a table of slots that remember where their entry is, so that scheduling and
/// cancelling are O(log n) and leave nothing behind.
struct TimerHeap<Payload> {
  private struct Entry {
    var deadline: MonotonicTime
    var age: UInt64
    var slot: UInt32

    func precedes(_ other: Entry) -> Bool {
      deadline != other.deadline ? deadline < other.deadline : age < other.age
    }
  }

  private struct Slot {
    var generation: UInt32 = 0
    /// Index of the entry in `entries`; of a free slot, the next free one, or -1.
    var position: Int
    var payload: Payload?
  }

  private var entries: [Entry] = []
  private var slots: [Slot] = []
  private var firstFree = -1
  private var nextAge: UInt64 = 0

  init() {}

  var count: Int { entries.count }

  /// The deadline of the timer that is due first.
  var earliest: MonotonicTime? { entries.first?.deadline }

  mutating func schedule(at deadline: MonotonicTime, _ payload: Payload) -> TimerToken {
    let index = firstFree
    guard index >= 0 else { return schedule(at: deadline, inNewSlot: payload) }
    let (slot, generation) = (UInt32(index), slots[index].generation)
    firstFree = slots[index].position
    slots[index] = Slot(generation: generation, position: entries.count, payload: payload)
    entries.append(Entry(deadline: deadline, age: nextAge, slot: slot))
    nextAge += 1
    if entries.count > 1 { siftUp(entries.count - 1) }
    return TimerToken(slot: slot, generation: generation)
  }

  /// Removes the timer and returns its payload; nil if it has fired, was cancelled, or is not one of ours.
  @discardableResult
  mutating func cancel(_ token: TimerToken) -> Payload? {
    let index = Int(token.slot)
    guard index < slots.count, slots[index].generation == token.generation, slots[index].payload != nil
    else { return nil }
    return remove(at: slots[index].position)
  }

  /// Removes and returns the first timer with a deadline not after `now`.
  mutating func popDue(at now: MonotonicTime) -> Payload? {
    guard let first = entries.first, first.deadline <= now else { return nil }
    return remove(at: 0)
  }

  private mutating func schedule(at deadline: MonotonicTime, inNewSlot payload: Payload) -> TimerToken {
    firstFree = slots.count
    slots.append(Slot(position: -1))
    return schedule(at: deadline, payload)
  }

  private mutating func remove(at position: Int) -> Payload? {
    let slot = entries[position].slot
    let last = entries.removeLast()
    if position < entries.count {
      entries[position] = last
      slots[Int(last.slot)].position = position
      siftDown(position)
      siftUp(position)
    }
    let index = Int(slot)
    let payload = slots[index].payload.take()
    // A new generation for each use of the slot makes every older token void.
    slots[index] = Slot(generation: slots[index].generation &+ 1, position: firstFree, payload: nil)
    firstFree = index
    return payload
  }

  private mutating func siftUp(_ start: Int) {
    var position = start
    while position > 0 {
      let parent = (position - 1) / 2
      guard entries[position].precedes(entries[parent]) else { return }
      swap(position, parent)
      position = parent
    }
  }

  private mutating func siftDown(_ start: Int) {
    var position = start
    while true {
      var least = position
      for child in (2 * position + 1)...(2 * position + 2) where child < entries.count {
        if entries[child].precedes(entries[least]) { least = child }
      }
      guard least != position else { return }
      swap(position, least)
      position = least
    }
  }

  private mutating func swap(_ left: Int, _ right: Int) {
    entries.swapAt(left, right)
    slots[Int(entries[left].slot)].position = left
    slots[Int(entries[right].slot)].position = right
  }
}

/// Names one scheduled timer. A token outlives its timer safely: once the timer has fired or was cancelled, the
/// token names nothing, even after its slot was given to another timer.
package struct TimerToken: Hashable, Sendable {
  let slot: UInt32
  let generation: UInt32
}

/// The work of a timer. A closure put into a generic container by itself would be wrapped once more, in an allocation.
struct TimerAction {
  let run: () -> Void
}
