import BluebonnetEventLoop
import BluebonnetTLS

/// The connections to one endpoint. Runs the actions of its `PoolMachine`.
final class EndpointGroup {
  let endpoint: Endpoint
  unowned let pool: ConnectionPool
  // Exclusivity goes unchecked at run time, which is a tenth of a small request: only the holder of the loop gets
  // here, and what changes a member in place is a value that calls nobody back.
  @exclusivity(unchecked) private(set) var machine: PoolMachine<Connection, Exchange>

  init(endpoint: Endpoint, pool: ConnectionPool) {
    self.endpoint = endpoint
    self.pool = pool
    machine = PoolMachine(limit: pool.configuration.maximumConnectionsPerEndpoint)
  }

  func acquire(for exchange: Exchange, fresh: Bool) {
    switch machine.acquire(exchange, fresh: fresh, overtakes: { exchange.isMoreUrgent(than: $0) }) {
    case .lease(let connection): lease(connection, to: exchange)
    case .connect(let closing):
      closing?.close()
      exchange.connect()
    case .wait: exchange.wait()
    }
  }

  /// An idle connection may have gone stale, or been spoken on, without the loop having looked yet.
  private func lease(_ connection: Connection, to exchange: Exchange) {
    if connection.isQuiet { return exchange.connected(connection) }
    connection.close()
    retire(connection)
    acquire(for: exchange, fresh: false)
  }

  func release(_ connection: Connection, reusable: Bool) {
    if let tls = connection.tls {
      for session in tls.takeSessions() { pool.sessions.insert(session, for: endpoint) }
    }
    // Whoever waits is served at once, with the same look before it that a lease takes.
    let isReusable = reusable && !pool.isInvalidated && (machine.waitingCount == 0 || connection.isQuiet)
    if isReusable { connection.rest() } else { connection.close() }
    switch machine.release(connection, reusable: isReusable, at: pool.loop.now) {
    case .serve(let waiter): waiter.connected(connection)
    case .connect(let waiter): waiter.connect()
    case .park: pool.parked()
    case .none: break
    }
  }

  func connectFailed() {
    if case .connect(let waiter) = machine.connectFailed() { waiter.connect() }
  }

  func cancel(_ exchange: Exchange) {
    _ = machine.cancel(exchange)
  }

  func idleClosed(_ connection: Connection) {
    machine.idleClosed(connection)
  }

  func closeIdle(parkedBefore limit: MonotonicTime) {
    for connection in machine.expire(parkedBefore: limit) { connection.close() }
  }

  private func retire(_ connection: Connection) {
    if case .connect(let waiter) = machine.release(connection, reusable: false, at: pool.loop.now) {
      waiter.connect()
    }
  }
}

extension Connection {
  /// No byte and no end waits on the socket: what comes next answers the next request.
  ///
  /// Asked of the kernel each time: what the loop saw last may be older than a response that was planted behind the
  /// previous one (RFC 9112 §9.2, §11.2), and a look costs less than a request to a server that has hung up.
  var isQuiet: Bool {
    guard state == .open, !peerHungUp, unread.isEmpty, tls?.hasUnreadInput != true else { return false }
    return Syscall.isQuiet(descriptor)
  }

  /// Becomes idle.
  func rest() {
    endPace()
    exchange = nil
    framing = nil
    outgoing.reset()
    unread = []
  }
}
