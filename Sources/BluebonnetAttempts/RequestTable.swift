// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetFoundation

/// Values beside requests, which it does not keep alive: a value goes some time after its request.
package struct RequestTable<Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    weak var request: Request?
    var value: Value
  }

  private var entries: [UUID: Entry] = [:]
  /// The number of entries at which those of requests that are gone are dropped.
  private var limit = Self.smallestLimit
  private static var smallestLimit: Int { 64 }
  private let outlives: @Sendable (Value) -> Bool

  /// Makes an empty table.
  ///
  /// - Parameter outlives: Whether a value stays without its request; none does by default.
  package init(keeping outlives: @escaping @Sendable (Value) -> Bool = { _ in false }) {
    self.outlives = outlives
  }

  package var count: Int { entries.count }

  /// The value of a request, if it has one.
  package subscript(id: UUID) -> Value? { entries[id]?.value }

  /// Changes the value of a request, starting from `initial` if it has none.
  ///
  /// - Parameter request: The request itself, as far as it is known.
  package mutating func update<Result>(
    _ id: UUID, _ request: Request?, from initial: Value, _ change: (inout Value) -> Result
  ) -> Result {
    if entries[id] == nil { makeRoom() }
    var entry = entries[id] ?? Entry(value: initial)
    if let request { entry.request = request }
    let result = change(&entry.value)
    entries[id] = entry
    return result
  }

  /// Changes the value of a request, starting from `initial` if it has none.
  package mutating func update<Result>(
    _ request: Request, from initial: Value, _ change: (inout Value) -> Result
  ) -> Result {
    update(request.id, request, from: initial, change)
  }

  private mutating func makeRoom() {
    guard entries.count >= limit else { return }
    entries = entries.filter { $0.value.request != nil || outlives($0.value.value) }
    limit = max(Self.smallestLimit, 2 * entries.count)
  }
}
