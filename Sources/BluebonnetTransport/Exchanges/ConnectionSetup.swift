// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetLibc
import BluebonnetSemantics
import BluebonnetTLS

/// The client of a setup: asked and told always while the loop is held.
protocol ConnectionSetupClient: TunnelClient {
  /// The evaluator of servers' trust; nil stands for the default verification.
  var trustEvaluator: AnyObject? { get }
  /// A step is done.
  func made(_ step: ConnectionStep)
  /// The request's identity is decided, and it is served over this group's connections.
  ///
  /// - Parameter hasPlace: The setup goes on. Otherwise it is over, and a connection is to be looked for there.
  func isIdentified(in group: EndpointGroup, hasPlace: Bool)
  /// There is no descriptor for it. Whether it waits for a connection in use; then the setup is over.
  func waitsForDescriptor() -> Bool

  // MARK: The end

  /// This one may serve it.
  func connected(_ connection: Connection)
  /// A used connection was let in, but has ended meanwhile or been spoken on out of turn. It is the client's to release.
  func wentStale(_ connection: Connection)
  /// The client has to cancel the setup.
  func setupFailed(_ failure: ConnectingFailure)
}

/// A step on the way to a connection.
enum ConnectionStep {
  /// The way to the origin is there, or not.
  case connected(ConnectTimestamps, ConnectionFacts)
  case securing
  case secured(ConnectionFacts)
  /// It is another request's connection, about to be used by this one.
  case found(ConnectionFacts?)
}

/// Makes a connection that a request may be sent over, in a place that its group keeps for it; or has one let in that was made for
/// another request.
///
///     (descriptor ─▶) dialling │ connecting │ tunnelling ─▶ (securing ─▶) over
///     identifying, before there is a place ─▶ over
///     evaluating, a pooled connection ─▶ over
///
/// Touched only while the loop is held. Its client keeps it; it lets go of its client when it is over.
final class ConnectionSetup {
  enum Stage {
    case initial
    /// The client is asked for the request's identity.
    case identifying
    /// There was no descriptor to connect with.
    case awaitingDescriptor(DescriptorSearch)
    case dialling
    case connecting(SocketConnector)
    /// A proxy is on the way, and has to let the connection through.
    case tunnelling(TunnelConnector)
    case securing(ServerHandshake)
    /// Another evaluator than the client's let it in.
    case evaluating(Connection)
    case over
  }

  private(set) var stage = Stage.initial
  /// The evaluator that was asked last.
  private(set) var asked: EvaluatorReference?
  private let loop: EventLoop
  private let head: RequestHeadBytes
  private let isRooted: Bool
  private var group: EndpointGroup
  private var isIdentified: Bool
  private var client: (any ConnectionSetupClient)?
  private var facts: ConnectionFacts?
  /// The number of connections closed when this one was begun.
  private var closedBefore = 0

  private var pool: ConnectionPool { group.pool }

  /// - Parameters:
  ///   - isRooted: The origin's host was written with the root's dot.
  ///   - isIdentified: The request's identity at a server that asks for a certificate is decided.
  init(
    for head: RequestHeadBytes, in group: EndpointGroup, isRooted: Bool, isIdentified: Bool,
    client: any ConnectionSetupClient
  ) {
    self.head = head
    self.group = group
    loop = group.pool.loop
    self.isRooted = isRooted
    self.isIdentified = isIdentified
    self.client = client
  }

  /// It is still to be spoken to a proxy, if there is one on the way.
  var isOnItsWay: Bool {
    switch stage {
    case .awaitingDescriptor, .dialling, .connecting, .tunnelling: true
    case .initial, .identifying, .securing, .evaluating, .over: false
    }
  }

  /// It waits for an identity; there is no limit on that.
  var isIdentifying: Bool {
    switch stage {
    case .initial, .identifying: true
    default: false
    }
  }

  /// What it waits for that others have.
  var congestion: Congestion? {
    if case .awaitingDescriptor = stage { pool.congestion(of: .descriptors) } else { nil }
  }

