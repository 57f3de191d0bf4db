// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetMessages
import BluebonnetTLS

/// Fetches the answers of responders and distribution points: over plain HTTP, by sessions of its own, so that no cookie,
/// credential, cache, header or delegate of another session is used, and no proxy but those named for it.
final class RevocationClient: RevocationFetcher {
  /// Without proxies.
  static let direct = RevocationClient()

  /// Bytes of an answer at most.
  static let sizeLimit = 1 << 20
  /// Seconds that one fetch may take, whatever its server does.
  private static let timeLimit = RevocationEvaluation.patience
  /// From one place to another, by the same scheme.
  private static let redirectLimit = 3
  private static let loop = URLSessionConfiguration.EventLoop(name: "bb-revocation")

  private let settings: URLSessionConfiguration.Settings
  /// By whether they may connect to private networks; made when something is fetched for the first time.
  private let sessions = Locked<[Bool: URLSession]>([:])

  /// - Parameter settings: Those of the session that it fetches for: which proxies, and how they are spoken to. Nothing else of them is
  ///   kept.
  init(for settings: URLSessionConfiguration.Settings = URLSessionConfiguration.Settings()) {
    // Without any store of `default` and `ephemeral`.
    var values = URLSessionConfiguration.Settings()
    values.httpShouldSetCookies = false
    values.requestCachePolicy = .reloadIgnoringLocalCacheData
    values.timeoutIntervalForRequest = Self.timeLimit
    values.timeoutIntervalForResource = Self.timeLimit
    values.timeoutIntervalForIdleConnections = Self.timeLimit
    values.redirectLimit = Self.redirectLimit
    values.responseBodyLimitInMemory = Self.sizeLimit
    values.decodesResponseContent = false
    values.proxySelection = settings.revocationProxySelection.asOfNow
    values.proxyTrustAnchors = settings.proxyTrustAnchors
    values.verifiesProxyCertificates = settings.verifiesProxyCertificates
    values.evaluatesOwnAnchorsStrictly = settings.evaluatesOwnAnchorsStrictly
    values.revocationListFiles = settings.revocationListFiles
    values.requiresRevocationLists = settings.requiresRevocationLists
    values.tls = settings.tls
    values.tlsMinimumSupportedProtocolVersion = settings.tlsMinimumSupportedProtocolVersion
    values.tlsMaximumSupportedProtocolVersion = settings.tlsMaximumSupportedProtocolVersion
    // But not where the origin is.
    values.addressFamily = settings.addressFamily
    values.networkInterface = settings.networkInterface
    values.localAddress = settings.localAddress
    values.localPorts = settings.localPorts
    values.keepAliveInterval = settings.keepAliveInterval
    values.resolver = settings.resolver
    values.eventLoop = Self.loop
    self.settings = values
  }

  deinit {
    for session in sessions.withLock({ $0.values }) { session.finishTasksAndInvalidate() }
  }

  private func session(mayStayPrivate: Bool) -> URLSession {
    sessions.withLock { sessions in
      if let known = sessions[mayStayPrivate] { return known }
      let made = makeSession(mayStayPrivate: mayStayPrivate)
      sessions[mayStayPrivate] = made
      return made
    }
  }

  private func makeSession(mayStayPrivate: Bool) -> URLSession {
    var values = settings
    values.avoidsPrivateAddresses = !mayStayPrivate
    // A waiting caller holds a thread of the dispatch queues': there are 255 at most, and new ones come one a second once
    // there are as many as processors: no queue could tell the waiter in time that the answer is there.
    return URLSession(
      configuration: URLSessionConfiguration(values),
      delegate: PlainRedirects(mayStayPrivate: mayStayPrivate), executor: .loop(Self.loop.loop))
  }

  /// Blocks until it is there.
  ///
  /// - Parameter end: When it is given up, at the latest.
  func fetch(_ errand: RevocationErrand, until end: DispatchTime) throws(RevocationFault) -> [UInt8] {
    guard let url = URL(string: errand.address), url.isPlain else {
      throw .unreachable("its address is of no use")
    }
    guard errand.mayStayPrivate || !url.namesPrivateNetwork else {
      throw .unreachable("its address is in a private network, and the server's is not")
    }
    var request = URLRequest(url: url)
    if let body = errand.body {
      request.httpMethod = "POST"
      request.httpBody = Data(body)
      request.setValue("application/ocsp-request", forHTTPHeaderField: "Content-Type")
      request.setValue("application/ocsp-response", forHTTPHeaderField: "Accept")
    }
    let answer = Handover<Result<[UInt8], RevocationFault>>()
    let session = session(mayStayPrivate: errand.mayStayPrivate)
    let task = session.dataTask(with: request)
    // On the loop, as the delegate: a completion handler would be called on the delegate queue.
    task.completion = .data(
      { data, response, error in answer.give(Self.result(data, response, error)) }, isOurs: true)
    task.resume()
    guard let result = answer.wait(until: end) else {
      task.cancel()
      throw .unreachable("no answer within the time that is left")
    }
    return try result.get()
  }

  private static func result(
    _ data: Data?, _ response: URLResponse?, _ error: (any Error)?
  ) -> Result<[UInt8], RevocationFault> {
    if let error {
      let text = (error as? URLError)?.localizedDescription ?? "\(error)"
      return .failure(.unreachable("it cannot be fetched: \(text)"))
    }
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200, let data else { return .failure(.unreachable("its server answers \(status)")) }
    return .success([UInt8](data))
  }
}

/// Follows redirects over plain HTTP only: another scheme would bring certificates of its own, or lead to files.
private final class PlainRedirects: URLSessionTaskDelegate {
  private let mayStayPrivate: Bool

  init(mayStayPrivate: Bool) {
    self.mayStayPrivate = mayStayPrivate
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let follows = request.url.map { $0.isPlain && (mayStayPrivate || !$0.namesPrivateNetwork) } ?? false
    completionHandler(follows ? request : nil)
  }
}

extension RevocationService {
  /// That of the whole process, without proxies.
  package static let shared = RevocationService(RevocationClient.direct)

  /// The process's for nearly all sessions; one of its own for a session that has named proxies for it.
  static func service(for settings: URLSessionConfiguration.Settings) -> RevocationService {
    if settings.revocationProxySelection.isNone { return .shared }
    return RevocationService(RevocationClient(for: settings))
  }
}

extension URL {
  /// HTTP without TLS, and without an identity.
  fileprivate var isPlain: Bool { scheme?.lowercased() == "http" && host != nil && user == nil }

  /// Whether the host is in a private network for what it is called. Connections are held to addresses; a proxy makes its own.
  fileprivate var namesPrivateNetwork: Bool {
    // Numbers, too, are addresses in other spellings.
    guard let host, let name = try? HostName.canonical(host) else { return true }
    return RevocationReach.includesPrivateNetworks(host: name, peer: nil)
  }
}
