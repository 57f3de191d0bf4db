import BluebonnetEventLoop
import BluebonnetTLS

extension Exchange {
  /// All connections the endpoint may have are in use.
  func wait() {
    state = .waiting
    budget.begin(.waitingForConnection, at: loop.now)
  }

  func connect() {
    budget.begin(.connect, at: loop.now)
    let connector = SocketConnector(
      loop: loop, target: request.endpoint.target, deadline: budget.deadline
    ) { [self] result, milestones in
      connected(result, milestones)
    }
    state = .connecting(connector)
    connector.start()
  }

  private func connected(
    _ result: Result<ConnectedSocket, ConnectError>, _ milestones: ConnectMilestones
  ) {
    guard case .connecting = state else { return }
    self.milestones.connecting = milestones
    self.milestones.remoteAddress = milestones.remoteAddress
    self.milestones.localAddress = milestones.localAddress
    switch result {
    case .success(let socket): secure(socket)
    case .failure(let error): connectFailed(error)
    }
  }

  private func secure(_ socket: ConnectedSocket) {
    do throws(TLSError) {
      let connection = Connection(
        group: group, socket: socket, tls: try engine(), milestones: milestones)
      connection.exchange = self
      state = .securing(connection)
      do throws(SystemError) {
        try connection.register()
      } catch {
        return fail(.network(error))
      }
      guard connection.tls != nil else { return connected(connection) }
      milestones.secureStart = loop.now
      budget.begin(.handshake, at: loop.now)
      armTimer()
      connection.advanceHandshake()
    } catch {
      socket.close()
      fail(.tls(error))
    }
  }

  private func engine() throws(TLSError) -> TLSEngine? {
    guard case .tls(let name) = request.endpoint.security else { return nil }
    return try TLSEngine(context: try group.pool.tlsContext(), host: name, resuming: group.session)
  }

  func secured(by tls: TLSEngine) {
    milestones.secureEnd = loop.now
    milestones.tlsVersion = tls.version
    milestones.tlsCipherSuite = tls.cipherSuite
    milestones.resumedSession = tls.wasResumed
    // From here to the verdict, the time is the application's.
    budget.suspend()
  }

  func judge(_ trust: ServerTrust, verdict: @escaping @Sendable (TrustVerdict) -> Void) {
    guard let client else { return verdict(.reject) }
    client.exchange(self, judge: trust, verdict: verdict)
  }

  /// A connection is ready to serve this exchange.
  func connected(_ connection: Connection) {
    state = .exchanging(connection)
    connection.serve(self)
  }

  private func connectFailed(_ error: ConnectError) {
    let cause: TransportError.Cause
    var phase = TransportError.Phase.connect
    switch error {
    case .unresolved(let host, let text):
      cause = .unresolvedHost("\(host): \(text)")
      phase = .lookup
    case .invalidHost(let host):
      cause = .invalidHost(host)
      phase = .lookup
    case .refused(let system): cause = .refused(system)
    case .failed(let system): cause = .network(system)
    case .timedOut(let inPhase):
      cause = .timedOut
      phase = inPhase == .lookup ? .lookup : .connect
    case .cancelled: cause = .cancelled
    }
    fail(cause, during: phase)
  }
}
