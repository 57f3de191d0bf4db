import BluebonnetEventLoop

/// The connections to one endpoint: which are idle, how many are out, and who waits.
///
/// A value: event in, action out. The driver is `ConnectionPool`.
///
///     acquire ─▶ lease an idle one ─┐
///            ├─▶ connect a new one ─┼─▶ release ─▶ serve the next waiter │ park as idle │ close
///            └─▶ wait ──────────────┘
package struct PoolMachine<Connection: Hashable, Request: Hashable> {
  package enum AcquireAction: Equatable {
    case lease(Connection)
    /// Connect for this request; `closing` names an idle connection to give up for it.
    case connect(closing: Connection?)
    case wait
  }

  package enum ReleaseAction: Equatable {
    /// Hand the connection to this waiter.
    case serve(Request)
    /// The connection is gone; connect anew for this waiter.
    case connect(Request)
    /// Keep the connection open and idle.
    case park
    case none
  }

  package struct Idle: Equatable {
    package let connection: Connection
    package let since: MonotonicTime
  }

  package let limit: Int
  /// Most recently used last: the warmest connection is leased first.
  package private(set) var idle: [Idle] = []
  /// Connections being made or in use. Invariant: `leased + idle.count <= max(limit, 1)`.
  package private(set) var leased = 0
  /// Nil once served: a request holds more than the pool should.
  private var waiting: [Request?] = []
  /// Requests before this index were served or cancelled; spares shifting the array for each.
  private var firstWaiting = 0

  package init(limit: Int) {
    self.limit = Swift.max(1, limit)
  }

  package var isEmpty: Bool { idle.isEmpty && leased == 0 && firstWaiting == waiting.count }
  package var waitingCount: Int { waiting.count - firstWaiting }

  /// - Parameters:
  ///   - fresh: the request must not ride on a used connection (a retry after a stale one).
  ///   - overtakes: whether it is served before another one that waits already; asked from the last one on.
  package mutating func acquire(
    _ request: Request, fresh: Bool, overtakes: (Request) -> Bool = { _ in false }
  ) -> AcquireAction {
    if !fresh, let last = idle.popLast() {
      leased += 1
      return .lease(last.connection)
    }
    if leased + idle.count < limit {
      leased += 1
      return .connect(closing: nil)
    }
    if !idle.isEmpty {
      leased += 1
      return .connect(closing: idle.removeFirst().connection)
    }
    waiting.insert(request, at: place(overtakes))
    return .wait
  }

  /// Behind the last one that is not overtaken.
  private func place(_ overtakes: (Request) -> Bool) -> Int {
    var place = waiting.count
    while place > firstWaiting, let other = waiting[place - 1], overtakes(other) { place -= 1 }
    return place
  }

  /// A leased connection comes back.
  package mutating func release(
    _ connection: Connection, reusable: Bool, at now: MonotonicTime
  ) -> ReleaseAction {
    if let next = nextWaiting() { return reusable ? .serve(next) : .connect(next) }
    leased -= 1
    guard reusable else { return .none }
    idle.append(Idle(connection: connection, since: now))
    return .park
  }

  /// A connection that was being made for a request did not come about.
  package mutating func connectFailed() -> ReleaseAction {
    if let next = nextWaiting() { return .connect(next) }
    leased -= 1
    return .none
  }

  /// The peer closed an idle connection, or spoke out of turn on it.
  package mutating func idleClosed(_ connection: Connection) {
    idle.removeAll { $0.connection == connection }
  }

  /// - Returns: whether the request was waiting.
  package mutating func cancel(_ request: Request) -> Bool {
    guard let index = waiting[firstWaiting...].firstIndex(of: request) else { return false }
    waiting.remove(at: index)
    return true
  }

  /// Idle connections parked at or before `limit`, which are to be closed.
  package mutating func expire(parkedBefore limit: MonotonicTime) -> [Connection] {
    let expired = idle.prefix { $0.since <= limit }.map(\.connection)
    idle.removeFirst(expired.count)
    return expired
  }

  private mutating func nextWaiting() -> Request? {
    guard firstWaiting < waiting.count else { return nil }
    let next = waiting[firstWaiting].take()
    firstWaiting += 1
    if firstWaiting == waiting.count || firstWaiting > 64 {
      waiting.removeFirst(firstWaiting)
      firstWaiting = 0
    }
    return next
  }
}
