// SPDX-License-Identifier: MIT

/// Waiters, the one with the lowest rank first. Joining, leaving from anywhere and being served take O(log n).
///
/// A binary heap, and an index from elements to places. Ranks are to differ, or the order among equals is open.
struct RankedQueue<Element: Hashable, Rank: Comparable> {
  private var heap: [(element: Element, rank: Rank)] = []
  private var places: [Element: Int] = [:]

  var count: Int { heap.count }
  var isEmpty: Bool { heap.isEmpty }
  /// The next waiter to be served.
  var first: (element: Element, rank: Rank)? { heap.first }

  /// Joins, or moves to where the rank belongs.
  mutating func insert(_ element: Element, rank: Rank) {
    remove(element)
    heap.append((element, rank))
    places[element] = heap.count - 1
    rise(from: heap.count - 1)
  }

  mutating func popFirst() -> Element? {
    guard let first = heap.first?.element else { return nil }
    remove(first)
    return first
  }

  /// - Returns: whether it was waiting.
  @discardableResult
  mutating func remove(_ element: Element) -> Bool {
    guard let place = places.removeValue(forKey: element) else { return false }
    let last = heap.removeLast()
    if place < heap.count {
      heap[place] = last
      places[last.element] = place
      sink(from: place)
      rise(from: place)
    }
    // A rush leaves nothing behind.
    if heap.isEmpty { self = RankedQueue() }
    return true
  }

  private mutating func rise(from start: Int) {
    var place = start
    while place > 0 {
      let parent = (place - 1) / 2
      guard heap[place].rank < heap[parent].rank else { return }
      exchange(place, parent)
      place = parent
    }
  }

  private mutating func sink(from start: Int) {
    var place = start
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2]
      where child < heap.count && heap[child].rank < heap[least].rank {
        least = child
      }
      if least == place { return }
      exchange(place, least)
      place = least
    }
  }

  private mutating func exchange(_ one: Int, _ other: Int) {
    heap.swapAt(one, other)
    places[heap[one].element] = one
    places[heap[other].element] = other
  }
}