  /// Gives up, and gives the place back.
  ///
  /// - Parameter blamesServer: A session of TLS is not offered again after it has led to a failure (RFC 5246 §7.2.2), however the
  ///   server put it.
  func cancel(blamesServer: Bool) {
    let last = stage
    end()
    switch last {
    case .identifying, .over: return
    case .initial, .dialling: break
    case .awaitingDescriptor(let search): search.cancel()
    case .connecting(let connector): connector.cancel()
    case .tunnelling(let connector): connector.cancel()
    case .securing(let handshake):
      close(handshake)
      if blamesServer { pool.sessions.remove(group.route) }
    case .evaluating(let connection):
      connection.close()
      if blamesServer { pool.sessions.remove(group.route) }
    }
    group.connectFailed()
  }

  private func close(_ handshake: ServerHandshake) {
    handshake.close()
    pool.handshakeClosed()
  }

  @discardableResult
  private func end() -> (any ConnectionSetupClient)? {
    stage = .over
    return client.take()
  }

  private func fail(_ cause: TransportError.Cause, during phase: LoadingPhase? = nil) {
    client?.setupFailed(.failed(cause, during: phase))
  }
}

// MARK: - Connecting

extension ConnectionSetup {
  /// Begins to connect.
  func connect() { connect(hasDescriptor: false) }

  /// - Parameter hasDescriptor: One has been given up for it, or it is to take one of the last: it is not asked how many are left.
  private func connect(hasDescriptor: Bool) {
    if !isIdentified, let asked = group.certificateRequest(for: trustEvaluator) {
      return connectAsSomebody(asked)
    }
    closedBefore = pool.closedConnectionCount
    if !hasDescriptor, pool.lacksDescriptors { return findDescriptor(after: nil) }
    let deadline = client?.entered(.connecting)
    if let dial = pool.configuration.dial { return connect(by: dial, deadline) }
    if let hop = group.route.prelude { return connect(through: hop) }
    var rules = pool.configuration.connectRules
    var target = group.route.connectTarget(isRooted: isRooted)
    if case .origin = group.route.nextHop {
      if let place = rules?.place { target = .host(place.host, port: place.port) }
    } else {
      rules = rules?.forProxy()
    }
    let connector = SocketConnector(
      loop: loop, target: target, deadline: deadline,
      attemptDelay: .nanoseconds(pool.configuration.connectionAttemptDelay), resolver: pool.resolver,
      rules: rules
    ) { [self] result, timestamps in
      guard case .connecting = stage else { return }
      connected(result.asTunnel, timestamps)
    }
    stage = .connecting(connector)
    connector.start()
  }

  private func connect(through hop: ProxyHop) {
    guard let client else { return }
    let connector = TunnelConnector(
      in: pool, hop: hop, route: group.route, isRooted: isRooted, userAgent: head.value(of: "User-Agent"),
      client: client
    ) { [self] result, timestamps in
      guard case .tunnelling = stage else { return }
      connected(result, timestamps)
    }
    stage = .tunnelling(connector)
    connector.start()
  }

  private func connect(by dial: Dial, _ deadline: MonotonicTime?) {
    stage = .dialling
    var timestamps = ConnectTimestamps()
    timestamps.connectStart = loop.now
    switch dial(group.route, loop) {
    case .connected(let channel):
      timestamps.connectEnd = loop.now
      // Later, as a socket would.
      let dialled = LoopConfined((self, ConnectedChannel(channel)))
      loop.enqueue { [timestamps] in
        dialled.value.0.dialled(.success(dialled.value.1), timestamps)
      }
    case .failed(let error):
      loop.enqueue { [setup = LoopConfined(self), timestamps] in
        setup.value.dialled(.failure(error), timestamps)
      }
    case .silence:
      guard let deadline else { return }
      _ = loop.schedule(at: deadline) { [weak self] in
        self?.dialled(.failure(.timedOut(.connecting)), timestamps)
      }
    }
  }

  private func dialled(_ result: Result<ConnectedChannel, ConnectError>, _ timestamps: ConnectTimestamps) {
    guard case .dialling = stage else { return }
    // No descriptor was needed, so none has to be given back first.
    closedBefore = pool.closedConnectionCount
    connected(result.asTunnel, timestamps)
  }

