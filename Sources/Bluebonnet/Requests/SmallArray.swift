// SPDX-License-Identifier: MIT

/// A list that needs no allocation until it holds a second element. Most requests have one attempt, so
/// their requests, tasks and metrics are lists of one.
struct SmallArray<Element> {
  private(set) var last: Element?
  private var earlier: [Element] = []

  init() {}

  mutating func append(_ element: consuming Element) {
    if let last { earlier.append(last) }
    last = element
  }

  var first: Element? { earlier.first ?? last }

  subscript(index: Int) -> Element? {
    index < earlier.count ? earlier[index] : index == earlier.count ? last : nil
  }

  func forEach(_ body: (Element) -> Void) {
    earlier.forEach(body)
    if let last { body(last) }
  }

  var all: [Element] { if let last { earlier + [last] } else { [] } }
}

extension SmallArray: Sendable where Element: Sendable {}
