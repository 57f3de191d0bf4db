import BluebonnetContentCoding
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetLocks
import BluebonnetTLS

/// A client's connections: one group per endpoint, shared time-outs and TLS context.
///
/// Unchecked because everything but the constants is touched only while the loop is held.
package final class ConnectionPool: @unchecked Sendable {
  package struct Configuration: Sendable {
    /// 6 is what URLSession and the browsers use.
    package var maximumConnectionsPerEndpoint = 6
    /// For all endpoints together, idle ones included. Go's and curl's clients have no such limit; theirs is what the
    /// system gives.
    package var maximumConnections = 256
    /// How many host names are looked up at once; nil for a share of the process's.
    package var maximumLookups: Int?
    /// How long an unused connection is kept, in nanoseconds. Servers commonly keep theirs 5 to 75 s.
    package var idleTimeout: UInt64 = 60_000_000_000
    package var tls: TLSClientConfiguration
    /// What a response may look like.
    package var parsing = ParsingMode.tolerant
    package var parserLimits = ParserLimits.default
    /// How far a coded body may expand that somebody keeps in memory, and one that goes elsewhere piece by piece.
    package var decompressionInMemory = DecompressionLimit.inMemory
    package var decompressionWhenStreaming = DecompressionLimit.none
    /// Looks names up; nil for the system's resolver.
    package var resolver: NameResolver.Resolver?

    package init(tls: TLSClientConfiguration) {
      self.tls = tls
    }
  }

  package let configuration: Configuration
  package let loop: EventLoop
  package private(set) var openConnectionCount = 0
  private var groups: [Endpoint: EndpointGroup] = [:]
  /// The group asked for last; most clients talk to one endpoint at a time.
  @exclusivity(unchecked) private var lastGroup: EndpointGroup?
  /// What to resume TLS connections with: each ticket of TLS 1.3 for one connection only (RFC 8446 §C.4).
  let sessions = TLSSessionCache<Endpoint>()
  private var context: Result<TLSContext, TLSError>?
  private var isSweepScheduled = false
  /// Connections being made, in use and idle, of all groups.
  @exclusivity(unchecked) var occupied = 0
  /// `maximumConnections`, unless the process may not have that many descriptors, of which others need some, too.
  let limit: Int
  /// Groups whose requests wait for room here rather than for one of their own connections; first come, first served.
  @exclusivity(unchecked) private var starved: [EndpointGroup] = []
  /// What there was too little of when somebody had to wait last.
  private(set) var shortage = Congestion.Scope.session
  let resolver: NameResolver
  package private(set) var isInvalidated = false
  @exclusivity(unchecked) private var plaintext = ReceiveBuffer()

  package init(configuration: Configuration, loop: EventLoop, resolver: NameResolver? = nil) {
    self.configuration = configuration
    self.loop = loop
    self.resolver =
      resolver ?? configuration.resolver.map { NameResolver(local: { _ in nil }, resolver: $0) }
      ?? configuration.maximumLookups.map { NameResolver(limit: $0) } ?? .shared
    defer { Self.all.withLock { $0[ObjectIdentifier(self)] = Member(pool: self) } }
    limit = Swift.max(1, Swift.min(configuration.maximumConnections, Syscall.descriptorLimit() / 4 * 3))
  }

  deinit {
    let identity = ObjectIdentifier(self)
    Self.all.withLock { _ = $0.removeValue(forKey: identity) }
  }

  /// Closes idle connections now and all others as they come back.
  package func invalidate() {
    isInvalidated = true
    sessions.removeAll()
    closeIdle(parkedBefore: MonotonicTime(nanoseconds: .max))
  }

  func group(for endpoint: Endpoint) -> EndpointGroup {
    if let lastGroup, lastGroup.endpoint == endpoint { return lastGroup }
    let group = groups[endpoint] ?? EndpointGroup(endpoint: endpoint, pool: self)
    groups[endpoint] = group
    lastGroup = group
    return group
  }

  /// Made at the first https request, never before: loading trust anchors costs time.
  func tlsContext() throws(TLSError) -> TLSContext {
    if let context { return try context.get() }
    let made = Result { () throws(TLSError) in try TLSContext(client: configuration.tls) }
    context = made
    return try made.get()
  }

  /// Lends the buffer for decrypted bytes on their way to the parser; one for all connections, since only one reads
  /// at a time.
  func withPlaintextBuffer<R, Failure: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> R
  ) throws(Failure) -> R {
    let buffer = plaintext.lend()
    defer { plaintext.giveBack(buffer) }
    return try body(buffer)
  }

  /// While `bytes` are being delivered: lets the caller keep the memory they are in, instead of copying them.
  func keepBuffer(for bytes: UnsafeRawBufferPointer) -> KeptBuffer? {
    plaintext.keep(bytes) ?? loop.keepReceiveBuffer(for: bytes)
  }

  func opened() { openConnectionCount += 1 }
  func closed() { openConnectionCount -= 1 }

  // MARK: - Room

  /// Whether a group may have one more connection now; an idle one of another group is given up for it.
  func makeRoom() -> Bool {
    if hasStarved, starvedComeBefore(nil) { return false }
    return occupied < limit || giveUpIdle()
  }

  /// Closes the connection that has been idle for longest.
  ///
  /// - Returns: false if none is idle.
  func giveUpIdle() -> Bool {
    var oldest: (group: EndpointGroup, since: MonotonicTime)?
    for group in groups.values {
      guard let since = group.machine.idle.first?.since else { continue }
      if let known = oldest, known.since <= since { continue }
      oldest = (group, since)
    }
    return oldest?.group.giveUpIdle() ?? false
  }

  /// The same among the process's other pools: descriptors are everybody's.
  func giveUpIdleElsewhere() -> Bool {
    others.contains { $0.loop === loop && $0.giveUpIdle() }
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
      // Nobody waits for a loop that is busy: each is asked by a job in its own time.
      pools.first?.loop.enqueue { [loop] in
        let found = pools.contains { $0.giveUpIdle() }
        loop.enqueue { poll.value.answered(found) }
      }
    }
    return true
  }

  /// The process's other pools, kept beyond the lock: the last reference to a pool takes it, too.
  private var others: [ConnectionPool] {
    Self.all.withLock { $0.values.compactMap(\.pool) }.filter { $0 !== self }
  }

  private struct Member: Sendable {
    weak let pool: ConnectionPool?
  }

  private static let all = Locked<[ObjectIdentifier: Member]>([:])

  var hasStarved: Bool { !starved.isEmpty }

  /// Whether a request of another group has waited for longer than this one.
  func starvedComeBefore(_ waiter: Exchange?) -> Bool {
    while let first = starved.first {
      if let other = first.machine.nextWaiter {
        return waiter.map { other.waitingSince < $0.waitingSince } ?? true
      }
      starved.removeFirst().isStarved = false
    }
    return false
  }

  /// A group's request waits for room.
  func starve(_ group: EndpointGroup, of scope: Congestion.Scope) {
    shortage = scope
    guard !group.isStarved else { return }
    group.isStarved = true
    starved.append(group)
  }

  /// A connection is gone whose place nobody of its group takes.
  func vacated() {
    occupied -= 1
    while occupied < limit, let first = starved.first {
      starved.removeFirst()
      first.isStarved = false
      // One at a time: where descriptors are short, only one has become free.
      if first.connectWaiting() { return }
    }
  }

  /// Why requests wait that wait for room.
  var congestion: Congestion { congestion(of: shortage) }

  func congestion(of scope: Congestion.Scope) -> Congestion {
    Congestion(
      scope: scope, connections: occupied, heldBack: groups.values.reduce(0) { $0 + $1.heldBack })
  }

  // MARK: -

  /// A connection went idle: see to it that it does not stay for ever.
  func parked() {
    guard !isSweepScheduled else { return }
    isSweepScheduled = true
    let deadline = MonotonicTime(nanoseconds: loop.now.nanoseconds &+ configuration.idleTimeout)
    _ = loop.schedule(at: deadline) { [weak self] in self?.sweep() }
  }

  private func sweep() {
    isSweepScheduled = false
    let now = loop.now.nanoseconds
    let limit = now > configuration.idleTimeout ? now - configuration.idleTimeout : 0
    closeIdle(parkedBefore: MonotonicTime(nanoseconds: limit))
    groups = groups.filter { !$0.value.machine.isEmpty }
    // Or it might be used again without being among those that are swept.
    lastGroup = nil
    if groups.values.contains(where: { !$0.machine.idle.isEmpty }) { parked() }
  }

  private func closeIdle(parkedBefore limit: MonotonicTime) {
    for group in groups.values { group.closeIdle(parkedBefore: limit) }
  }
}
