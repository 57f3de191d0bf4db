import BluebonnetCache
import BluebonnetFoundation
import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetTransport

// Whether the cache has something to do with a request.
extension LoadDriver: CollapsedWaiter {
  /// A fresh response in the cache's memory, where the rules are not needed. Called on the caller's thread, before the load.
  var plainAnswer: InMemoryResponseStore.PlainAnswer? {
    guard case .ofRequest = state.task.body, state.webSocket == nil, let request = state.task.originalRequest,
      owner?.presentsCredential(for: state.task) != true
    else { return nil }
    return engine.plainAnswer(to: request)
  }

  /// The request is about to go to a server: asks the cache first, once.
  ///
  /// - Parameter waitedSince: The load has waited for another one, which asked the server then.
  /// - Returns: false if the cache has nothing to do with it.
  func lookUpCache(waitedSince: Double? = nil) -> Bool {
    if state.cache != nil { return false }
    guard let session = engine.cache,
      let driver = CacheDriver.make(for: self, in: session, waitedSince: waitedSince)
    else {
      // Nothing is kept for such a request, and there may be nothing else to go by.
      guard
        CacheExchange.Mode(of: state.request, otherwise: engine.settings.requestCachePolicy) == .storedOnly,
        state.webSocket == nil
      else { return false }
      refuseUncached()
      return true
    }
    state.cache = driver
    return driver.begin()
  }

  /// Once is enough: if the other load's response cannot be used, this one asks for itself.
  func lookUpCacheAgain(waitedSince: Double) {
    guard !state.isOver else { return }
    state.cache = nil
    if !lookUpCache(waitedSince: waitedSince) { requestPassed() }
  }

  func refuseUncached() {
    prepared.drop()
    finish(
      .loading(
        .resourceUnavailable, url: state.request.url, phase: .preparing,
        reason: "nothing is cached for it, and its cache policy forbids loading it"))
  }

  /// Serves a response found before the load began.
  func serve(_ answer: InMemoryResponseStore.PlainAnswer) {
    prepared.drop()
    begin(.whole(answer.data), of: answer.response)
  }

  /// Begins to hand a stored response over.
  func begin(_ content: CachedBody.Content, of response: URLResponse) {
    state.machine.load()
    state.response = nil
    state.bodyLength = content.length
    let source = CachedBody(content, of: response, for: self, on: engine.loop, holds: state.incoming.holds)
    state.source = source
    source.begin()
  }
}

extension LoadDriver: CachedBodyClient {
  func decide(onKept response: URLResponse) {
    guard let head = response as? HTTPURLResponse else {
      begin(response, of: response.expectedContentLength, isKept: false)
      return delivery.takeBody(of: response)
    }
    state.response = head
    received(head, by: RedirectPolicy.isRedirect(head.statusCode) ? .redirect : .none)
  }

  var isReceiving: Bool {
    if case .receiving = state.phase { return true }
    return false
  }

  func receive(kept piece: Data) { delivery.receive(kept: piece) }

  func keptBodyEnded(_ response: URLResponse, _ failure: URLError?) {
    sourceEnded(.kept(state.request, response, clock), failure)
  }
}

extension LoadDriver {
  /// Whether a stored response stands in for a server that cannot be reached. One that answers in the place of the right one, or is
  /// not trusted, is not hidden behind it.
  func isCovered(_ error: TransportError) -> Bool {
    guard let cache = state.cache, state.ending == nil, case .loading = state.phase, error.isOutage else {
      return false
    }
    return cache.standsIn()
  }

  // MARK: Storing

  /// Offers the whole response to the listener, and keeps what it makes of it; then goes on, in loop context.
  func offerToCache(then finish: @escaping @Sendable () -> Void) {
    guard let cache = state.cache, let response = state.response, let record = cache.record.take() else {
      return finish()
    }
    CacheOffer(of: response, record, by: self, cache).begin(then: finish)
  }

  /// A redirect that is followed may be stored, with the body that is not wanted now.
  func copyRedirect() {
    state.incoming.begin(length: 0, isCopied: true)
    if engine.storageQueue == nil { state.incoming.copyLimit = engine.settings.copyLimit }
  }

  /// Stores a redirect that is followed, once its body has been read.
  func keepRedirect(isWhole: Bool) {
    if isWhole { offerToCache {} }
    state.incoming.dropCopy()
  }

  /// The load has come to its end.
  func leaveCache() {
    state.cache?.completeCollapsed()
    // What it has found may be large, and the task may be kept for long.
    state.cache = nil
  }
}

extension TransportError {
  /// The server, or the way to it, does not work: what a gateway would answer with 502 or 504.
  var isOutage: Bool {
    switch cause {
    case .unresolvedHost, .unconnected, .network, .noResponse, .truncated, .malformed, .timedOut,
      .proxyRefused,
      .socks:
      true
    default: false
    }
  }
}

extension LoadTransaction {
  /// A response that was kept: there is no connection.
  fileprivate static func kept(
    _ request: URLRequest, _ response: URLResponse, _ clock: ClockAnchor
  ) -> LoadTransaction {
    var connection = URLSessionTaskTransactionMetrics.Connection()
    connection.protocolName = nil
    return .measured(
      URLSessionTaskTransactionMetrics(
        request: request, response: response, resourceFetchType: .localCache, clock: clock, instants: .init(),
        connection: connection, sizes: .init()))
  }
}
