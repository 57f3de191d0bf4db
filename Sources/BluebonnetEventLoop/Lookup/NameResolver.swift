// SPDX-License-Identifier: MIT
import BluebonnetLibc
import BluebonnetLocks

/// Finds the addresses of hosts: in the hosts file, and by the system's resolver, on threads because `getaddrinfo`
/// blocks.
///
/// Names that do not get an answer hold up others only when there are as many of them as the limit says, and each only as
/// as long as it has a waiter. Names of the hosts file are never held up. Threads end with their work.
package final class NameResolver: Sendable {
  package typealias Answer = Result<[SocketAddress], LookupFailure>
  /// Blocks until it knows the addresses of a host.
  package typealias Resolver = @Sendable (_ host: String) -> Answer
  /// Answers at once, or not at all.
  package typealias LocalNames = @Sendable (_ host: String) -> [SocketAddress]?

  private let local: LocalNames
  private let resolver: Resolver
  private let schedule: Locked<LookupSchedule<NameLookup>>

  /// The number of names looked up at once; curl and Go have no limit of their own.
  package static let usualLimit = 64

  /// The process's: sessions without a limit of their own share lookups and threads, so that short-lived ones do not each
  /// leave threads behind with names that get no answer.
  package static let shared = NameResolver()

  /// - Parameter limit: The number of names with waiters that are looked up at once.
  package init(
    limit: Int = usualLimit, local: @escaping LocalNames = { HostsFile.addresses(of: $0) },
    resolver: @escaping Resolver = { Syscall.addresses(of: $0) }
  ) {
    self.local = local
    self.resolver = resolver
    schedule = Locked(LookupSchedule(limit: limit))
  }

  /// Asks for the addresses of `host`. The answer arrives in loop context, after this call has returned, unless the
  /// lookup is cancelled before. In loop context only.
  package func resolve(
    host: String, port: UInt16, on loop: EventLoop, completion: @escaping (Answer) -> Void
  ) -> NameLookup {
    assert(loop.isHeld)
    let lookup = NameLookup(host: host, port: port, loop: loop, resolver: self, completion: completion)
    if let work = schedule.withLock({ $0.add(lookup, for: Self.key(host)) }) { start(work) }
    return lookup
  }

  /// The number of threads with the resolver, and of those without waiters.
  package var threads: (asked: Int, abandoned: Int) {
    schedule.withLock { ($0.asked, $0.abandoned) }
  }

  /// Nothing is being looked up and no thread is left.
  package var isIdle: Bool { schedule.withLock { $0.isEmpty } }

  func cancel(_ lookup: NameLookup) {
    if let work = schedule.withLock({ $0.cancel(lookup, for: Self.key(lookup.host)) }) { start(work) }
  }

  /// Names are the same in either case (RFC 4343).
  private static func key(_ host: String) -> String { host.lowercased() }

  private func start(_ work: LookupSchedule<NameLookup>.Work) {
    do throws(SystemError) {
      try SystemThread.start(name: "bluebonnet-dns") { self.run(work) }.detach()
    } catch {
      for lookup in schedule.withLock({ $0.threadFailed(for: work) }) {
        lookup.deliver(.failure(LookupFailure(host: lookup.host, code: EAI_SYSTEM, errno: error.errno)))
      }
    }
  }

  /// A thread's life.
  private func run(_ work: LookupSchedule<NameLookup>.Work) {
    var next: LookupSchedule<NameLookup>.Work? = work
    while let work = next {
      switch work {
      case .local: next = lookLocally()
      case .ask(let host): next = ask(host)
      }
    }
  }

  private func lookLocally() -> LookupSchedule<NameLookup>.Work? {
    while let host = schedule.withLock({ $0.nextLocal() }) {
      if let addresses = local(host) {
        for lookup in schedule.withLock({ $0.found(host) }) { lookup.deliver(.success(addresses)) }
      } else if let (next, needsSuccessor) = schedule.withLock({ $0.notFound(host) }) {
        if needsSuccessor { start(.local) }
        return next
      }
    }
    return nil
  }

  private func ask(_ host: String) -> LookupSchedule<NameLookup>.Work? {
    let answer = resolver(host)
    let (waiters, next) = schedule.withLock { $0.answered(host) }
    for lookup in waiters { lookup.deliver(answer) }
    return next
  }
}
