import BluebonnetEventLoop
import BluebonnetTLS
import Glibc

extension Exchange {
  /// All connections the endpoint may have are in use, or all that the session may have.
  func wait() {
    state = .waiting
    // Whoever has to wait again does not begin anew.
    if waitingSince == .distantFuture { waitingSince = loop.now }
    budget.begin(.waitingForConnection, at: waitingSince)
    armTimer()
  }

  func connect() {
    budget.begin(.connecting, at: loop.now)
    let connector = SocketConnector(
      loop: loop, target: request.route.connectTarget(isRooted: request.resolvesFromRoot),
      deadline: budget.deadline,
      attemptDelay: .nanoseconds(group.pool.configuration.connectionAttemptDelay),
      resolver: group.pool.resolver
    ) { [self] result, timestamps in
      connected(result, timestamps)
    }
    state = .connecting(connector)
    connector.start()
  }

  private func connected(
    _ result: Result<ConnectedChannel, ConnectError>, _ timestamps: ConnectTimestamps
  ) {
    guard case .connecting = state else { return }
    metrics.connecting = timestamps
    metrics.connection = ConnectionFacts(
      localAddress: timestamps.localAddress, remoteAddress: timestamps.remoteAddress)
    switch result {
    case .success(let socket): secure(socket)
    case .failure(let error): connectFailed(error)
    }
  }

  private func secure(_ connected: ConnectedChannel) {
    do throws(TLSError) {
      let engine = try engine()
      guard let socket = connected.take() else {
        assertionFailure("a connected socket is taken once")
        return fail(.network(SystemError(errno: EBADF, call: "connect")))
      }
      let connection = Connection(group: group, socket: socket, tls: engine, facts: metrics.connection)
      connection.state.exchange = self
      state = .securing(connection)
      guard engine != nil else {
        self.connected(connection)
        // What the peer has said or done before anybody asked is not told again.
        if socket.mayRead { connection.advance() }
        return
      }
      metrics.secureStart = loop.now
      budget.begin(.securing, at: loop.now)
      armTimer()
      connection.secure()
    } catch {
      fail(.tls(error))
    }
  }

  private func engine() throws(TLSError) -> TLSEngine? {
    guard group.route.isSecure else { return nil }
    return try TLSEngine(
      context: try group.pool.tlsContext(for: group.route.security), host: group.route.host,
      resuming: group.pool.sessions.session(for: group.route))
  }

  func secured(by tls: TLSEngine, on connection: Connection) {
    metrics.secureEnd = loop.now
    connection.state.facts = ConnectionFacts(
      localAddress: metrics.connection?.localAddress, remoteAddress: metrics.connection?.remoteAddress,
      tlsVersion: tls.version, tlsCipherSuite: tls.cipherSuite)
    metrics.connection = connection.state.facts
    metrics.resumedSession = tls.wasResumed
  }

  func evaluate(_ trust: ServerTrust, decision: @escaping @Sendable (TrustDecision) -> Void) {
    // The application's time now, but who waits for the request does not care whose it is.
    budget.begin(.evaluatingTrust, at: loop.now)
    armTimer()
    hold(.trust)
    guard let client else { return decision(.reject) }
    client.exchange(self, evaluate: trust, decision: decision)
  }

  /// A pooled connection that somebody else let in: ours are asked as if it were new.
  private func evaluateAgain(_ connection: Connection) {
    state = .securing(connection)
    metrics.connection = connection.state.facts
    connection.evaluateAgain(for: self)
  }

  /// The connection did not outlast its second evaluation.
  func reacquire(insteadOf connection: Connection) {
    if isBound { return fail(.noResponse) }
    state = .initial
    waitingSince = .distantFuture
    release(.trust)
    group.release(connection, .close(.peerEnded))
    acquire()
  }

  /// A connection is ready to serve this exchange.
  func connected(_ connection: Connection) {
    if connection.tls != nil, !connection.isTrusted(by: client?.trustEvaluator) {
      return evaluateAgain(connection)
    }
    state = .exchanging(connection)
    release(.trust)
    if isPaused { countHold() }
    connection.serve(self)
  }

  private func connectFailed(_ error: ConnectError) {
    if error.isDescriptorShortage { return descriptorLacks(error) }
    connectFailed(for: error)
  }

  /// Descriptors are the process's: what is idle on this loop is given up for one, then what is idle on other loops.
  private func descriptorLacks(_ error: ConnectError) {
    if group.makeDescriptor() { return connect() }
    budget.begin(.waitingForConnection, at: loop.now)
    state = .awaitingDescriptor
    let isAsked = group.pool.giveUpIdleOnOtherLoops { [self] found in
      guard case .awaitingDescriptor = state else { return }
      if found { connect() } else { descriptorIsNotToBeHad(error) }
    }
    if isAsked { armTimer() } else { descriptorIsNotToBeHad(error) }
  }

  private func descriptorIsNotToBeHad(_ error: ConnectError) {
    // `fail` gives back a place that is being connected in.
    state = .connecting(nil)
    // Others may have ended meanwhile.
    if group.makeDescriptor() { return connect() }
    if group.connectLater(self, fresh: wasReplayed) { return }
    connectFailed(for: error)
  }

  private func connectFailed(for error: ConnectError) {
    switch error {
    case .invalidTarget(let reason): fail(.invalidHost(reason), during: .resolving)
    case .unresolved(let failure): fail(.unresolvedHost(failure), during: .resolving)
    case .failed: fail(.unconnected(error), during: .connecting)
    case .timedOut(let phase): fail(.timedOut, during: phase)
    case .cancelled: fail(.cancelled, during: .connecting)
    }
  }
}
