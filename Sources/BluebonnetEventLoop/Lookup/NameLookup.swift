import Glibc

/// One question to the system's resolver, asked on a thread of its own because `getaddrinfo` blocks.
///
/// `@unchecked Sendable`: `completion` is only touched in loop context, the rest does not change.
package final class NameLookup: @unchecked Sendable {
  package typealias Answer = Result<[SocketAddress], LookupFailure>
  /// What blocks until it knows the addresses of a host.
  package typealias Resolver = @Sendable (_ host: String) -> Answer

  private let loop: EventLoop
  private let host: String
  private let port: UInt16
  private let resolver: Resolver
  private var completion: ((Answer) -> Void)?

  private init(
    loop: EventLoop, host: String, port: UInt16, resolver: @escaping Resolver,
    completion: @escaping (Answer) -> Void
  ) {
    self.loop = loop
    self.host = host
    self.port = port
    self.resolver = resolver
    self.completion = completion
  }

  /// Asks for the addresses of `host`. The answer arrives in loop context, after this call has returned, unless the
  /// lookup is cancelled before. In loop context only.
  package static func resolve(
    host: String, port: UInt16, on loop: EventLoop, resolver: Resolver? = nil,
    completion: @escaping (Answer) -> Void
  ) -> NameLookup {
    assert(loop.isHeld)
    let lookup = NameLookup(
      loop: loop, host: host, port: port, resolver: resolver ?? { Syscall.addresses(of: $0) },
      completion: completion)
    workers.add(lookup)
    return lookup
  }

  /// Gives up: the completion is not called any more. In loop context only.
  package func cancel() {
    assert(loop.isHeld)
    completion = nil
    Self.workers.remove(self)
  }

  /// The addresses that are known without asking anyone: of literals, and of this machine (RFC 6761 §6.3 wants
  /// `localhost` and what is below it answered without the DNS).
  package static func immediateAddresses(of host: String, port: UInt16) -> [SocketAddress]? {
    if let address = SocketAddress(literal: host, port: port) { return [address] }
    var name = host.lowercased()
    if name.hasSuffix(".") { name.removeLast() }
    guard name == "localhost" || name.hasSuffix(".localhost") else { return nil }
    return [.loopback6(port: port), .loopback(port: port)]
  }

  fileprivate func run() {
    deliver(resolver(host))
  }

  fileprivate func deliver(_ answer: Answer) {
    let port = port
    let answer = answer.map { addresses in
      addresses.map { address in
        var address = address
        address.port = port
        return address
      }
    }
    loop.enqueue { self.completion.take()?(answer) }
  }

  fileprivate func fail(_ error: SystemError) {
    deliver(.failure(LookupFailure(host: host, code: EAI_SYSTEM, errno: error.errno)))
  }

  private static let workers = Workers()
}

/// `@unchecked Sendable`: `queue` is guarded by `mutex`.
private final class Workers: @unchecked Sendable {
  private let mutex = AdaptiveMutex()
  private var queue = LookupQueue<NameLookup>()

  func add(_ lookup: NameLookup) {
    guard mutex.withLock({ queue.add(lookup) }) else { return }
    do throws(SystemError) {
      let thread = try SystemThread.start(name: "bluebonnet-dns") { self.work() }
      thread.detach()
    } catch {
      for abandoned in mutex.withLock({ queue.threadFailed() }) { abandoned.fail(error) }
    }
  }

  func remove(_ lookup: NameLookup) {
    mutex.withLock { queue.remove(lookup) }
  }

  private func work() {
    while let lookup = mutex.withLock({ queue.next() }) { lookup.run() }
  }
}
