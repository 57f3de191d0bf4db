import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics
import BluebonnetTransport

// What the server has answered, as far as the cache is concerned.
extension TaskLoad {
  /// The head of a final response.
  ///
  /// - Returns: false if the response is the answer.
  func handledByCache(_ response: HTTPURLResponse) -> Bool {
    guard let caching = state.caching, let session = engine.cache else { return false }
    if let proved = state.secrets.proved { caching.exchange.proved(by: proved) }
    let reception = caching.exchange.received(
      status: response.statusCode, fields: response.fields, requestTime: caching.requestTime,
      now: engine.loop.secondsSince1970,
      namesTarget: { caching.isTarget(response.fields.first(.contentLocation)) })
    switch reception {
    case .askAgain:
      discard(response, then: .sendUnconditionally)
      return true
    case .serve(let index, let serving, let change):
      completeCollapsed(after: carryOut(change, caching, session))
      caching.answer = (caching.found[index], serving)
      discard(response, then: .serve)
      return true
    case .pass(let record, let change):
      _ = carryOut(change, caching, session)
      caching.record = record
      if record == nil { completeCollapsed() }
      return false
    }
  }

  /// The response that was not the answer is out of the way.
  func serveAnswer() {
    guard let answer = state.caching?.answer.take() else {
      return assertionFailure("a served response was found before")
    }
    serve(answer.found, answer.serving)
  }

  /// A stored response stands in for a server that cannot be reached (RFC 5861 §4).
  ///
  /// A server that answers in the place of the right one, or is not trusted, is not hidden behind it.
  func standIn(for error: TransportError) -> (found: FoundResponse, serving: CacheServing)? {
    guard let caching = state.caching, state.ending == nil, case .loading = state.phase, error.isOutage,
      let (index, serving) = caching.exchange.failed(now: engine.loop.secondsSince1970)
    else { return nil }
    return (caching.found[index], serving)
  }

  /// Whether a response of a caller's class, loaded without the cache, may be stored.
  func isKept(_ response: HTTPURLResponse) -> Bool {
    guard let session = engine.cache, let caching = makeCaching(session) else { return false }
    state.caching = caching
    _ = caching.exchange.begin([], now: engine.loop.secondsSince1970)
    caching.requestTime = engine.loop.secondsSince1970
    guard
      case .pass(let record, _) = caching.exchange.received(
        status: response.statusCode, fields: response.fields, requestTime: caching.requestTime,
        now: caching.requestTime,
        namesTarget: { caching.isTarget(response.fields.first(.contentLocation)) })
    else { return false }
    caching.record = record
    return record != nil
  }

  /// Carries out a response's change to the stored one.
  ///
  /// - Returns: The task after which that can be found; nil for at once.
  private func carryOut(
    _ change: CacheExchange.Change, _ caching: LoadCaching, _ session: SessionCache
  ) -> Task<Void, Never>? {
    switch change {
    case .none: return nil
    case .freshen(let index, let head): return freshen(caching.found[index], head, caching, session)
    case .forget:
      forget(caching, session)
      return nil
    }
  }

  private func forget(_ caching: LoadCaching, _ session: SessionCache) {
    let (cache, key) = (session.cache, caching.key)
    guard session.isUsers else { return cache.storage.remove(key) }
    let request = completeRequest(caching)
    consult({ cache.removeCachedResponse(for: request) }, then: {})
  }

  private func freshen(
    _ found: FoundResponse, _ head: StoredHead, _ caching: LoadCaching, _ session: SessionCache
  ) -> Task<Void, Never>? {
    switch found {
    case .memory(let entry):
      session.cache.storage.update(entry.response.freshened(head))
      return nil
    case .store(let reader, _): return session.cache.storage.update(reader.response.freshened(head))
    case .object(let cached, _):
      guard let url = cached.response.url else { return nil }
      let response = HTTPURLResponse(
        url: url, statusCode: head.status, minorVersion: found.minorVersion, fields: head.fields)
      let fresh = CachedURLResponse(
        response: response, data: cached.data, userInfo: cached.userInfo, storagePolicy: cached.storagePolicy)
      let (cache, request) = (session.cache, completeRequest(caching))
      consult({ cache.storeCachedResponse(fresh, for: request) }, then: {})
      return nil
    }
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

extension LoadCaching {
  /// Whether a reference names the request's target.
  fileprivate func isTarget(_ reference: String?) -> Bool {
    let host = target.origin.host.utf8.contains(Byte.colon) ? "[\(target.origin.host)]" : target.origin.host
    let base =
      "\(target.origin.isSecure ? "https" : "http")://\(host):\(target.origin.port)\(target.path)"
    guard let url = reference.flatMap({ Location.resolve($0, against: base) }).flatMap({ URL(string: $0) }),
      let other = try? TargetURI(url)
    else { return false }
    return other.origin == target.origin && other.path == target.path
  }
}
