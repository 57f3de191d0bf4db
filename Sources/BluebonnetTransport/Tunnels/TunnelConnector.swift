// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetLibc
import BluebonnetProxies
import BluebonnetSemantics
import BluebonnetTLS

/// Takes a route through a proxy to a channel on which the origin can be spoken to: connects to the proxy, secures that
/// connection where the proxy speaks TLS, and asks for the origin.
///
///     (resolving the target ─▶) connecting ─▶ (securing ─▶) asking ─▶ over
///                                   ▲                          │
///                                   └── the proxy hung up between two rounds, or could not reach one address ──┘
///
/// The messages to the proxy are made by values (`TunnelExchange`, `SOCKSHandshake`, `ChallengeStage`).
/// Loop-confined. While it works, the loop keeps it alive; once it has ended, nothing does.
final class TunnelConnector {
  typealias Completion = (Result<OpenTunnel, ConnectingFailure>, ConnectTimestamps) -> Void

  enum Stage {
    case initial
    case resolving(NameLookup)
    case connecting(SocketConnector)
    case securing(TLSChannel)
    case asking(any Channel)
    case over
  }

  let loop: EventLoop
  let pool: ConnectionPool
  let hop: ProxyHop
  let route: Route
  private let isRooted: Bool
  /// The caller's name for the proxy: the field `User-Agent` of the request.
  private let userAgent: String?

  var stage = Stage.initial
  var client: (any TunnelClient)?
  private var completion: Completion?
  private var timestamps = ConnectTimestamps()

  /// Bytes on their way to the proxy.
  var outgoing: [UInt8] = []
  var sent = 0
  /// The bytes received and not taken yet.
  var pending: [UInt8] = []

  /// The handshake with a SOCKS proxy.
  var socks: SOCKSHandshake?
  /// The targets it is to connect to: of several addresses one after the other.
  private var targets: [SOCKSTarget] = []

  /// The exchange with an HTTP proxy.
  var exchange: TunnelExchange?
  var challenges: ChallengeStage?
  /// The newest answer to a challenge of the proxy's.
  var answer: ProxyAnswer?
  var round = TunnelRound()

  /// - Parameters:
  ///   - isRooted: The origin's host was written with the root's dot.
  ///   - userAgent: The value of the request's `User-Agent`.
  ///   - completion: Called once, in loop context, perhaps from within `start`; not after `cancel`.
  init(
    in pool: ConnectionPool, hop: ProxyHop, route: Route, isRooted: Bool, userAgent: String?,
    client: any TunnelClient, completion: @escaping Completion
  ) {
    loop = pool.loop
    self.pool = pool
    self.hop = hop
    self.route = route
    self.isRooted = isRooted
    self.userAgent = userAgent
    self.client = client
    self.completion = completion
  }

  /// Begins.
  func start() {
    timestamps.tunnelStart = loop.now
    guard case .tunnel = route.nextHop, !hop.server.scheme.isHTTP else { return connect() }
    if hop.server.scheme.looksUpHere { return resolveTarget() }
    let name = isRooted && IPAddress(route.host) == nil ? route.host + "." : route.host
    targets = [SOCKSTarget(host: name, port: route.port)]
    connect()
  }

  /// Gives up, and is silent from here on.
  func cancel() {
    (client, completion) = (nil, nil)
    leave()?.close()
  }

  /// Gives the channel up, if there is one; it has no owner then.
  private func leave() -> (any Channel)? {
    let last = stage
    stage = .over
    switch last {
    case .initial, .over: return nil
    case .resolving(let lookup): lookup.cancel()
    case .connecting(let connector): connector.cancel()
    case .securing(let channel):
      channel.owner = nil
      return channel
    case .asking(let channel):
      channel.owner = nil
      return channel
    }
    return nil
  }

  func fail(_ cause: TransportError.Cause, during phase: LoadingPhase = .tunnelling) {
    end(.failed(cause, during: phase))
  }

  private func end(_ failure: ConnectingFailure) {
    leave()?.close()
    complete(.failure(failure))
  }

  /// The channel leads to the target.
  func succeed() {
    guard let channel = leave() else { return assertionFailure("a tunnel has a channel") }
    timestamps.tunnelEnd = loop.now
    complete(
      .success(
        OpenTunnel(
          channel: ConnectedChannel(channel), unread: pending, servesOneRequest: answer?.isKept == false)))
  }

  private func complete(_ result: Result<OpenTunnel, ConnectingFailure>) {
    client = nil
    completion.take()?(result, timestamps)
  }
}

// MARK: - To the proxy

