// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetTLS

/// The connections of one route. Runs the actions of its `PoolMachine`.
final class EndpointGroup {
  /// The answer to a request for a connection.
  enum Acquisition {
    case lease(Connection)
    /// One that was idle had gone stale, or been spoken on, without the loop having looked yet: it is to ask again.
    case stale
    /// It is to connect, in a place that is kept for it.
    case connect
    /// It will be told.
    case wait
  }

  /// Everything that changes.
  private struct State {
    var machine: PoolMachine<Connection, WaiterReference>
    var heldBack = 0
    var isStarved = false
    var isKnown = false
  }

  let route: Route
  /// Kept: the pool's user may release it while there are connections. The pool forgets a group that has none.
  let pool: ConnectionPool
  // Exclusivity goes unchecked at run time, a tenth of a small request: only the holder of the loop gets
  // here, and members changed in place are values that call no other code.
  @exclusivity(unchecked) private var state: State

  init(route: Route, pool: ConnectionPool) {
    self.route = route
    self.pool = pool
    state = State(machine: PoolMachine(limit: pool.configuration.maximumConnectionsPerEndpoint))
  }

  /// Whether a route is its own. Most routes are an origin and nothing else, and to compare them whole is to copy one.
  func isOf(_ other: Route) -> Bool {
    guard route.port == other.port, route.isSecure == other.isSecure, route.host == other.host else {
      return false
    }
    return route.isPlain && other.isPlain || route == other
  }

  var machine: PoolMachine<Connection, WaiterReference> { _read { yield state.machine } }

  /// The number of connections with responses held back.
  var heldBack: Int {
    get { state.heldBack }
    set { state.heldBack = newValue }
  }

  /// It is among those that wait for room in the pool.
  var isStarved: Bool {
    get { state.isStarved }
    set { state.isStarved = newValue }
  }

  /// The pool knows it by its route. A group that holds nothing is forgotten.
  var isKnown: Bool {
    get { state.isKnown }
    set { state.isKnown = newValue }
  }

  /// A connection over a channel to the origin.
  ///
  /// - Parameter tls: The channel itself, if it is TLS.
  func connection(
    over channel: any Channel, tls: TLSChannel? = nil, _ facts: ConnectionFacts?
  ) -> Connection {
    let settings = pool.configuration
    return Connection(
      owner: self, channel: channel, tls: tls,
      http: HTTP1Exchange(mode: settings.parsing, limits: settings.parserLimits), facts: facts)
  }

  /// The server's known request for a certificate; nil almost always, and where this evaluator has not accepted the server.
  @inline(__always)
  func certificateRequest(for evaluator: @autoclosure () -> AnyObject?) -> CertificateRequest? {
    pool.knowsCertificateRequests ? pool.certificateRequest(of: route, for: evaluator()) : nil
  }

  func acquire(for waiter: any ConnectionWaiter) -> Acquisition {
    let asking = WaiterReference(waiter)
    if state.machine.needsConnection, state.machine.waitingCount == 0, let lent = pool.lendIdle(to: self) {
      state.machine.adopt()
      lent.move(to: self)
      return .lease(lent)
    }
    let mayConnect = state.machine.needsConnection && pool.makeRoom()
    switch state.machine.acquire(
      asking, mayConnect: mayConnect, overtakes: { asking.isMoreUrgent(than: $0) })
    {
    case .lease(let connection):
      if connection.isQuiet { return .lease(connection) }
      connection.close()
      retire(connection)
      return .stale
    case .connect:
      pool.reserveSlot()
      return .connect
    case .wait:
      if state.machine.needsConnection { pool.waitForSlot(self, of: .session) }
      return .wait
    }
  }

  /// A request is done with its connection.
  func release(_ connection: Connection, _ ending: HTTP1Exchange.Ending) {
    let ending: HTTP1Exchange.Ending =
      connection.facts?.servesOneRequest == true ? .close(.askedByClient) : ending
    if let tls = connection.tls {
      for session in tls.engine.takeSessions() { pool.sessions.insert(session, for: route) }
    }
    if pool.hasStarved, pool.starvedComeBefore(state.machine.nextWaiter) {
      if ending == .reuse, handOn(connection) { return }
      return yield(connection)
    }
    // A waiter is served at once, with the same look before it that a lease takes.
    let isReusable =
      ending == .reuse && !pool.isInvalidated && (state.machine.waitingCount == 0 || connection.isQuiet)
    if isReusable { connection.rest() } else { connection.close() }
    switch state.machine.release(connection, reusable: isReusable, at: pool.loop.now) {
    case .serve(let next): next.waiter.connected(connection)
    case .connect(let next):
      connection.close()
      next.waiter.connect()
    case .park: pool.parked()
    case .none: slotFreed()
    }
  }

  /// A connection has been authenticated: from now on it serves requests of that identity only.
  func release(_ connection: Connection, standingFor identity: ConnectionIdentity) {
    if route.identity == identity {
      return release(connection, connection.isQuiet ? .reuse : .close(.peerEnded))
    }
    guard connection.isQuiet, !pool.isInvalidated else { return release(connection, .close(.askedByClient)) }
    let theirs = pool.adopt(pool.group(for: route.standing(for: identity)))
    connection.move(to: theirs)
    retire(connection)
    guard theirs.machine.mayAdopt, pool.makeRoom() else {
      connection.close()
      return theirs.forgetIfEmpty()
    }
    pool.reserveSlot()
    theirs.state.machine.adopt()
    theirs.release(connection, .reuse)
  }

