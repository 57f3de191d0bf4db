// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLibc
import BluebonnetSemantics

/// Turns a target into a connected socket: finds its addresses and races them.
///
/// Loop-confined. While it works, the loop keeps it alive; once it has completed, nothing does.
package final class SocketConnector {
  package typealias Completion = (Result<ConnectedChannel, ConnectError>, ConnectTimestamps) -> Void

  private let loop: EventLoop
  private let target: ConnectTarget
  private let deadline: MonotonicTime?
  private let attemptDelay: Duration
  private let resolver: NameResolver
  private let rules: ConnectRules?
  private var completion: Completion?

  private var timestamps = ConnectTimestamps()
  private var phase = LoadingPhase.resolving
  private var lookup: NameLookup?
  private var race = AddressRace([])
  private var attempts: [Int: ConnectAttempt] = [:]
  private var staggerTimer: TimerToken?
  private var deadlineTimer: TimerToken?

  /// The completion is called once, in loop context, never from within `start` or `cancel`.
  package init(
    loop: EventLoop, target: ConnectTarget, deadline: MonotonicTime? = nil,
    attemptDelay: Duration = AddressRace.defaultStagger, resolver: NameResolver,
    rules: ConnectRules? = nil, completion: @escaping Completion
  ) {
    self.loop = loop
    self.target = target
    self.deadline = deadline
    self.attemptDelay = attemptDelay
    self.resolver = resolver
    self.rules = rules
    self.completion = completion
  }

  package func start() {
    if let deadline {
      deadlineTimer = loop.schedule(at: deadline) { self.finish(.failure(.timedOut(self.phase))) }
    }
    switch target {
    case .unixPath(let path):
      if let address = SocketAddress(unixPath: path) {
        connect(to: [address])
      } else {
        finish(.failure(.invalidTarget(.unusablePath)))
      }
    case .host(let host, let port):
      do throws(InvalidHost) {
        find(try Self.lookupName(of: host), port)
      } catch {
        finish(.failure(.invalidTarget(error)))
      }
    }
  }

  /// Gives up, closes all open sockets, and completes with `.cancelled`, unless it has completed before.
  package func cancel() {
    finish(.failure(.cancelled))
  }

  /// Sockets that are underway.
  var openAttempts: Int { attempts.count }

  /// A name with the root's dot is looked up with it: the resolver's search list does not apply to it.
  private static func lookupName(of host: String) throws(InvalidHost) -> String {
    let name = try CanonicalHost(host).name
    guard host.utf8.last == UInt8(ascii: "."), SocketAddress(literal: name, port: 0) == nil else {
      return name
    }
    return name + "."
  }

  private func find(_ host: String, _ port: UInt16) {
    if let rules, !rules.addresses.isEmpty {
      return connect(to: rules.addresses.compactMap { SocketAddress(literal: $0, port: port) }, of: host)
    }
    if let addresses = NameLookup.immediateAddresses(of: host, port: port) {
      return connect(to: addresses, of: host)
    }
    timestamps.lookupStart = loop.now
    lookup = resolver.resolve(host: host, port: port, on: loop) { answer in
      self.lookup = nil
      self.timestamps.lookupEnd = self.loop.now
      switch answer {
      case .success(let addresses): self.connect(to: addresses, of: host)
      case .failure(let failure): self.finish(.failure(.unresolved(failure)))
      }
    }
  }

  /// Connects to those of a host's addresses that may be used.
  private func connect(to addresses: [SocketAddress], of host: String) {
    guard let rules else { return connect(to: addresses) }
    let allowed = rules.allowed(addresses)
    guard !allowed.isEmpty else {
      return finish(.failure(.unresolved(LookupFailure(host: host, code: EAI_NONAME, errno: 0))))
    }
    connect(to: allowed)
  }

  private func connect(to addresses: [SocketAddress]) {
    phase = .connecting
    timestamps.connectStart = loop.now
    race = AddressRace(addresses, stagger: attemptDelay)
    perform(race.start(now: loop.now))
  }

  private func perform(_ actions: [AddressRace.Action]) {
    for action in actions {
      switch action {
      case .setTimer(let time): setStaggerTimer(time)
      case .open(let id, let address): open(id, address)
      case .close(let id): attempts.removeValue(forKey: id)?.close()
      case .succeed(let id): succeed(id)
      case .fail(let error, let address): finish(.failure(.failed(error, address: address)))
      }
    }
  }

  private func setStaggerTimer(_ time: MonotonicTime?) {
    if let timer = staggerTimer.take() { loop.cancel(timer) }
    guard let time else { return }
    staggerTimer = loop.schedule(at: time) {
      self.staggerTimer = nil
      self.perform(self.race.staggerIsOver(now: self.loop.now))
    }
  }

  private func open(_ id: Int, _ address: SocketAddress) {
    assert(id == timestamps.tried.count, "a race numbers its attempts in their order")
    timestamps.tried.append(TriedAddress(address))
    let attempt = ConnectAttempt(loop: loop, address: address, rules: rules) { outcome in
      switch outcome {
      case .success:
        self.timestamps.remoteAddress = address
        self.perform(self.race.attemptSucceeded(id: id))
      case .failure(let error):
        self.attempts[id] = nil
        self.timestamps.tried[id].error = error
        self.perform(self.race.attemptFailed(id: id, error, now: self.loop.now))
      }
    }
    attempts[id] = attempt
    attempt.start()
  }

  private func succeed(_ id: Int) {
    guard let channel = attempts.removeValue(forKey: id)?.takeChannel() else {
      assertionFailure("an attempt that has succeeded has its socket")
      return
    }
    timestamps.connectEnd = loop.now
    timestamps.localAddress = channel.localAddress
    finish(.success(ConnectedChannel(channel)))
  }

  private func finish(_ result: Result<ConnectedChannel, ConnectError>) {
    guard let completion = completion.take() else { return }
    perform(race.cancel())
    lookup.take()?.cancel()
    if let timer = deadlineTimer.take() { loop.cancel(timer) }
    let delivery = LoopConfined { [timestamps] in completion(result, timestamps) }
    loop.enqueue { delivery.value() }
  }
}
