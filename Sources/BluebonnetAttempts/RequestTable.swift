import Bluebonnet

/// Values beside requests, which it does not keep alive: a value goes some time after its request.
package struct RequestTable<Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    weak var request: Request?
    var value: Value
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  /// The number of entries at which those of requests that are gone are dropped.
  private var limit = Self.smallestLimit
  private static var smallestLimit: Int { 64 }

  package init() {}

  package var count: Int { entries.count }

  /// The value of a request, if it has one.
  package subscript(request: Request) -> Value? {
    guard let entry = entries[ObjectIdentifier(request)], entry.request === request else { return nil }
    return entry.value
  }

  /// Changes the value of a request, starting from `initial` if it has none.
  package mutating func update<Result>(
    _ request: Request, from initial: Value, _ change: (inout Value) -> Result
  ) -> Result {
    let key = ObjectIdentifier(request)
    var value = self[request] ?? initial
    let result = change(&value)
    if entries[key] == nil { makeRoom() }
    entries[key] = Entry(request: request, value: value)
    return result
  }

  private mutating func makeRoom() {
    guard entries.count >= limit else { return }
    entries = entries.filter { $0.value.request != nil }
    limit = max(Self.smallestLimit, 2 * entries.count)
  }
}
