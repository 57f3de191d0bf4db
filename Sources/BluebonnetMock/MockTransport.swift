// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetLibc
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTransport
import BluebonnetURLLoading

/// Answers a session's requests within the process: no socket, no name lookup, no TLS, and all the rest as it always is.
///
///     let mock = MockTransport()
///     mock.on("https://api.example.com/users/1", .json(["name": "Ann"]))
///     let session = Session(configuration: mock.configuration)
///     let user = try await session.request("https://api.example.com/users/1").serializingDecodable(User.self).value
///
/// What stands in for the network is a stream of bytes in memory. Everything above it does its work: encoders, adapters,
/// validators and retriers; redirects, cookies, challenges and the cache; time-outs, the pool of connections, content
/// codings and metrics. See <doc:TestingWithTheMock>.
///
/// All members may be used from any thread.
public final class MockTransport: Sendable {
  /// Answers a request. It runs as a task of its own and may take its time; what it throws is answered as a 500.
  public typealias Answer = @Sendable (MockRequest) async throws -> ScriptedReply

  /// The fate of new connections.
  public enum Network: Sendable, Hashable, CaseIterable {
    /// Each reaches the mock; the default.
    case up
    /// No route leads anywhere: requests fail with `.notConnectedToInternet`.
    case offline
    /// Nothing listens: requests fail with `.cannotConnectToHost`.
    case refusing
    /// No name is known: requests fail with `.cannotFindHost`.
    case namesUnknown
    /// Nothing answers: requests fail with `.timedOut` when their time is over.
    case silent
  }

  private struct State {
    var routes = MockRoutes()
    var requests: [MockRequest] = []
    var unanswered: [MockRequest] = []
    var network = Network.up
    var connectionCount = 0
    /// Made with the first connection.
    var server: ChannelServer?
  }

  private let state = Locked(State())

  /// A mock that answers nothing yet.
  public init() {}

  // MARK: Sessions

  /// A configuration for sessions that are answered by this mock: that of `URLSessionConfiguration.af.ephemeral` otherwise.
  public var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.af.ephemeral
    attach(to: configuration)
    return configuration
  }

  /// Has sessions that are made of a configuration from here on answered by this mock. They keep it.
  ///
  /// Its `protocolClasses` are asked before the mock, and `file:` and `data:` URLs are loaded as ever.
  public func attach(to configuration: URLSessionConfiguration) {
    configuration.dial = { [self] route, loop in connect(route, loop) }
  }

  // MARK: Answers

  /// Answers requests with these replies, one after the other; the last one stays. Earlier replies for them are gone.
  ///
  /// - Parameters:
  ///   - address: A URL with or without a query, or a path (beginning with `/`) with or without one, of any host. Without a
  ///     query it stands for all queries.
  ///   - method: The method; nil, the default, for all.
  ///   - replies: The replies. Without any, earlier ones are taken back.
  public func on(_ address: String, method: HTTPMethod? = nil, _ replies: ScriptedReply...) {
    change { $0.set(address, method, replies: replies) }
  }

  /// Answers requests with a closure's replies. Earlier replies for them are gone.
  ///
  /// - Parameters:
  ///   - address: As for `on(_:method:_:)` with replies.
  ///   - method: The method; nil, the default, for all.
  ///   - answer: Called with each request when the whole of it is there.
  public func on(_ address: String, method: HTTPMethod? = nil, answer: @escaping Answer) {
    change { $0.set(address, method, answer: answer) }
  }

  /// Answers whatever nothing else is set for. Without it, that is answered with a 501 that names the request.
  public func otherwise(_ answer: Answer?) {
    change { $0.setFallback(answer) }
  }

  /// Changes the routes. An earlier answer goes when the lock is free: at its end, its captures may ask the mock.
  private func change(_ change: (inout MockRoutes) -> Void) {
    let earlier = state.withLock { state in
      let earlier = state.routes
      change(&state.routes)
      return earlier
    }
    withExtendedLifetime(earlier) {}
  }

  // MARK: Faults

  /// The fate of new connections. Setting anything but ``Network/up`` resets those that are open, too.
  public var network: Network {
    get { state.withLock { $0.network } }
    set {
      state.withLock { $0.network = newValue }
      if newValue != .up { dropConnections(resetting: true) }
    }
  }

  /// Closes all connections now, in the middle of what they do.
  ///
  /// - Parameter resetting: Whether the session sees a reset instead of the end of the stream.
  public func dropConnections(resetting: Bool = false) {
    state.withLock(\.server)?.dropConnections(resetting: resetting)
  }

  // MARK: Received requests

  /// The requests that were received, in order. All are kept, with their bodies, until ``forgetRequests()``.
  public var requests: [MockRequest] { state.withLock { $0.requests } }

  /// Those of them that nothing was set for.
  public var unansweredRequests: [MockRequest] { state.withLock { $0.unanswered } }

  /// The number of connections made.
  public var connectionCount: Int { state.withLock { $0.connectionCount } }

  /// Forgets the requests received so far.
  public func forgetRequests() {
    state.withLock { state in
      state.requests = []
      state.unanswered = []
    }
  }

  // MARK: The other side

  private func connect(_ route: Route, _ loop: EventLoop) -> DialOutcome {
    switch network {
    case .up: break
    case .offline: return .failed(.failed(SystemError(errno: ENETUNREACH, call: "connect"), address: nil))
    case .refusing: return .failed(.failed(SystemError(errno: ECONNREFUSED, call: "connect"), address: nil))
    case .namesUnknown:
      return .failed(.unresolved(LookupFailure(host: route.host, code: EAI_NONAME, errno: 0)))
    case .silent: return .silence
    }
    let server = state.withLock { state in
      state.connectionCount += 1
      if let known = state.server { return known }
      let server = ChannelServer { [weak self] record, base, answer in self?.take(record, base, answer) }
      state.server = server
      return server
    }
    guard let channel = server.connect(on: loop, base: Self.base(of: route)) else { return .silence }
    return .connected(channel)
  }

  private static func base(of route: Route) -> String {
    let scheme = route.isSecure ? "https" : "http"
    let host = route.host.contains(":") ? "[\(route.host)]" : route.host
    return route.port == (route.isSecure ? 443 : 80)
      ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(route.port)"
  }

  /// In loop context, where only the library's own code runs.
  private func take(
    _ record: RecordedRequest, _ base: String, _ answer: @escaping @Sendable (ScriptedReply) -> Void
  ) {
    guard let request = MockRequest(record, base: base) else {
      return answer(.text("the mock cannot read the target \(record.target)", status: 400))
    }
    let verdict = state.withLock { state in
      state.requests.append(request)
      let verdict = state.routes.next(for: request)
      if case .none = verdict { state.unanswered.append(request) }
      return verdict
    }
    switch verdict {
    case .reply(let reply): answer(reply.fitting(request.method))
    case .none:
      answer(
        .text("the mock has no answer to \(request.method.rawValue) \(request.url)", status: 501)
          .fitting(request.method))
    case .ask(let ask):
      // Ahead of the tasks that wait for the answer, of which a run of tests may have thousands: to them the mock is a server,
      // with processors of its own.
      Task(priority: .high) {
        do {
          answer(try await ask(request).fitting(request.method))
        } catch {
          answer(.text("the mock's answer failed: \(error)", status: 500).fitting(request.method))
        }
      }
    }
  }
}