extension TunnelConnector {
  /// The proxy is told addresses, so the name is looked up here.
  private func resolveTarget() {
    if let addresses = NameLookup.immediateAddresses(of: route.host, port: route.port) {
      return resolved(addresses)
    }
    _ = client?.entered(.resolving)
    timestamps.lookupStart = loop.now
    let lookup = pool.resolver.resolve(
      host: isRooted ? route.host + "." : route.host, port: route.port, on: loop
    ) { answer in
      guard case .resolving = self.stage else { return }
      self.timestamps.lookupEnd = self.loop.now
      switch answer {
      case .success(let addresses): self.resolved(addresses)
      case .failure(let failure): self.end(.unresolvedTarget(failure))
      }
    }
    stage = .resolving(lookup)
  }

  private func resolved(_ addresses: [SocketAddress]) {
    let isWary = pool.configuration.connectRules?.avoidsPrivateAddresses == true
    let allowed = isWary ? addresses.filter(\.isGlobal) : addresses
    guard !allowed.isEmpty || addresses.isEmpty else {
      return end(.unresolvedTarget(LookupFailure(host: route.host, code: EAI_NONAME, errno: 0)))
    }
    targets = allowed.compactMap { address in
      // A zone means nothing to the proxy.
      IPAddress(address.host.prefix { $0 != "%" }).map { .address($0, port: route.port) }
    }
    if hop.server.scheme == .socks4 {
      targets.removeAll { if case .address(let address, _) = $0 { address.isIPv6 } else { false } }
    }
    guard !targets.isEmpty else {
      return fail(.socks(.unsayable("\(route.host) has no IPv4 address, and SOCKS 4 knows no other")))
    }
    connect()
  }

  private func connect() {
    let deadline = client?.entered(.connecting)
    let connector = SocketConnector(
      loop: loop, target: .host(hop.server.host, port: hop.server.port), deadline: deadline,
      attemptDelay: .nanoseconds(pool.configuration.connectionAttemptDelay), resolver: pool.resolver,
      rules: pool.configuration.connectRules?.forProxy()
    ) { result, connecting in
      guard case .connecting = self.stage else { return }
      self.connected(result, connecting)
    }
    stage = .connecting(connector)
    connector.start()
  }

  private func connected(_ result: Result<ConnectedChannel, ConnectError>, _ connecting: ConnectTimestamps) {
    // Of several connections the first is the one that began.
    timestamps.lookupStart = timestamps.lookupStart ?? connecting.lookupStart
    timestamps.lookupEnd = timestamps.lookupEnd ?? connecting.lookupEnd
    timestamps.connectStart = timestamps.connectStart ?? connecting.connectStart
    timestamps.connectEnd = connecting.connectEnd
    timestamps.remoteAddress = connecting.remoteAddress
    timestamps.localAddress = connecting.localAddress
    timestamps.tried += connecting.tried
    switch result {
    case .failure(let error): end(.unconnected(error))
    case .success(let connected):
      guard let socket = connected.take() else { return assertionFailure("a connected socket is taken once") }
      _ = client?.entered(.tunnelling)
      hop.server.scheme == .https ? secure(socket) : ask(over: socket)
    }
  }

  private func secure(_ socket: any Channel) {
    do throws(TLSError) {
      let engine = try TLSEngine(context: try pool.proxyContext(), host: hop.server.host)
      let channel = TLSChannel(engine, over: socket)
      stage = .securing(channel)
      channel.owner = self
      advanceHandshake(of: channel)
    } catch {
      socket.close()
      fail(.tls(error), during: .securing)
    }
  }

  private func advanceHandshake(of channel: TLSChannel) {
    switch channel.handshake() {
    case .later: return
    case .failed(.tls(let error)): return fail(.tls(error), during: .securing)
    case .failed(.network(let error)): return fail(.network(error), during: .securing)
    case .complete, .certificateRequested: break
    }
    // Neither the session's evaluators nor its delegate are asked: they speak of origins.
    if pool.configuration.verifiesProxies, let failure = channel.engine.verificationFailure {
      return fail(.untrusted(failure), during: .securing)
    }
    guard !channel.engine.isHandshakeComplete else { return ask(over: channel) }
    do throws(TLSError) {
      try channel.engine.authenticate(with: pool.configuration.proxyTLS.identity)
    } catch {
      return fail(.tls(error), during: .securing)
    }
    advanceHandshake(of: channel)
  }

  private func ask(over channel: any Channel) {
    stage = .asking(channel)
    channel.owner = self
    (outgoing, sent, pending) = ([], 0, [])
    guard case .tunnel = route.nextHop else { return succeed() }
    if hop.server.scheme.isHTTP { return askByConnect() }
    do throws(SOCKSError) {
      guard let target = targets.first else { return assertionFailure("there is somewhere to connect to") }
      let handshake = try SOCKSHandshake(hop.server.scheme, to: target, credentials: hop.server.credentials)
      socks = handshake
      send(handshake.start)
    } catch {
      fail(.socks(error))
    }
  }

