import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics
import BluebonnetTransport

// What is kept of responses, and served where the caller's policy asks for kept ones. Freshness (RFC 9111 §4.2) is
// not judged: under the protocol's own policy every load goes to the server.
extension TaskLoad {
  private var cachePolicy: URLRequest.CachePolicy {
    request.cachePolicy == .useProtocolCachePolicy ? engine.settings.requestCachePolicy : request.cachePolicy
  }

  /// Whether what is kept may answer.
  var asksCache: Bool {
    switch cachePolicy {
    case .returnCacheDataDontLoad, .returnCacheDataElseLoad: task is URLSessionDataTask
    default: false
    }
  }

  /// Answers from the cache, or goes to the server if the policy allows that.
  func answerFromCache(or prepared: PreparedRequest) {
    let (request, secrets, heads, cache) = (request, secrets, engine.heads, engine.settings.urlCache)
    // A kept GET answers nothing else, an upload least of all.
    let isAnswerable = request.httpMethod == "GET" && !(task is URLSessionUploadTask)
    consult({
      isAnswerable ? cache?.cachedResponse(for: heads.complete(request, secrets)) : nil
    }) { [self] kept in
      if isOver { return }
      if let kept { return serve(kept) }
      guard cachePolicy == .returnCacheDataDontLoad else { return load(prepared) }
      finish(
        .loading(
          .resourceUnavailable, url: request.url, phase: .preparing,
          reason: "nothing is cached for it, and its cache policy forbids loading it"))
    }
  }

  private func serve(_ kept: CachedURLResponse) {
    bodyLength = kept.response.expectedContentLength
    task.setResponse(kept.response)
    var connection = URLSessionTaskTransactionMetrics.Connection()
    connection.protocolName = nil
    add(
      URLSessionTaskTransactionMetrics(
        request: request, response: kept.response, resourceFetchType: .localCache, clock: clock,
        instants: .init(), connection: connection, sizes: .init()))
    // It is one piece in any case.
    if case .gathering = sink { sink = .delegate }
    guard case .delegate = sink, let task = task as? URLSessionDataTask, let listener, listener.takesData
    else {
      sink = .memory(kept.data)
      return finish(nil)
    }
    phase = .deciding
    listener.executor.run { [self] in
      listener.task(task, didReceive: kept.response) { [self] disposition in
        engine.loop.execute { [self] in served(kept, disposition) }
      }
    }
  }

  private func served(_ kept: CachedURLResponse, _ disposition: URLSession.ResponseDisposition) {
    guard case .deciding = phase else { return }
    settle(disposition) { [self] in
      if !kept.data.isEmpty { receive(kept.data) }
      finish(nil)
    }
  }

  /// Whether a copy of the response may be kept (RFC 9111 §3).
  func mayBeKept(_ response: HTTPURLResponse) -> Bool {
    guard engine.settings.urlCache != nil, !(task is URLSessionUploadTask) else { return false }
    return CacheRules.mayStore(
      method: request.httpMethod ?? "GET", status: response.statusCode,
      cacheControl: response.fields.values(.cacheControl)
        + [request.value(forHTTPHeaderField: "Cache-Control") ?? ""])
  }

  func copyForCache(_ bytes: UnsafeRawBufferPointer) {
    guard let count = copy?.count else { return }
    if count + bytes.count > copyLimit {
      copy = nil
    } else {
      copy?.append(contentsOf: bytes)
    }
  }

  /// Offers the whole response to the listener, and keeps what it makes of it; then goes on, in loop context.
  func offerToCache(then go: @escaping @Sendable () -> Void) {
    guard let data = copy, let response, let cache = engine.settings.urlCache else { return go() }
    let offer = CachedURLResponse(response: response, data: data)
    let (request, secrets, heads) = (request, secrets, engine.heads)
    let isSelected = response.fields.contains(.vary) || heads.areAuthorized(secrets)
    let store: @Sendable (CachedURLResponse) -> Void = { chosen in
      cache.storeCachedResponse(chosen, for: isSelected ? heads.complete(request, secrets) : request)
    }
    guard case .delegate = sink, let task = task as? URLSessionDataTask, let listener, listener.takesData
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
