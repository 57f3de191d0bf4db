// SPDX-License-Identifier: MIT

/// A queue in memory that is used again.
///
/// Inlinable, so that each module that uses it has code for its own elements; and public for that, since the compiler does not
/// specialize functions that are inlinable for the package only. Without, each call looks up the metadata of `Optional` and
/// `Array`, a fifth of all instructions of an echo.
public struct FirstInFirstOut<Element> {
  @usableFromInline var elements: [Element?] = []
  @usableFromInline var start = 0

  /// Nothing waits.
  @inlinable public init() {}

  /// Whether nothing waits.
  @inlinable public var isEmpty: Bool { start == elements.count }
  /// The number of elements waiting.
  @inlinable public var count: Int { elements.count - start }
  /// The element that has waited longest.
  @inlinable public var first: Element? { isEmpty ? nil : elements[start] }

  /// Puts something behind all that waits.
  @inlinable public mutating func append(_ element: consuming Element) { elements.append(element) }

  /// Removes and returns the element that has waited longest.
  @inlinable public mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    // Mostly there is one.
    if elements.count == 1 { return elements.removeLast() }
    let element = elements[start].take()
    start += 1
    if start == elements.count {
      elements.removeAll(keepingCapacity: elements.count <= 64)
      start = 0
    } else if start >= 64, start > elements.count / 2 {
      elements.removeFirst(start)
      start = 0
    }
    return element
  }

  /// Takes all that waits.
  @inlinable public mutating func takeAll() -> [Element] {
    defer {
      elements = []
      start = 0
    }
    return elements[start...].compactMap(\.self)
  }
}
