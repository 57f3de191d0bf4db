import BluebonnetEventLoop
import BluebonnetTLS

/// A client's connections: one group per endpoint, shared time-outs and TLS context.
///
/// Unchecked because everything but the constants is touched only while the loop is held.
package final class ConnectionPool: @unchecked Sendable {
  package struct Configuration: Sendable {
    /// 6 is what URLSession and the browsers use.
    package var maximumConnectionsPerEndpoint = 6
    /// How long an unused connection is kept, in nanoseconds. Servers commonly keep theirs 5 to 75 s.
    package var idleTimeout: UInt64 = 60_000_000_000
    package var tls: TLSClientConfiguration
    /// Looks names up; nil for the system's resolver.
    package var resolver: NameLookup.Resolver?

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
  package private(set) var isInvalidated = false
  @exclusivity(unchecked) private var plaintext = ReceiveBuffer()

  package init(configuration: Configuration, loop: EventLoop = .shared) {
    self.configuration = configuration
    self.loop = loop
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