  /// A connection that is being made becomes one of another route.
  ///
  /// - Returns: false if that may have no more.
  func movePlace(to theirs: EndpointGroup) -> Bool {
    guard theirs.machine.mayAdopt else { return false }
    // Its slot goes with it, so that no other request takes it in between.
    theirs.state.machine.adopt()
    state.machine.yield()
    if state.machine.waitingCount > 0 { pool.waitForSlot(self, of: .session) }
    forgetIfEmpty()
    pool.admitSoon()
    return true
  }

  /// Serves the request of another origin behind the same proxy that has waited for longer than any here.
  ///
  /// - Returns: false if the connection is of no use to the request that has waited longest.
  private func handOn(_ connection: Connection) -> Bool {
    guard !pool.isInvalidated, connection.isQuiet, let theirs = pool.firstStarved(sharingWith: route),
      let next = theirs.state.machine.adoptWaiting()
    else { return false }
    pool.servedWithoutRoom(theirs)
    connection.rest()
    connection.move(to: theirs)
    state.machine.yield()
    if state.machine.waitingCount > 0 { pool.waitForSlot(self, of: pool.shortage) }
    forgetIfEmpty()
    next.waiter.connected(connection)
    return true
  }

  /// Makes room for another route's request that has waited for longer than any here.
  private func yield(_ connection: Connection) {
    connection.close()
    state.machine.yield()
    if state.machine.waitingCount > 0 { pool.waitForSlot(self, of: .session) }
    slotFreed()
  }

  func connectFailed() {
    switch state.machine.connectFailed() {
    case .connect(let next): next.waiter.connect()
    default: slotFreed()
    }
  }

  /// No idle connection could be given up for the descriptor that is lacking: it is to wait for one in use.
  ///
  /// - Returns: false if there is none, and nothing to wait for.
  func connectLater(_ waiter: any ConnectionWaiter, fresh: Bool) -> Bool {
    // This one itself is counted.
    guard pool.occupied > 1 else { return false }
    state.machine.postpone(WaiterReference(waiter), fresh: fresh)
    pool.releaseSlot()
    pool.waitForSlot(self, of: .descriptors)
    return true
  }

  /// There is room for a connection more.
  ///
  /// - Returns: false if no request waits for it here.
  func connectWaiting() -> Bool {
    guard let next = state.machine.connectWaiting() else { return false }
    pool.reserveSlot()
    if state.machine.waitingCount > 0, state.machine.needsConnection {
      pool.waitForSlot(self, of: pool.shortage)
    }
    next.waiter.connect()
    return true
  }

  func reorder(_ waiter: any ConnectionWaiter) {
    state.machine.reorder(WaiterReference(waiter), isMoreUrgent: { $0.isMoreUrgent(than: $1) })
  }

  func cancel(_ waiter: any ConnectionWaiter) {
    _ = state.machine.cancel(WaiterReference(waiter))
    forgetIfEmpty()
    // It may have been the one that others waited behind.
    pool.admitSoon()
  }

  /// The idle connection that was used last, for another origin behind the same proxy; nil if none is of use any more.
  func lendIdle() -> Connection? {
    defer { forgetIfEmpty() }
    while let connection = state.machine.lendIdle() {
      if connection.isQuiet { return connection }
      connection.close()
      pool.releaseSlot()
    }
    return nil
  }

  /// - Returns: false if none is idle.
  func giveUpIdle() -> Bool {
    guard let connection = state.machine.giveUpIdle() else { return false }
    connection.close()
    pool.releaseSlot()
    forgetIfEmpty()
    return true
  }

  func closeIdle(parkedBefore limit: MonotonicTime) {
    for connection in state.machine.expire(parkedBefore: limit) {
      connection.close()
      slotFreed()
    }
  }

  private func retire(_ connection: Connection) {
    switch state.machine.release(connection, reusable: false, at: pool.loop.now) {
    case .connect(let next): next.waiter.connect()
    default: slotFreed()
    }
  }

  /// A connection is closed, and its slot is not taken here.
  private func slotFreed() {
    forgetIfEmpty()
    pool.slotFreed()
  }

  private func forgetIfEmpty() {
    if state.machine.isEmpty { pool.forget(self) }
  }

  /// Why a request of this route waits.
  var congestion: Congestion {
    isStarved
      ? pool.congestion
      : Congestion(scope: .endpoint, connections: state.machine.leased, heldBack: heldBack)
  }
}

extension EndpointGroup: ConnectionOwner {
  func connectionOpened() { pool.opened() }
  func connectionClosed() { pool.closed() }
  var continuePatience: UInt64 { pool.configuration.continuePatience }

  func idleClosed(_ connection: Connection) {
    if state.machine.idleClosed(connection) { slotFreed() }
  }

  func withPlaintextBuffer(_ body: (UnsafeMutableRawBufferPointer) -> Bool) -> Bool {
    pool.withPlaintextBuffer(body)
  }
}
