import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics
import BluebonnetTransport

// What is kept of responses, and served where the caller's policy asks for kept ones. Freshness (RFC 9111 §4.2) is
// not judged: under the protocol's own policy every load goes to the server.
extension TaskLoad {
  private var cachePolicy: URLRequest.CachePolicy {
    let own = state.request.cachePolicy
    return own == .useProtocolCachePolicy ? engine.settings.requestCachePolicy : own
  }

  /// Whether what is kept may answer.
  var asksCache: Bool {
    switch cachePolicy {
    case .returnCacheDataDontLoad, .returnCacheDataElseLoad: state.task is URLSessionDataTask
    default: false
    }
  }

  /// Answers from the cache, or goes to the server if the policy allows that.
  func answerFromCache() {
    if let refusal = engine.heads.refusalOfAll(for: state.request.url) { return finish(refusal) }
    let (request, secrets, heads, cache) = (
      state.request, state.secrets, engine.heads, engine.settings.urlCache
    )
    // A kept GET answers nothing else, an upload least of all.
    let isAnswerable = request.httpMethod == "GET" && !(state.task is URLSessionUploadTask)
    consult({
      isAnswerable ? cache?.cachedResponse(for: heads.complete(request, secrets)) : nil
    }) { [self] kept in
      if state.isOver { return }
      if let kept { return serve(kept) }
      guard cachePolicy == .returnCacheDataDontLoad else { return load() }
      finish(
        .loading(
          .resourceUnavailable, url: state.request.url, phase: .preparing,
          reason: "nothing is cached for it, and its cache policy forbids loading it"))
    }
  }

  private func serve(_ kept: CachedURLResponse) {
    state.incoming.length = kept.response.expectedContentLength
    state.task.setResponse(kept.response)
    var connection = URLSessionTaskTransactionMetrics.Connection()
    connection.protocolName = nil
    state.add(
      .measured(
        URLSessionTaskTransactionMetrics(
          request: state.request, response: kept.response, resourceFetchType: .localCache, clock: clock,
          instants: .init(), connection: connection, sizes: .init())), clock: clock)
    // It is one piece in any case.
    if case .gathering = state.incoming.sink { state.incoming.sink = .delegate }
    guard case .delegate = state.incoming.sink, let task = state.task as? URLSessionDataTask, let listener,
      listener.takesData
    else {
      state.incoming.sink = .memory(kept.data)
      return finish(nil)
    }
    state.phase = .deciding
    listener.executor.run { [self] in
      listener.task(task, didReceive: kept.response) { [self] disposition in
        engine.loop.execute { [self] in served(kept, disposition) }
      }
    }
  }

  private func served(_ kept: CachedURLResponse, _ disposition: URLSession.ResponseDisposition) {
    guard case .deciding = state.phase else { return }
    settle(disposition) { [self] in
      if !kept.data.isEmpty { receive(kept.data) }
      finish(nil)
    }
  }

  /// Whether a copy of the response may be kept (RFC 9111 §3).
  func mayBeKept(_ response: HTTPURLResponse) -> Bool {
    guard engine.settings.urlCache != nil, !(state.task is URLSessionUploadTask) else { return false }
    return CacheRules.mayStore(
      method: state.request.httpMethod ?? "GET", status: response.statusCode,
      cacheControl: response.fields.values(.cacheControl)
        + [state.request.value(forHTTPHeaderField: "Cache-Control") ?? ""])
  }

  /// Offers the whole response to the listener, and keeps what it makes of it; then goes on, in loop context.
  func offerToCache(then go: @escaping @Sendable () -> Void) {
    guard let data = state.incoming.copy, let response = state.response,
      let cache = engine.settings.urlCache
    else { return go() }
    let offer = CachedURLResponse(response: response, data: data)
    let (request, secrets, heads) = (state.request, state.secrets, engine.heads)
    let isSelected = response.fields.contains(.vary) || heads.areAuthorized(secrets)
    let store: @Sendable (CachedURLResponse) -> Void = { chosen in
      cache.storeCachedResponse(chosen, for: isSelected ? heads.complete(request, secrets) : request)
    }
    guard case .delegate = state.incoming.sink, let task = state.task as? URLSessionDataTask, let listener,
      listener.takesData
    else {
      return consult({ store(offer) }, then: go)
    }
    listener.executor.run { [self] in
      listener.task(task, willCache: offer) { [self] chosen in
        guard let chosen else { return engine.loop.execute(go) }
        // A plain cache is asked where the answer came from.
        consult({ store(chosen) }) { [self] in engine.loop.execute(go) }
      }
    }
  }
}
