/// What waits in order, in memory that is used again.
package struct FirstInFirstOut<Element> {
  private var elements: [Element?] = []
  private var start = 0

  package init() {}

  package var isEmpty: Bool { start == elements.count }
  package var count: Int { elements.count - start }
  package var first: Element? { isEmpty ? nil : elements[start] }

  package mutating func append(_ element: consuming Element) { elements.append(element) }

  package mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
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
  package mutating func takeAll() -> [Element] {
    defer {
      elements = []
      start = 0
    }
    return elements[start...].compactMap(\.self)
  }
}
