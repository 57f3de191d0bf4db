// SPDX-License-Identifier: MIT

/// Elements in the order of their last use. Adding, using and removing cost the same however many there are.
struct UseList<Element: Sendable>: Sendable {
  /// A slot of the list's, which an element keeps.
  typealias Place = Int32

  struct Slot: Sendable {
    /// Nil in a slot that is free.
    var element: Element?
    fileprivate var newer: Place
    fileprivate var older: Place
  }

  private static var none: Place { -1 }

  /// By place. Elements are changed here: a subscript of this type that did it in place would allocate each time.
  var slots: [Slot] = []
  private var free: [Place] = []
  private var newest: Place = -1
  private var oldest: Place = -1

  /// The place of the element that was not used for the longest time.
  var next: Place? { oldest == Self.none ? nil : oldest }

  /// The places of all elements, in any order.
  var places: [Place] {
    slots.indices.lazy.filter { slots[$0].element != nil }.map { Place($0) }
  }

  /// The element in a place; nil if there is none.
  subscript(place: Place) -> Element? { slots[Int(place)].element }

  /// Adds an element, which counts as its use.
  mutating func add(_ element: Element) -> Place {
    let slot = Slot(element: element, newer: Self.none, older: Self.none)
    let place = free.popLast() ?? Place(slots.count)
    if place == slots.count { slots.append(slot) } else { slots[Int(place)] = slot }
    link(place)
    return place
  }

  /// Counts a use: the element is the last to go now.
  mutating func use(_ place: Place) {
    guard place != newest else { return }
    unlink(place)
    link(place)
  }

  /// Takes an element out.
  mutating func remove(_ place: Place) -> Element? {
    guard let element = slots[Int(place)].element.take() else { return nil }
    unlink(place)
    free.append(place)
    return element
  }

  private mutating func link(_ place: Place) {
    slots[Int(place)].newer = Self.none
    slots[Int(place)].older = newest
    if newest != Self.none { slots[Int(newest)].newer = place } else { oldest = place }
    newest = place
  }

  private mutating func unlink(_ place: Place) {
    let (newer, older) = (slots[Int(place)].newer, slots[Int(place)].older)
    if newer != Self.none { slots[Int(newer)].older = older } else { newest = older }
    if older != Self.none { slots[Int(older)].newer = newer } else { oldest = newer }
  }
}
