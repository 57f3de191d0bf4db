import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetTransport

// What is kept of responses, and served where the caller's policy asks for kept ones. Freshness (RFC 9111 §4.2) is
// not judged: under the protocol's own policy every load goes to the server.
extension TaskLoad {
  private var cachePolicy: URLRequest.CachePolicy {
    request.cachePolicy == .useProtocolCachePolicy ? engine.settings.requestCachePolicy : request.cachePolicy
  }

  /// Answers from the cache if the policy says so.
  ///
  /// - Returns: false if the load is to go to the server.
  func answersFromCache() -> Bool {
    let mustNotLoad = cachePolicy == .returnCacheDataDontLoad
    guard mustNotLoad || cachePolicy == .returnCacheDataElseLoad, task is URLSessionDataTask else {
      return false
    }
    // A kept GET answers nothing else, an upload least of all.
    if request.httpMethod == "GET", !(task is URLSessionUploadTask),
      let kept = engine.settings.urlCache?.cachedResponse(for: engine.heads.complete(request, secrets))
    {
      serve(kept)
      return true
    }
    guard mustNotLoad else { return false }
    finish(
      .loading(
        .resourceUnavailable, url: request.url, phase: .preparing,
        reason: "nothing is cached for it, and its cache policy forbids loading it"))
    return true
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
    listener.lane.run { [self] in
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

  /// Whether a copy of the response may be kept (RFC 9111 §3, of which the statuses are the common part).
  func mayBeKept(_ response: HTTPURLResponse) -> Bool {
    guard engine.settings.urlCache != nil, request.httpMethod == "GET", !(task is URLSessionUploadTask),
      response.statusCode == 200 || response.statusCode == 203
    else { return false }
    let stated =
      response.fields.values(.cacheControl) + [request.value(forHTTPHeaderField: "Cache-Control") ?? ""]
    return !stated.contains { $0.lowercased().contains("no-store") }
  }

  /// A method that may have changed the resource makes what is kept of it invalid, also under the addresses that the
  /// response names if they are of the same origin (RFC 9111 §4.4).
  func forgetWhatChanged(by response: HTTPURLResponse) {
    guard let cache = engine.settings.urlCache, let url = request.url,
      (200..<400).contains(response.statusCode)
    else { return }
    switch request.httpMethod ?? "GET" {
    // RFC 9110 §9.2.1: the safe ones.
    case "GET", "HEAD", "OPTIONS", "TRACE": return
    default: break
    }
    cache.removeCachedResponse(for: URLRequest(url: url))
    guard let origin = try? RequestTarget.of(url).origin else { return }
    for reference in [response.fields.first(.location), response.fields.first(.contentLocation)] {
      guard let other = reference.flatMap({ RedirectPolicy.resolve($0, against: url) }),
        (try? RequestTarget(other))?.origin == origin
      else { continue }
      cache.removeCachedResponse(for: URLRequest(url: other))
    }
  }

  /// A cache takes nothing that is larger than a twentieth of it, so nothing larger is copied for it.
  func copyForCache(_ bytes: UnsafeRawBufferPointer) {
    guard let count = copy?.count, let cache = engine.settings.urlCache else { return }
    if count + bytes.count > cache.memoryCapacity / 20 {
      copy = nil
    } else {
      copy?.append(contentsOf: bytes)
    }
  }

  /// Offers the whole response to the listener, and keeps what it makes of it; then goes on, in loop context.
  func offerToCache(then go: @escaping @Sendable () -> Void) {
    guard let data = copy, let response, let cache = engine.settings.urlCache else { return go() }
    let offer = CachedURLResponse(response: response, data: data)
    let isSelected = response.fields.contains(.vary) || engine.heads.areAuthorized(secrets)
    let request = isSelected ? engine.heads.complete(self.request, secrets) : self.request
    guard case .delegate = sink, let task = task as? URLSessionDataTask, let listener, listener.takesData
    else {
      cache.storeCachedResponse(offer, for: request)
      return go()
    }
    listener.lane.run { [loop = engine.loop] in
      listener.task(task, willCache: offer) { chosen in
        if let chosen { cache.storeCachedResponse(chosen, for: request) }
        loop.execute(go)
      }
    }
  }
}