  private func connected(
    _ result: Result<OpenTunnel, ConnectingFailure>, _ timestamps: ConnectTimestamps
  ) {
    let facts = ConnectionFacts(
      localAddress: timestamps.localAddress, remoteAddress: timestamps.remoteAddress,
      // As long as the connection is there, what its remote address says already takes no memory.
      tried: timestamps.tried == timestamps.remoteAddress.map { [TriedAddress($0)] } ? [] : timestamps.tried,
      isProxied: group.route.proxy != nil, servesOneRequest: (try? result.get())?.servesOneRequest ?? false)
    self.facts = facts
    client?.made(.connected(timestamps, facts))
    switch result {
    case .success(let open): secure(open)
    case .failure(let failure):
      if let error = failure.descriptorShortage { return findDescriptor(after: error) }
      client?.setupFailed(failure)
    }
  }

  /// - Parameter error: The error of connecting without a descriptor; nil where a few are left, reserved for other uses.
  private func findDescriptor(after error: ConnectError?) {
    if pool.giveUpForDescriptor() { return connect(hasDescriptor: true) }
    let search = DescriptorSearch(in: pool, closedBefore: closedBefore, isUrgent: error != nil) { [self] in
      guard case .awaitingDescriptor = stage else { return }
      searched($0, after: error)
    }
    stage = .awaitingDescriptor(search)
    _ = client?.entered(.waitingForConnection)
    search.start()
  }

  private func searched(_ outcome: DescriptorSearch.Outcome, after error: ConnectError?) {
    switch outcome {
    case .found: connect(hasDescriptor: true)
    case .perhaps: connect()
    case .none:
      if client?.waitsForDescriptor() == true { return _ = end() }
      guard let error else { return connect(hasDescriptor: true) }
      client?.setupFailed(.unconnected(error))
    }
  }
}

extension Result<ConnectedChannel, ConnectError> {
  /// The same as of a tunnel: nothing has been received.
  fileprivate var asTunnel: Result<OpenTunnel, ConnectingFailure> {
    map { OpenTunnel(channel: $0, unread: []) }.mapError { .unconnected($0) }
  }
}

// MARK: - Securing

extension ConnectionSetup {
  private func secure(_ open: OpenTunnel) {
    do throws(TLSError) {
      let engine = try engine()
      guard let socket = open.channel.take() else {
        assertionFailure("a connected socket is taken once")
        return fail(.network(SystemError(errno: EBADF, call: "connect")))
      }
      // There was a descriptor, so there may be one for a waiter.
      defer { if pool.hasStarved { pool.admit() } }
      guard let engine else {
        // A server does not begin HTTP/1.1 (RFC 9112 §9.2), so it speaks another protocol.
        guard open.unread.isEmpty else {
          socket.close()
          return fail(.malformed(HTTP1Error(.unsolicitedResponse, offset: 0)), during: .tunnelling)
        }
        let connection = group.connection(over: socket, facts)
        end()?.connected(connection)
        // Events from before the first request are not raised again.
        if socket.mayRead { connection.step(.ready(hasRoom: false)) }
        return
      }
      let handshake = ServerHandshake(engine, over: socket, unread: open.unread, facts, client: self)
      stage = .securing(handshake)
      client?.made(.securing)
      _ = client?.entered(.securing)
      handshake.start()
    } catch {
      fail(.tls(error))
    }
  }

  private func engine() throws(TLSError) -> TLSEngine? {
    guard group.route.isSecure, pool.configuration.dial == nil else { return nil }
    return try TLSEngine(
      context: try pool.tlsContext(for: group.route.security), host: group.route.host,
      resuming: pool.sessions.session(for: group.route), as: group.route.certificateAnswer?.identity)
  }

  /// Asks the client's evaluator about the server of a connection that another one has let in, as if it were new.
  func evaluate(_ connection: Connection, by evaluator: AnyObject?) {
    stage = .evaluating(connection)
    client?.made(.found(connection.facts))
    guard let trust = connection.tls?.engine.serverTrust else {
      return fail(.untrusted(nil), during: .securing)
    }
    let setup = LoopConfined(self)
    evaluate(trust, by: evaluator) { [loop] decision in
      loop.execute { setup.value.decided(decision) }
    }
  }

  private func decided(_ decision: TrustDecision) {
    guard case .evaluating(let connection) = stage else { return }
    let failure = connection.tls?.engine.verificationFailure
    if let refusal = decision.refusal(after: failure) { return fail(refusal, during: .securing) }
    letIn(connection, isUnverified: failure != nil)
  }

