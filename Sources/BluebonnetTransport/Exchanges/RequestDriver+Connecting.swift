import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetTLS
import Glibc

// The way to a connection.
extension RequestDriver {
  /// Asks for a connection, or waits for one.
  func acquire() {
    if !group.isKnown { state.group = group.pool.adopt(group) }
    switch group.acquire(for: self) {
    case .lease(let connection): connected(connection)
    case .stale: acquire()
    case .connect: connect()
    case .wait: wait()
    }
  }

  /// - Parameter unread: The bytes received over the channel so far.
  private func secure(_ connected: ConnectedChannel, unread: [UInt8] = []) {
    do throws(TLSError) {
      let engine = try engine()
      guard let socket = connected.take() else {
        assertionFailure("a connected socket is taken once")
        return fail(.network(SystemError(errno: EBADF, call: "connect")))
      }
      // A server does not begin HTTP/1.1 (RFC 9112 §9.2), so it speaks another protocol.
      if engine == nil, !unread.isEmpty {
        socket.close()
        return fail(.malformed(HTTP1Error(.unsolicitedResponse, offset: 0)), during: .tunnelling)
      }
      let connection = group.connection(
        over: socket, unread: unread, engine, state.metrics.connection, for: self)
      state.stage = .securing(connection)
      guard engine != nil else {
        self.connected(connection)
        // Events from before the first request are not raised again.
        if socket.mayRead { connection.step(.ready(hasRoom: false)) }
        return
      }
      state.metrics.secureStart = loop.now
      state.budget.begin(.securing, at: loop.now)
      armTimer()
      connection.step(.ready(hasRoom: false))
    } catch {
      fail(.tls(error))
    }
  }

  private func engine() throws(TLSError) -> TLSEngine? {
    guard group.route.isSecure, group.pool.configuration.dial == nil else { return nil }
    return try TLSEngine(
      context: try group.pool.tlsContext(for: group.route.security), host: group.route.host,
      resuming: group.pool.sessions.session(for: group.route), as: group.route.certificateAnswer?.identity)
  }

  /// - Parameter closed: How many connections had been closed when this one was begun.
  func dialed(
    _ result: Result<ConnectedChannel, ConnectError>, _ timestamps: ConnectTimestamps,
    closedBefore closed: Int
  ) {
    guard case .connecting = state.stage else { return }
    state.metrics.connecting = timestamps
    state.metrics.connection = ConnectionFacts(
      localAddress: timestamps.localAddress, remoteAddress: timestamps.remoteAddress,
      isProxied: request.route.proxy != nil)
    switch result {
    case .success(let socket): secure(socket)
    case .failure(let error): connectFailed(error, closedBefore: closed)
    }
  }

  private func connectFailed(_ error: ConnectError, closedBefore closed: Int) {
    if error.isDescriptorShortage { return outOfDescriptors(error, closedBefore: closed) }
    connectFailed(for: error)
  }

  /// Descriptors are the process's: an idle connection of this loop is given up for one, then one of another loop.
  ///
  /// - Parameter error: The error of connecting without a descriptor; nil where a few are left, reserved for other uses.
  private func outOfDescriptors(_ error: ConnectError?, closedBefore closed: Int) {
    if group.makeDescriptor() { return connect(hasDescriptor: true) }
    state.budget.begin(.waitingForConnection, at: loop.now)
    state.stage = .awaitingDescriptor
    let isAsked = group.pool.giveUpIdleOnOtherLoops { [self] found in
      guard case .awaitingDescriptor = state.stage else { return }
      if found { connect(hasDescriptor: true) } else { noDescriptorAvailable(error, closedBefore: closed) }
    }
    guard isAsked else { return noDescriptorAvailable(error, closedBefore: closed) }
    armTimer()
    lookSoon(error, closedBefore: closed)
  }

  /// A loop that is busy, or not running, may answer at any time or never: it is not waited for where something else may come.
  private func lookSoon(_ error: ConnectError?, closedBefore closed: Int) {
    let soon = loop.now.adding(.nanoseconds(group.pool.configuration.descriptorDelay))
    _ = loop.schedule(at: soon) { [weak self] in
      guard let self, case .awaitingDescriptor = state.stage else { return }
      let pool = group.pool
      guard error == nil || pool.occupied > 1 || pool.closedConnectionCount != closed else {
        return lookSoon(error, closedBefore: closed)
      }
      noDescriptorAvailable(error, closedBefore: closed)
    }
  }

