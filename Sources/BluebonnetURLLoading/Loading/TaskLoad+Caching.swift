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
    if let kept = engine.settings.urlCache?.cachedResponse(for: request) {
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
    task.setResponse(kept.response)
    var connection = URLSessionTaskTransactionMetrics.Connection()
    connection.protocolName = nil
    add(
      URLSessionTaskTransactionMetrics(
        request: request, response: kept.response, resourceFetchType: .localCache, clock: clock,
        instants: .init(), connection: connection, sizes: .init()))
    guard case .delegate = sink, let task = task as? URLSessionDataTask, let delegate = dataDelegate else {
      sink = .memory(kept.data)
      return finish(nil)
    }
    phase = .deciding
    let session = task.session
    engine.lane.run { [self] in
      delegate.urlSession(session, dataTask: task, didReceive: kept.response) { [self] disposition in
        engine.loop.execute { [self] in served(kept, disposition) }
      }
    }
  }

  private func served(_ kept: CachedURLResponse, _ disposition: URLSession.ResponseDisposition) {
    guard case .deciding = phase else { return }
    guard disposition != .cancel else {
      return stop(
        .loading(.cancelled, url: request.url, phase: .cancelling, reason: "its delegate said so"))
    }
    phase = .receiving
    if !kept.data.isEmpty { hand(kept.data) }
    finish(nil)
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

  /// A cache takes nothing that is larger than a twentieth of it, so nothing larger is copied for it.
  func copyForCache(_ bytes: UnsafeRawBufferPointer) {
    guard let count = copy?.count, let cache = engine.settings.urlCache else { return }
    if count + bytes.count > cache.memoryCapacity / 20 {
      copy = nil
    } else {
      copy?.append(contentsOf: bytes)
    }
  }

  /// Offers the whole response to the delegate, and keeps what it makes of it.
  func offerToCache() {
    guard let data = copy, let response, let cache = engine.settings.urlCache else { return }
    let offer = CachedURLResponse(response: response, data: data)
    let request = self.request
    guard case .delegate = sink, let task = task as? URLSessionDataTask, let delegate = dataDelegate else {
      return cache.storeCachedResponse(offer, for: request)
    }
    let session = task.session
    engine.lane.run {
      delegate.urlSession(session, dataTask: task, willCacheResponse: offer) { chosen in
        if let chosen { cache.storeCachedResponse(chosen, for: request) }
      }
    }
  }
}