  private func letIn(_ connection: Connection, isUnverified: Bool) {
    if let asked { connection.letIn(by: asked, isUnverified: isUnverified) }
    let client = end()
    guard connection.mayServe else { return client?.wentStale(connection) ?? () }
    client?.connected(connection)
    // What came in meanwhile.
    loop.enqueue { [connection = LoopConfined(connection)] in connection.value.step(.resumed) }
  }
}

extension ConnectionSetup: ServerHandshakeClient {
  var trustEvaluator: AnyObject? { client?.trustEvaluator }

  func secured(_ facts: ConnectionFacts) {
    self.facts = facts
    client?.made(.secured(facts))
  }

  func evaluate(
    _ trust: ServerTrust, by evaluator: AnyObject?, decision: @escaping @Sendable (TrustDecision) -> Void
  ) {
    asked = EvaluatorReference(by: evaluator)
    // The time of the application's code from here on, but it counts against the request like all other time.
    _ = client?.entered(.evaluatingTrust)
    client?.decide(.trust(trust, by: evaluator, decision: decision))
  }

  func handshakeEnded(_ failure: ConnectingFailure?) {
    guard case .securing(let handshake) = stage else { return }
    if let failure { return client?.setupFailed(failure) ?? () }
    let connection = group.connection(over: handshake.channel, tls: handshake.channel, facts)
    letIn(connection, isUnverified: handshake.isUnverified)
  }
}

// MARK: - The request's identity, at a server that asks for a certificate

extension ConnectionSetup {
  /// Asks the client for it, before a connection is looked for.
  func identify(to request: CertificateRequest) {
    stage = .identifying
    _ = client?.entered(nil)
    let setup = LoopConfined(self)
    ask(about: request) { setup.value.identified(as: $0) }
  }

  private func identified(as answer: CertificateAnswer) {
    guard case .identifying = stage else { return }
    end()?.isIdentified(in: pool.group(for: group.route.answering(answer)), hasPlace: false)
  }

  /// While it waited for a place, the server has asked another request: the place is given back, in its own turn, since
  /// its next owner may do the same.
  private func connectAsSomebody(_ request: CertificateRequest) {
    stage = .initial
    loop.enqueue { [setup = LoopConfined(self)] in
      guard case .initial = setup.value.stage else { return }
      // First, since whoever takes the place may end this request.
      setup.value.stage = .identifying
      setup.value.group.connectFailed()
      guard case .identifying = setup.value.stage else { return }
      setup.value.identify(to: request)
    }
  }

  /// The server asks over a connection that is being made.
  func identify(to request: CertificateRequest, answer: @escaping @Sendable (CertificateAnswer) -> Void) {
    // It was known before it asked, and what it asks has not changed since.
    if isIdentified, let known = group.route.certificateAnswer, pool.knows(request, of: group.route) {
      return answer(known)
    }
    pool.note(request, of: group.route, letInBy: trustEvaluator)
    _ = client?.entered(nil)
    ask(about: request, then: answer)
  }

  private func ask(
    about request: CertificateRequest, then answer: @escaping @Sendable (CertificateAnswer) -> Void
  ) {
    if let own = pool.configuration(for: group.route.security).identity {
      return answer(CertificateAnswer(own))
    }
    client?.decide(
      .certificate(request) { [loop] identity in loop.execute { answer(CertificateAnswer(identity)) } })
  }

  /// The connection is about to be authenticated: from here on it belongs to that identity's route, or has to go if the
  /// identity has all the connections it may have.
  func certificateIsAnswered(_ answer: CertificateAnswer) -> Bool {
    guard case .securing(let handshake) = stage else { return false }
    isIdentified = true
    _ = client?.entered(.securing)
    guard group.route.certificateAnswer != answer else {
      client?.isIdentified(in: group, hasPlace: true)
      return true
    }
    let (own, theirs) = (group, pool.adopt(pool.group(for: group.route.answering(answer))))
    group = theirs
    if own.movePlace(to: theirs) {
      client?.isIdentified(in: theirs, hasPlace: true)
      return true
    }
    close(handshake)
    own.connectFailed()
    end()?.isIdentified(in: theirs, hasPlace: false)
    return false
  }
}