  private func noDescriptorAvailable(_ error: ConnectError?, closedBefore closed: Int) {
    // `fail` gives back a place that is being connected in.
    state.stage = .connecting(nil)
    // Others may have ended meanwhile.
    if group.makeDescriptor() { return connect(hasDescriptor: true) }
    if group.pool.closedConnectionCount != closed { return connect() }
    if group.connectLater(self, fresh: state.wasReplayed) { return wait() }
    guard let error else { return connect(hasDescriptor: true) }
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

  /// All connections the route may have are in use, or all that the session may have.
  private func wait() {
    state.stage = .waiting
    // A request that has to wait again keeps its place in time.
    if state.waitingSince == .distantFuture { state.waitingSince = loop.now }
    state.budget.begin(.waitingForConnection, at: state.waitingSince)
    armTimer()
  }
}

extension RequestDriver {
  /// The client's `ExchangeClient.urgency` has changed. The loop must be held.
  package func urgencyChanged() {
    if case .waiting = state.stage { group.reorder(self) }
  }
}

// Through a proxy.
extension RequestDriver: TunnelClient {
  private func connect(through hop: ProxyHop) {
    let connector = TunnelConnector(
      in: group.pool, hop: hop, route: request.route, isRooted: request.resolvesFromRoot,
      userAgent: request.encodedHead.value(of: "User-Agent"), client: self)
    state.tunnelBegan = group.pool.closedConnectionCount
    state.stage = .tunnelling(connector)
    connector.start()
  }

  func tunnelEntered(_ phase: TransportError.Phase?) -> MonotonicTime? {
    guard let phase else {
      state.budget.pause()
      return nil
    }
    state.budget.begin(phase, at: loop.now)
    // Connecting looks after its own time.
    if phase != .connecting { armTimer() }
    return state.budget.deadline
  }

  func tunnelReceived(_ head: ResponseHead) {
    state.client?.exchange(self, didReceiveFromProxy: head)
  }

  func tunnelIsAsked(
    _ challenge: ProxyChallenge, in head: ResponseHead, answer: @escaping @Sendable (ProxyAnswer?) -> Void
  ) {
    guard let client = state.client else { return answer(nil) }
    client.exchange(self, isAskedBy: challenge, in: head, answer: answer)
  }

  func tunnelEnded(_ result: Result<OpenTunnel, TunnelFailure>, _ timestamps: ConnectTimestamps) {
    guard case .tunnelling = state.stage else { return }
    state.metrics.connecting = timestamps
    state.metrics.connection = ConnectionFacts(
      localAddress: timestamps.localAddress, remoteAddress: timestamps.remoteAddress, isProxied: true)
    switch result {
    case .success(let open): secure(open.channel, unread: open.unread)
    case .failure(.unconnected(let error)): connectFailed(error, closedBefore: state.tunnelBegan)
    case .failure(.unresolvedTarget(let failure)):
      fail(.unresolvedHost(failure), during: .resolving, isOfProxy: false)
    case .failure(.failed(let cause, let phase)): fail(cause, during: phase)
    }
  }
}

extension RequestDriver: ConnectionWaiter {
  var waitingSince: MonotonicTime { state.waitingSince }

  /// Asked only while it waits for a connection, so that other requests do not pay for it.
  var urgency: Float? { state.client?.urgency }

  func connect() { connect(hasDescriptor: false) }

  /// - Parameter hasDescriptor: One has been given up for it, or it is to take one of the last: it is not asked how many are left.
  private func connect(hasDescriptor: Bool) {
    if let asked = pendingCertificateRequest { return connectAsSomebody(asked) }
    if !hasDescriptor, group.pool.lacksDescriptors {
      return outOfDescriptors(nil, closedBefore: group.pool.closedConnectionCount)
    }
    state.budget.begin(.connecting, at: loop.now)
    if let dial = group.pool.configuration.dial { return connect(by: dial) }
    if let hop = request.route.prelude { return connect(through: hop) }
    var rules = group.pool.configuration.connectRules
    var target = request.route.connectTarget(isRooted: request.resolvesFromRoot)
    if case .origin = request.route.nextHop {
      if let place = rules?.place { target = .host(place.host, port: place.port) }
    } else {
      rules = rules?.forProxy()
    }
    let connector = SocketConnector(
      loop: loop, target: target,
      deadline: state.budget.deadline,
      attemptDelay: .nanoseconds(group.pool.configuration.connectionAttemptDelay),
      resolver: group.pool.resolver, rules: rules
    ) { [self, closed = group.pool.closedConnectionCount] result, timestamps in
      dialed(result, timestamps, closedBefore: closed)
    }
    state.stage = .connecting(connector)
    connector.start()
  }

  func connected(_ connection: Connection) {
    if connection.tls != nil {
      let evaluator = trustEvaluator
      guard connection.isTrusted(by: evaluator) else {
        // Another evaluator let it in: the client's is asked as if it were new.
        state.stage = .securing(connection)
        state.metrics.connection = connection.state.facts
        return connection.evaluateAgain(by: evaluator, for: self)
      }
    }
    state.stage = .exchanging(connection)
    release(.trust)
    if isPaused { countHold() }
    connection.serve(self, request)
  }
}
