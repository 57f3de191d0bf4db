import BluebonnetEventLoop
import BluebonnetTLS

/// The connections to one endpoint. Runs the actions of its `PoolMachine`.
final class EndpointGroup {
  let endpoint: Endpoint
  unowned let pool: ConnectionPool
  // Exclusivity goes unchecked at run time, which is a tenth of a small request: only the holder of the loop gets
  // here, and what changes a member in place is a value that calls nobody back.
  @exclusivity(unchecked) private(set) var machine: PoolMachine<Connection, Exchange>
  /// Connections whose responses are held back.
  @exclusivity(unchecked) var heldBack = 0
  /// It is among those that wait for room in the pool.
  @exclusivity(unchecked) var isStarved = false

  init(endpoint: Endpoint, pool: ConnectionPool) {
    self.endpoint = endpoint
    self.pool = pool
    machine = PoolMachine(limit: pool.configuration.maximumConnectionsPerEndpoint)
  }

  func acquire(for exchange: Exchange) {
    let mayConnect = machine.needsConnection && pool.makeRoom()
    switch machine.acquire(
      exchange, mayConnect: mayConnect, overtakes: { exchange.isMoreUrgent(than: $0) })
    {
    case .lease(let connection): lease(connection, to: exchange)
    case .connect:
      pool.occupied += 1
      exchange.connect()
    case .wait:
      if machine.needsConnection { pool.starve(self, of: .session) }
      exchange.wait()
    }
  }

  /// An idle connection may have gone stale, or been spoken on, without the loop having looked yet.
  private func lease(_ connection: Connection, to exchange: Exchange) {
    if connection.isQuiet { return exchange.connected(connection) }
    connection.close()
    retire(connection)
    acquire(for: exchange)
  }

  func release(_ connection: Connection, reusable: Bool) {
    if let tls = connection.tls {
      for session in tls.engine.takeSessions() { pool.sessions.insert(session, for: endpoint) }
    }
    if pool.hasStarved, pool.starvedComeBefore(machine.nextWaiter) { return yield(connection) }
    // Whoever waits is served at once, with the same look before it that a lease takes.
    let isReusable = reusable && !pool.isInvalidated && (machine.waitingCount == 0 || connection.isQuiet)
    if isReusable { connection.rest() } else { connection.close() }
    switch machine.release(connection, reusable: isReusable, at: pool.loop.now) {
    case .serve(let waiter): waiter.connected(connection)
    case .connect(let waiter):
      connection.close()
      waiter.connect()
    case .park: pool.parked()
    case .none: pool.vacated()
    }
  }

  /// Makes room for another endpoint's request that has waited for longer than any here.
  private func yield(_ connection: Connection) {
    connection.close()
    machine.yield()
    if machine.waitingCount > 0 { pool.starve(self, of: .session) }
    pool.vacated()
  }

  func connectFailed() {
    switch machine.connectFailed() {
    case .connect(let waiter): waiter.connect()
    default: pool.vacated()
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
    machine.postpone(exchange, fresh: fresh)
    pool.occupied -= 1
    pool.starve(self, of: .descriptors)
    exchange.wait()
    return true
  }

  /// There is room for a connection more.
  ///
  /// - Returns: false if nobody waits for it here.
  func connectWaiting() -> Bool {
    guard let waiter = machine.connectWaiting() else { return false }
    pool.occupied += 1
    if machine.waitingCount > 0, machine.needsConnection { pool.starve(self, of: pool.shortage) }
    waiter.connect()
    return true
  }

  func cancel(_ exchange: Exchange) {
    _ = machine.cancel(exchange)
  }

  func idleClosed(_ connection: Connection) {
    if machine.idleClosed(connection) { pool.vacated() }
  }

  /// - Returns: false if none is idle.
  func giveUpIdle() -> Bool {
    guard let connection = machine.giveUpIdle() else { return false }
    connection.close()
    pool.occupied -= 1
    return true
  }

  func closeIdle(parkedBefore limit: MonotonicTime) {
    for connection in machine.expire(parkedBefore: limit) {
      connection.close()
      pool.vacated()
    }
  }

  private func retire(_ connection: Connection) {
    switch machine.release(connection, reusable: false, at: pool.loop.now) {
    case .connect(let waiter): waiter.connect()
    default: pool.vacated()
    }
  }

  /// Why a request for this endpoint waits.
  var congestion: Congestion {
    isStarved
      ? pool.congestion : Congestion(scope: .endpoint, connections: machine.leased, heldBack: heldBack)
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
    state.framing = nil
    state.outgoing.reset()
    state.unread = []
  }
}
