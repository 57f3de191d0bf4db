// SPDX-License-Identifier: MIT
import BluebonnetEventLoop

/// The connections of one route: the idle ones, the number in use, and the waiters.
///
/// A value: event in, action out. The driver is `EndpointGroup`.
///
///     acquire ─▶ lease an idle one ─┐
///            ├─▶ connect a new one ─┼─▶ release ─▶ serve the next waiter │ park as idle │ close
///            └─▶ wait ──────────────┘
package struct PoolMachine<Leased: Hashable, Waiter: Hashable> {
  package enum AcquireAction: Equatable {
    case lease(Leased)
    /// Connect for this request.
    case connect
    case wait
  }

  package enum ReleaseAction: Equatable {
    /// Hand the connection to this waiter.
    case serve(Waiter)
    /// Connect anew for this waiter; the connection that was released, if still open, is to be closed before.
    case connect(Waiter)
    /// Keep the connection open and idle.
    case park
    case none
  }

  package struct Idle: Equatable {
    package let connection: Leased
    package let since: MonotonicTime
  }

  package let limit: Int
  /// Most recently used last: the warmest connection is leased first.
  package private(set) var idle: [Idle] = []
  /// Connections being made or in use. Invariant: `leased + idle.count <= max(limit, 1)`.
  package private(set) var leased = 0
  /// The waiters, and whether each needs a new connection.
  private var waiting = WaitingQueue<Waiter, Bool>()

  package init(limit: Int) {
    self.limit = Swift.max(1, limit)
  }

  package var isEmpty: Bool { idle.isEmpty && leased == 0 && waiting.isEmpty }
  package var waitingCount: Int { waiting.count }
  /// The waiter to be served next.
  package var nextWaiter: Waiter? { waiting.first?.key }
  /// Only a new connection can serve the next request, and this route may have one more.
  package var needsConnection: Bool { idle.isEmpty && leased < limit }

  /// This route may have one more connection, wherever it comes from.
  package var mayAdopt: Bool { leased + idle.count < limit }

  /// - Parameters:
  ///   - mayConnect: there is room for a new connection elsewhere, too.
  ///   - overtakes: whether it is served before another one that waits already; asked from the last one on.
  package mutating func acquire(
    _ request: Waiter, mayConnect: Bool = true, overtakes: (Waiter) -> Bool = { _ in false }
  ) -> AcquireAction {
    if let last = idle.popLast() {
      leased += 1
      return .lease(last.connection)
    }
    if leased < limit, mayConnect {
      leased += 1
      return .connect
    }
    waiting.append(request, false, overtaking: overtakes)
    return .wait
  }

  /// A leased connection comes back.
  package mutating func release(
    _ connection: Leased, reusable: Bool, at now: MonotonicTime
  ) -> ReleaseAction {
    if let (next, isFresh) = waiting.removeFirst() {
      return reusable && !isFresh ? .serve(next) : .connect(next)
    }
    leased -= 1
    guard reusable else { return .none }
    idle.append(Idle(connection: connection, since: now))
    return .park
  }

  /// Closes a leased connection for the sake of another route, even if requests wait here.
  package mutating func yield() {
    leased -= 1
  }

  /// A connection that was of another route is in use here now.
  package mutating func adopt() {
    leased += 1
  }

  /// A connection that was of another route, and may be used, is to serve a request here.
  ///
  /// - Returns: The waiter; nil if none would take it.
  package mutating func adoptWaiting() -> Waiter? {
    guard mayAdopt, let (next, isFresh) = waiting.first, !isFresh else { return nil }
    _ = waiting.removeFirst()
    leased += 1
    return next
  }

  /// A connection that was being made for a request did not come about.
  package mutating func connectFailed() -> ReleaseAction {
    if let next = waiting.removeFirst() { return .connect(next.key) }
    leased -= 1
    return .none
  }

  /// The connection that was being made for a request has to be made later; it is the next in turn.
  ///
  /// - Parameter fresh: the request must not ride on a used connection (a retry after a stale one).
  package mutating func postpone(_ request: Waiter, fresh: Bool) {
    leased -= 1
    waiting.prepend(request, fresh)
  }

  /// There is room for a new connection.
  ///
  /// - Returns: The waiter to connect for.
  package mutating func connectWaiting() -> Waiter? {
    guard leased + idle.count < limit, let next = waiting.removeFirst() else { return nil }
    leased += 1
    return next.key
  }

  /// The peer closed an idle connection, or spoke out of turn on it.
  ///
  /// - Returns: whether it was idle.
  package mutating func idleClosed(_ connection: Leased) -> Bool {
    guard let index = idle.firstIndex(where: { $0.connection == connection }) else { return false }
    idle.remove(at: index)
    return true
  }

  /// A request that may be waiting is more or less urgent than it was.
  ///
  /// - Parameter isMoreUrgent: whether the first one is served before the second.
  package mutating func reorder(_ request: Waiter, isMoreUrgent: (Waiter, Waiter) -> Bool) {
    waiting.move(request, isMoreUrgent: isMoreUrgent)
  }

  /// - Returns: whether the request was waiting.
  package mutating func cancel(_ request: Waiter) -> Bool {
    waiting.remove(request)
  }

  /// The most recently used connection, to be given to another route.
  package mutating func lendIdle() -> Leased? { idle.popLast()?.connection }

  /// The connection that has been idle for longest, to be closed.
  package mutating func giveUpIdle() -> Leased? {
    idle.isEmpty ? nil : idle.removeFirst().connection
  }

  /// Idle connections parked at or before `limit`, to be closed.
  package mutating func expire(parkedBefore limit: MonotonicTime) -> [Leased] {
    let expired = idle.prefix { $0.since <= limit }.map(\.connection)
    idle.removeFirst(expired.count)
    return expired
  }
}