  private func askByConnect() {
    var fields = hop.server.fields
    if let userAgent, !fields.contains(where: { $0.name.equalsIgnoringASCIICase("User-Agent") }) {
      fields.append(ProxyServer.Field(name: "User-Agent", value: userAgent))
    }
    exchange = TunnelExchange(
      to: isRooted && IPAddress(route.host) == nil ? route.host + "." : route.host, port: route.port,
      fields: fields, isOldVersion: hop.server.isOld, mode: pool.configuration.parsing,
      limits: pool.configuration.parserLimits)
    if challenges == nil {
      var authentication = HTTPAuthentication(
        .proxy, of: hop.place, allowing: hop.server.authentication, login: hop.server.login)
      if !hop.server.statesAuthorization, let known = pool.withCredentials({ hop.knownSpace(in: $0) }) {
        authentication.begin(with: known)
      } else if let login = hop.server.loginAtOnce {
        authentication.openNTLM(with: login, isKept: true)
      }
      challenges = ChallengeStage(authentication)
    }
    authorize()
  }

  /// The proxy has to be connected to once more.
  func startOver() {
    leave()?.close()
    stage = .initial
    connect()
  }

  /// A SOCKS proxy that could not reach one address may reach the next.
  private func refused(_ error: SOCKSError) {
    guard error.mayTryAnotherAddress, targets.count > 1 else { return fail(.socks(error)) }
    targets.removeFirst()
    startOver()
  }
}

// MARK: - Bytes

extension TunnelConnector: ChannelOwner {
  func channelIsReady(hasRoom: Bool) {
    switch stage {
    case .securing(let channel): advanceHandshake(of: channel)
    case .asking(let channel):
      if !outgoing.isEmpty || channel.unsentBytes > 0 { flush(channel) }
      receive()
    case .initial, .resolving, .connecting, .over: break
    }
  }

  /// Sends a message, and goes on with the bytes received meanwhile.
  func send(_ bytes: [UInt8]) {
    (outgoing, sent) = (bytes, 0)
    guard case .asking(let channel) = stage else { return }
    flush(channel)
    // After the caller has returned: the next bytes may change everything.
    loop.enqueue { [connector = LoopConfined(self)] in connector.value.receive() }
  }

  private func flush(_ channel: any Channel) {
    while sent < outgoing.count {
      let result = outgoing.withUnsafeBytes { channel.write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
      switch result {
      case .bytes(let count): sent += count
      case .later: return
      // What the proxy said before that is still to be read; its end is, too.
      case .failed: return
      }
    }
    _ = channel.flush()
    if !outgoing.isEmpty { wasSent() }
  }

  /// All of the message is on its way.
  private func wasSent() {
    let message = outgoing
    (outgoing, sent) = ([], 0)
    // A proxy that has refused by then does not want it any more.
    try? exchange?.sent(message)
  }

  func receive() {
    while case .asking(let channel) = stage, channel.mayRead, !isPaused {
      // A handshake of SOCKS is read to its last byte and no further; what follows a head is kept.
      let most = socks?.bytesWanted ?? TunnelConnector.pieceSize
      guard most > 0 else { return }
      var reading = ChannelReading.later
      let piece = [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
        reading = channel.read(
          into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<most]))
        if case .bytes(let read) = reading { count = read }
      }
      switch reading {
      case .bytes:
        pending += piece
        take()
      case .later: return
      case .end: return peerEnded(nil)
      case .failed(let fault): return peerEnded(fault)
      }
    }
  }

  private static var pieceSize: Int { 16 * 1024 }

  /// The proxy's answer has been taken, and what follows is not known yet.
  private var isPaused: Bool { socks == nil && (round.hasEnded || round.isBeingProved) }

  private func take() {
    if socks != nil { takeSOCKS() } else { takeAnswer() }
  }

  private func takeSOCKS() {
    do throws(SOCKSError) {
      var consumed = 0
      let action = try socks?.receive(pending.span, consumed: &consumed)
      pending.removeFirst(consumed)
      switch action {
      case .send(let bytes): send(bytes)
      case .done: succeed()
      case .needsMore, nil: break
      }
    } catch {
      refused(error)
    }
  }

  private func peerEnded(_ fault: ChannelFault?) {
    if let error = socks?.peerEnded() { return fail(.socks(error)) }
    if case .tls(let error) = fault, !error.isTruncation { return fail(.tls(error)) }
    answerEnded(fault)
  }
}
