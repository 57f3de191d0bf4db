// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetContentCoding
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetLocks
import BluebonnetTLS

/// A client's connections: one group per route, shared time-outs and TLS contexts.
///
/// Unchecked because everything but the constants is touched only while the loop is held.
package final class ConnectionPool: @unchecked Sendable {
  package struct Configuration: Sendable {
    /// Of one route. 6 is what URLSession and the browsers use.
    package var maximumConnectionsPerEndpoint = 6
    /// For all routes together, idle ones included. Go's and curl's clients have no such limit; theirs is what the
    /// system gives.
    package var maximumConnections = 256
    /// The number of host names looked up at once; nil for a share of the process's.
    package var maximumLookups: Int?
    /// The time that an unused connection is kept, in nanoseconds. Servers commonly keep theirs 5 to 75 s.
    package var idleTimeout: UInt64 = 60_000_000_000
    /// The time that a server asked for a 100 may keep silent before the body goes out anyway, in nanoseconds
    /// (RFC 9110 §10.1.1 forbids waiting indefinitely; curl waits one second, too).
    package var continuePatience: UInt64 = 1_000_000_000
    /// The time that an address may keep silent before the next one is tried beside it, in nanoseconds (RFC 8305 §5).
    package var connectionAttemptDelay: UInt64 = 250_000_000
    package var tls: TLSClientConfiguration
    /// The TLS settings for proxies: their identity and trust are not the origins'.
    package var proxyTLS = TLSClientConfiguration(verification: .manual)
    /// The time for which the anchors' files are taken to be unchanged since their last check, in nanoseconds.
    package var anchorsInterval: UInt64 = 2_000_000_000
    /// Whether a proxy's certificate has to hold.
    package var verifiesProxies = true
    /// The syntax that a response may have.
    package var parsing = ParsingMode.tolerant
    package var parserLimits = ParserLimits.default
    /// The limits on the expansion of a coded body: one kept in memory, and one delivered piece by piece.
    package var decompressionInMemory = DecompressionLimit.inMemory
    package var decompressionWhenStreaming = DecompressionLimit.none
    /// The time between two attempts without a descriptor, in nanoseconds: the rest of the process does not report when it
    /// gives one back.
    package var descriptorDelay: UInt64 = 1_000_000_000
    /// Looks names up; nil for the system's resolver.
    package var resolver: NameResolver.Resolver?
    /// The rules for names and addresses besides the resolver's and the kernel's; nil where there are none.
    package var connectRules: ConnectRules?
    /// Connects in the place of sockets; nil for sockets.
    package var dial: Dial?

    package init(tls: TLSClientConfiguration) {
      self.tls = tls
    }
  }

  /// Everything that changes.
  private struct State: ~Copyable {
    var openConnectionCount = 0
    var closedConnectionCount = 0
    var occupied = 0
    var groups: [Route: EndpointGroup] = [:]
    /// The group asked for last; most clients talk to one origin at a time.
    var lastGroup: EndpointGroup?
    /// Made at the first https request under each, never before: loading trust anchors costs time.
    var contexts: [SecurityContext?: AnchoredContext] = [:]
    /// The same for proxies.
    var proxyContext = AnchoredContext()
    var certificateRequests = CertificateRequests()
    /// The credentials that origins and proxies have accepted.
    var credentials = AuthenticationCache()
    /// Groups with requests that wait for room here rather than for one of their own connections; first come, first served.
    var starved = WaitingQueue<ObjectIdentifier, EndpointGroup>()
    var shortage = Congestion.Scope.session
    /// Whether a look for waiters to admit is in the loop's mailbox; one comes later, since descriptors were short.
    var admitsSoon = false
    var admitsLater = false
    var isSweepScheduled = false
    var isInvalidated = false
    var plaintext = ReceiveBuffer()
  }

  package let configuration: Configuration
  package let loop: EventLoop
  /// Ends the loop's thread when it is released; nil where the loop has another owner.
  private let loopOwner: (any Sendable)?
  /// The sessions for resuming TLS: each ticket of TLS 1.3 for one connection only (RFC 8446 §C.4).
  let sessions = TLSSessionCache<Route>()
  let resolver: NameResolver
  // Exclusivity goes unchecked at run time, a tenth of a small request: only the holder of the loop gets
  // here, and members changed in place are values that call no other code.
  @exclusivity(unchecked) private var state = State()

  package var openConnectionCount: Int { state.openConnectionCount }
  /// Of all that there were: each has given back a descriptor.
  var closedConnectionCount: Int { state.closedConnectionCount }
  package var isInvalidated: Bool { state.isInvalidated }
  /// Connections being made, in use and idle, of all groups.
  var occupied: Int { state.occupied }
  /// The shortage that made a request wait last.
  var shortage: Congestion.Scope { state.shortage }
  /// Idle connections, and requests that wait for one, of all groups.
  package var idleAndWaiting: (idle: Int, waiting: Int) {
    state.groups.values.reduce(into: (idle: 0, waiting: 0)) { counts, group in
      counts.idle += group.machine.idle.count
      counts.waiting += group.machine.waitingCount
    }
  }
  /// Groups that hold something.
  var groupCount: Int { state.groups.count }

  package init(
    configuration: Configuration, loop: EventLoop, ownedBy loopOwner: (any Sendable)? = nil,
    resolver: NameResolver? = nil
  ) {
    self.configuration = configuration
    self.loop = loop
    self.loopOwner = loopOwner
    self.resolver =
      resolver ?? configuration.resolver.map { NameResolver(local: { _ in nil }, resolver: $0) }
      ?? configuration.maximumLookups.map { NameResolver(limit: $0) } ?? .shared
    Self.all.withLock { $0[ObjectIdentifier(self)] = Member(pool: self) }
  }

  deinit {
    let identity = ObjectIdentifier(self)
    Self.all.withLock { _ = $0.removeValue(forKey: identity) }
  }

  /// Closes idle connections now and all others as they come back.
  package func invalidate() {
    state.isInvalidated = true
    sessions.removeAll()
    closeIdle(parkedBefore: MonotonicTime(nanoseconds: .max))
  }

  /// Closes unused connections, and resumes no session of TLS from here on.
  package func closeIdle() {
    sessions.removeAll()
    state.certificateRequests.removeAll()
    closeIdle(parkedBefore: MonotonicTime(nanoseconds: .max))
  }

  /// The group of a route, or a new one that joins the pool once one of its requests asks for a connection.
  func group(for route: Route) -> EndpointGroup {
    if let last = state.lastGroup, last.isOf(route) { return last }
    guard let group = state.groups[route] else { return EndpointGroup(route: route, pool: self) }
    state.lastGroup = group
    return group
  }

  /// Makes a group known that is not.
  ///
  /// - Returns: the group of its route; another one if that was made meanwhile.
  func adopt(_ group: EndpointGroup) -> EndpointGroup {
    if let known = state.groups[group.route] { return known }
    state.groups[group.route] = group
    state.lastGroup = group
    group.isKnown = true
    return group
  }

  /// A group holds nothing any more.
  func forget(_ group: EndpointGroup) {
    guard group.isKnown else { return }
    group.isKnown = false
    state.groups[group.route] = nil
    if state.lastGroup === group { state.lastGroup = nil }
    if let security = group.route.security, !state.groups.keys.contains(where: { $0.security == security }) {
      state.contexts[security] = nil
    }
    guard group.isStarved else { return }
    group.isStarved = false
    _ = state.starved.remove(ObjectIdentifier(group))
  }

  /// Whether a request of an identity could be sent at once over a connection that has it already.
  package func hasIdle(_ route: Route, standingFor identity: ConnectionIdentity) -> Bool {
    state.groups[route.standing(for: identity)]?.machine.idle.contains { $0.connection.isQuiet } ?? false
  }

  /// Whether there is any server that is known to ask for a certificate.
  var knowsCertificateRequests: Bool { !state.certificateRequests.isEmpty }

  /// The server's known request for a certificate; nil where this evaluator has not accepted the server.
  func certificateRequest(of route: Route, for evaluator: AnyObject?) -> CertificateRequest? {
    state.certificateRequests.request(of: route.ofNobody, for: evaluator)
  }

  /// Whether this is what the server has asked the last time.
  func knows(_ request: CertificateRequest, of route: Route) -> Bool {
    state.certificateRequests.contains(request, of: route.ofNobody)
  }

  /// A server has asked for a certificate.
  func note(_ request: CertificateRequest, of route: Route, letInBy evaluator: AnyObject?) {
    state.certificateRequests.note(request, of: route.ofNobody, letInBy: evaluator)
  }

  /// The TLS settings of a security context; nil stands for the pool's own configuration.
  func configuration(for security: SecurityContext?) -> TLSClientConfiguration {
    security?.configuration ?? configuration.tls
  }

  /// - Parameter security: The identity and trust; nil for the pool's own configuration.
  func tlsContext(for security: SecurityContext?) throws(TLSError) -> TLSContext {
    let before = state.contexts[security]?.current
    let context = try state.contexts[security, default: AnchoredContext()].context(
      for: configuration(for: security), at: loop.now, interval: configuration.anchorsInterval)
    // They are of no use any more, and each would keep the anchors and lists that it was judged by.
    if let before, before !== context { sessions.remove(of: before) }
    return context
  }

  /// That for proxies.
  func proxyContext() throws(TLSError) -> TLSContext {
    try state.proxyContext.context(
      for: configuration.proxyTLS, at: loop.now, interval: configuration.anchorsInterval)
  }

  /// Whether any credentials are known, or how often a nonce was used. Stored, because each request asks.
  @exclusivity(unchecked) package private(set) var hasCredentials = false

  /// Lends the credentials that origins and proxies have accepted.
  package func withCredentials<R, Failure: Error>(
    _ body: (inout AuthenticationCache) throws(Failure) -> R
  ) throws(Failure) -> R {
    defer { hasCredentials = !state.credentials.isUnused }
    return try body(&state.credentials)
  }

  /// Forgets all credentials. Connections that are authenticated stay so.
  package func forgetCredentials() { withCredentials { $0 = AuthenticationCache() } }

  /// Lends the buffer for decrypted bytes on their way to the parser; one for all connections, since only one reads
  /// at a time.
  func withPlaintextBuffer<R, Failure: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> R
  ) throws(Failure) -> R {
    let buffer = state.plaintext.lend()
    defer { state.plaintext.giveBack(buffer) }
    return try body(buffer)
  }

  /// While `bytes` are being delivered: lets the caller keep the memory they are in, instead of copying them.
  func retainBuffer(for bytes: UnsafeRawBufferPointer) -> RetainedBuffer? {
    state.plaintext.keep(bytes) ?? loop.retainReceiveBuffer(for: bytes)
  }

  func opened() { state.openConnectionCount += 1 }
  func closed() {
    state.openConnectionCount -= 1
    state.closedConnectionCount += 1
  }
  /// The same of one that did not get to be open.
  func handshakeClosed() { state.closedConnectionCount += 1 }

  // MARK: - Room

  /// `maximumConnections`, unless the process may not have that many descriptors, of which others need some, too. It may come to
  /// have more or fewer while the pool is there, so this is asked whenever a connection is to be made.
  private var limit: Int {
    guard configuration.dial == nil else { return Swift.max(1, configuration.maximumConnections) }
    return Swift.max(1, Swift.min(configuration.maximumConnections, Syscall.descriptorLimit() / 4 * 3))
  }

  /// A connection is going to be made.
  func reserveSlot() { state.occupied += 1 }

  /// A connection is gone for the sake of one that is going to be made.
  func releaseSlot() { state.occupied -= 1 }

  /// Whether a group may have one more connection now; an idle one of another group is given up for it.
  func makeRoom() -> Bool {
    if hasStarved, starvedComeBefore(nil) { return false }
    return occupied < limit || giveUpIdle()
  }

  /// An idle connection to the same HTTP proxy, over which it was asked for another origin's resources: it is asked for any
  /// by the same connection (RFC 9112 §3.2.2). The one that was used last of those that are of use; nil if there is none.
  func lendIdle(to group: EndpointGroup) -> Connection? {
    guard group.route.isOfAnyOrigin, configuration.dial == nil else { return nil }
    while let other = lastUsed(besides: group) {
      // Without one that is of use it has none any more.
      if let lent = other.lendIdle() { return lent }
    }
    return nil
  }

  private func lastUsed(besides group: EndpointGroup) -> EndpointGroup? {
    var latest: (group: EndpointGroup, since: MonotonicTime)?
    for other in state.groups.values where other !== group && other.route.sharesConnections(with: group.route)
    {
      guard let since = other.machine.idle.last?.since else { continue }
      if let known = latest, known.since >= since { continue }
      latest = (other, since)
    }
    return latest?.group
  }

  /// The group that has waited for room longest, if its requests may go over connections of this route, too.
  func firstStarved(sharingWith route: Route) -> EndpointGroup? {
    guard configuration.dial == nil, let (_, first) = state.starved.first,
      first.route.sharesConnections(with: route)
    else { return nil }
    return first
  }

  /// A request that waited for room has got a connection that needs none.
  func servedWithoutRoom(_ group: EndpointGroup) {
    _ = state.starved.remove(ObjectIdentifier(group))
    group.isStarved = false
    if group.machine.waitingCount > 0, group.machine.needsConnection { waitForSlot(group, of: shortage) }
  }

  /// Closes the connection that has been idle for longest.
  ///
  /// - Returns: false if none is idle.
  func giveUpIdle() -> Bool {
    var oldest: (group: EndpointGroup, since: MonotonicTime)?
    for group in state.groups.values {
      guard let since = group.machine.idle.first?.since else { continue }
      if let known = oldest, known.since <= since { continue }
      oldest = (group, since)
    }
    return oldest?.group.giveUpIdle() ?? false
  }

  /// The same for a descriptor: all pools of the process share its descriptors, so one of another pool on this loop will do.
  func giveUpForDescriptor() -> Bool {
    giveUpIdle() || others.contains { $0.loop === loop && $0.giveUpIdle() }
  }

  /// The same among the pools on other loops, which takes a job on each of them.
  ///
  /// - Parameter completion: is told in this pool's loop context, after this call has returned: true as soon as one has
  ///   closed a connection, false when none has any.
  /// - Returns: false if there are no such pools, and then the completion is not called.
  func giveUpIdleOnOtherLoops(_ completion: @escaping (Bool) -> Void) -> Bool {
    let pools = Dictionary(grouping: others.filter { $0.loop !== loop }) { ObjectIdentifier($0.loop) }
    guard !pools.isEmpty else { return false }
    let poll = LoopConfined(IdlePoll(asked: pools.count, completion))
    for pools in pools.values {
      // A busy loop is not waited for: each is asked by a job in its own time.
      pools.first?.loop.enqueueForAnybody { [loop] in
        let found = pools.contains { $0.giveUpIdle() }
        loop.enqueue { poll.value.answered(found) }
      }
    }
    return true
  }

  /// Whether only descriptors are left that are not for connections: without one for its file, a download never gives its
  /// connection back. Looked at only where the pool has a good part of them; a channel dialled in place of a socket takes none.
  var lacksDescriptors: Bool {
    guard configuration.dial == nil else { return false }
    let limit = Syscall.descriptorLimit()
    return occupied > limit / 4 && Syscall.hasFewDescriptors(Swift.max(4, limit / 64), of: limit)
  }

  /// Something else than a connection lacks a descriptor: an idle connection is given up for it, of this pool or of another one.
  ///
  /// - Parameters:
  ///   - asksOtherLoops: Whether to ask those on other loops, too; that may take time.
  ///   - completion: Is told in loop context whether there was one.
  package func giveUpDescriptor(asksOtherLoops: Bool, _ completion: @escaping (Bool) -> Void) {
    if giveUpForDescriptor() { return completion(true) }
    if !asksOtherLoops || !giveUpIdleOnOtherLoops(completion) { completion(false) }
  }

  /// A pool of the process with a loop that runs on its own thread; nil if there is none.
  package static var anyThatGoes: ConnectionPool? {
    // Kept beyond the lock, as in `others`.
    all.withLock { $0.values.compactMap(\.pool) }.first { $0.loop.goesByItself }
  }

  /// The process's other pools, kept beyond the lock: the last reference to a pool takes it, too.
  private var others: [ConnectionPool] {
    Self.all.withLock { $0.values.compactMap(\.pool) }.filter { $0 !== self }
  }

  private struct Member: Sendable {
    weak let pool: ConnectionPool?
  }

  private static let all = Locked<[ObjectIdentifier: Member]>([:])

  var hasStarved: Bool { !state.starved.isEmpty }

  /// Whether a request of another group has waited for longer than this one.
  func starvedComeBefore(_ waiter: WaiterReference?) -> Bool {
    while let (_, first) = state.starved.first {
      if let other = first.machine.nextWaiter {
        return waiter.map { other.waiter.waitingSince < $0.waiter.waitingSince } ?? true
      }
      _ = state.starved.removeFirst()
      first.isStarved = false
    }
    return false
  }

  /// A group's request waits for room.
  func waitForSlot(_ group: EndpointGroup, of scope: Congestion.Scope) {
    state.shortage = scope
    if scope == .descriptors { admitLater() }
    guard !group.isStarved else { return }
    group.isStarved = true
    state.starved.append(ObjectIdentifier(group), group)
  }

  /// A connection is closed, and its slot is not taken by its own group.
  func slotFreed() {
    state.occupied -= 1
    admit()
  }

  /// Has the next one connect that waits for room, if there is any.
  ///
  /// One at a time: where descriptors are short, only one may have become free. Whether there are more is known when that
  /// one has connected, and then the next is admitted.
  func admit() {
    while hasStarved, occupied < limit, let (_, first) = state.starved.removeFirst() {
      first.isStarved = false
      if first.connectWaiting() { return }
    }
  }

  /// The same after all work already queued, once for all requests that have stopped waiting until then.
  func admitSoon() {
    guard hasStarved, !state.admitsSoon else { return }
    state.admitsSoon = true
    loop.enqueue { [weak self] in
      self?.state.admitsSoon = false
      self?.admit()
    }
  }

  /// The rest of the process may give descriptors back without a report.
  private func admitLater() {
    guard !state.admitsLater else { return }
    state.admitsLater = true
    _ = loop.schedule(at: loop.now.adding(.nanoseconds(configuration.descriptorDelay))) { [weak self] in
      self?.state.admitsLater = false
      self?.admit()
    }
  }

  /// Why requests wait that wait for room.
  var congestion: Congestion { congestion(of: shortage) }

  func congestion(of scope: Congestion.Scope) -> Congestion {
    Congestion(
      scope: scope, connections: occupied, heldBack: state.groups.values.reduce(0) { $0 + $1.heldBack })
  }

  // MARK: -

  /// A connection went idle: see to it that it does not stay for ever.
  func parked() {
    if !state.isSweepScheduled { scheduleSweep(in: configuration.idleTimeout) }
  }

  /// - Parameter wait: In nanoseconds.
  private func scheduleSweep(in wait: UInt64) {
    state.isSweepScheduled = true
    let deadline = MonotonicTime(nanoseconds: loop.now.nanoseconds &+ wait)
    _ = loop.schedule(at: deadline) { [weak self] in self?.sweep() }
  }

  private func sweep() {
    state.isSweepScheduled = false
    let now = loop.now.nanoseconds
    let limit = now > configuration.idleTimeout ? now - configuration.idleTimeout : 0
    closeIdle(parkedBefore: MonotonicTime(nanoseconds: limit))
    guard let oldest = state.groups.values.compactMap({ $0.machine.idle.first?.since.nanoseconds }).min()
    else { return }
    // When the next one's time is up; not for each of thousands, since all groups are looked at.
    let rest = configuration.idleTimeout - (now - oldest)
    scheduleSweep(in: max(rest, configuration.idleTimeout / 64))
  }

  private func closeIdle(parkedBefore limit: MonotonicTime) {
    for group in state.groups.values { group.closeIdle(parkedBefore: limit) }
  }
}
