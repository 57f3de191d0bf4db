import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetTLS

/// The connections of one route. Runs the actions of its `PoolMachine`.
final class EndpointGroup {
  /// Everything that changes.
  private struct State {
    var machine: PoolMachine<Connection, Exchange>
    var heldBack = 0
    var isStarved = false
    var isKnown = false
  }

  let route: Route
  unowned let pool: ConnectionPool
  // Exclusivity goes unchecked at run time, which is a tenth of a small request: only the holder of the loop gets
  // here, and what changes a member in place is a value that calls nobody back.
  @exclusivity(unchecked) private var state: State

  init(route: Route, pool: ConnectionPool) {
    self.route = route
    self.pool = pool
    state = State(machine: PoolMachine(limit: pool.configuration.maximumConnectionsPerEndpoint))
  }

  var machine: PoolMachine<Connection, Exchange> { _read { yield state.machine } }

  /// Connections whose responses are held back.
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

  func acquire(for exchange: Exchange) {
    let mayConnect = state.machine.needsConnection && pool.makeRoom()
    switch state.machine.acquire(
      exchange, mayConnect: mayConnect, overtakes: { exchange.isMoreUrgent(than: $0) })
    {
    case .lease(let connection): lease(connection, to: exchange)
    case .connect:
      pool.occupies()
      exchange.connect()
    case .wait:
      if state.machine.needsConnection { pool.starve(self, of: .session) }
      exchange.wait()
    }
  }

  /// An idle connection may have gone stale, or been spoken on, without the loop having looked yet.
  private func lease(_ connection: Connection, to exchange: Exchange) {
    if connection.isQuiet { return exchange.connected(connection) }
    connection.close()
    retire(connection)
    exchange.acquire()
  }

  /// An exchange is done with its connection.
  func release(_ connection: Connection, _ ending: HTTP1Exchange.Ending) {
    if let tls = connection.tls {
      for session in tls.engine.takeSessions() { pool.sessions.insert(session, for: route) }
    }
    if pool.hasStarved, pool.starvedComeBefore(state.machine.nextWaiter) { return yield(connection) }
    // Whoever waits is served at once, with the same look before it that a lease takes.
    let isReusable =
      ending == .reuse && !pool.isInvalidated && (state.machine.waitingCount == 0 || connection.isQuiet)
    if isReusable { connection.rest() } else { connection.close() }
    switch state.machine.release(connection, reusable: isReusable, at: pool.loop.now) {
    case .serve(let waiter): waiter.connected(connection)
    case .connect(let waiter):
      connection.close()
      waiter.connect()
    case .park: pool.parked()
    case .none: vacated()
    }
  }

  /// Makes room for another route's request that has waited for longer than any here.
  private func yield(_ connection: Connection) {
    connection.close()
    state.machine.yield()
    if state.machine.waitingCount > 0 { pool.starve(self, of: .session) }
    vacated()
  }

  func connectFailed() {
    switch state.machine.connectFailed() {
    case .connect(let waiter): waiter.connect()
    default: vacated()
    }
  }

  /// There was no descriptor to connect with: whether an idle connection of this loop's has been given up for it.
  func makeDescriptor() -> Bool {
    pool.giveUpIdle() || pool.giveUpIdleElsewhere()
  }

  /// No idle connection could be given up for the descriptor that is lacking: waits for one in use.
  ///
  /// - Returns: false if there is none.
  func connectLater(_ exchange: Exchange, fresh: Bool) -> Bool {
    // This one itself is counted.
    guard pool.occupied > 1 else { return false }
    state.machine.postpone(exchange, fresh: fresh)
    pool.yieldsPlace()
    pool.starve(self, of: .descriptors)
    exchange.wait()
    return true
  }

  /// There is room for a connection more.
  ///
  /// - Returns: false if nobody waits for it here.
  func connectWaiting() -> Bool {
    guard let waiter = state.machine.connectWaiting() else { return false }
    pool.occupies()
    if state.machine.waitingCount > 0, state.machine.needsConnection {
      pool.starve(self, of: pool.shortage)
    }
    waiter.connect()
    return true
  }

  func cancel(_ exchange: Exchange) {
    _ = state.machine.cancel(exchange)
    forgetIfEmpty()
  }

  func idleClosed(_ connection: Connection) {
    if state.machine.idleClosed(connection) { vacated() }
  }

  /// - Returns: false if none is idle.
  func giveUpIdle() -> Bool {
    guard let connection = state.machine.giveUpIdle() else { return false }
    connection.close()
    pool.yieldsPlace()
    forgetIfEmpty()
    return true
  }

  func closeIdle(parkedBefore limit: MonotonicTime) {
    for connection in state.machine.expire(parkedBefore: limit) {
      connection.close()
      vacated()
    }
  }

  private func retire(_ connection: Connection) {
    switch state.machine.release(connection, reusable: false, at: pool.loop.now) {
    case .connect(let waiter): waiter.connect()
    default: vacated()
    }
  }

  /// A connection is gone whose place nobody here takes.
  private func vacated() {
    forgetIfEmpty()
    pool.vacated()
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

extension Connection {
  /// No byte and no end waits on the socket: what comes next answers the next request.
  ///
  /// Asked of the kernel each time: what the loop saw last may be older than a response that was planted behind the
  /// previous one (RFC 9112 §9.2, §11.2), and a look costs less than a request to a server that has hung up.
  var isQuiet: Bool {
    state.phase == .open && state.unread.isEmpty && channel.isQuiet
  }

  /// Becomes idle.
  func rest() {
    endPace()
    state.exchange = nil
    state.unread = []
  }
}
