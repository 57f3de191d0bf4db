// SPDX-License-Identifier: MIT
import BluebonnetCache
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetMessages
import BluebonnetSemantics

/// One whole response on its way into the cache: the listener is asked, and what it makes of the response is stored.
struct CacheOffer {
  private let load: Load
  private let cache: CacheDriver
  private let response: HTTPURLResponse
  private let record: StoredHead

  init(of response: HTTPURLResponse, _ record: StoredHead, by load: Load, _ cache: CacheDriver) {
    (self.response, self.record, self.load, self.cache) = (response, record, load, cache)
  }

  /// - Parameter finish: Goes on, in loop context, when the load need not wait any more.
  func begin(then finish: @escaping @Sendable () -> Void) {
    // The store may be slow: loads waiting for the response wait for it, and this load does not.
    let go: @Sendable (Task<Void, Never>?) -> Void = { [cache = LoopConfined(cache)] keeping in
      // A redirect is offered while the load goes on: by now it may be about another address, and nothing waits for this one.
      cache.value.completeCollapsed(after: keeping)
      finish()
    }
    // Not all of the body has come, or is to be kept.
    if !load.state.incoming.isCopied { cache.writer = nil }
    if let writer = cache.writer.take() { return offer(writer, then: go) }
    guard let data = load.state.incoming.copy else { return go(nil) }
    // After a restart the source of trust in the server is unknown.
    let policy =
      cache.exchange.trustSource == .anchors ? URLCache.StoragePolicy.allowed : .allowedInMemoryOnly
    let offer = CachedURLResponse(response: response, data: data, storagePolicy: policy)
    let keep = keeper
    guard let (task, listener) = asked else { return load.consult({ keep(offer) }, then: go) }
    let first = SingleAnswer()
    listener.ask(
      .storage(offer) { [load] chosen in
        guard first.take() else {
          return load.engine.loop.execute { load.reportIgnoredAnswer(to: .cachedResponse) }
        }
        guard let chosen else { return load.engine.loop.execute { go(nil) } }
        // A plain cache is asked where the answer came from.
        load.consult({ keep(chosen) }) { keeping in load.engine.loop.execute { go(keeping) } }
      }, of: task)
  }

  /// A body that is too large for the memory, and in the store but for its confirmation: it is offered without its bytes.
  private func offer(_ writer: CacheWriter, then go: @escaping @Sendable (Task<Void, Never>?) -> Void) {
    guard let (task, listener) = asked else { return go(writer.commit()) }
    let first = SingleAnswer()
    listener.ask(
      .storage(CachedURLResponse(response: response, data: Data())) { [load] chosen in
        load.engine.loop.execute {
          guard first.take() else { return load.reportIgnoredAnswer(to: .cachedResponse) }
          switch chosen?.storagePolicy {
          case .allowed?: return go(writer.commit())
          case .allowedInMemoryOnly?: writer.displace()
          case .notAllowed?, nil: writer.giveUp()
          }
          go(nil)
        }
      }, of: task)
  }

  /// The task that is asked for permission: the reader of the body's pieces, or the task with the stale response being replaced.
  private var asked: (task: URLSessionTask, listener: any TaskListener)? {
    if let revalidation = cache.session.revalidation(by: load.state.task) {
      return revalidation.listener.map { (revalidation.task, $0) }
    }
    guard case .delegate = load.state.incoming.sink, load.state.task is URLSessionDataTask,
      let listener = load.listener, listener.takesData
    else { return nil }
    return (load.state.task, listener)
  }

  /// Keeps what the listener has made of the response, and says after what it can be found: nil for at once, or never.
  private var keeper: @Sendable (CachedURLResponse) -> Task<Void, Never>? {
    let (key, storage, askedFor) = (cache.key, cache.session.cache.storage, cache.askedFor)
    let isVerified = cache.exchange.trustSource == .anchors
    if cache.session.isUsers {
      let (users, request) = (cache.session.cache, cache.completeRequest)
      return { [response, record] chosen in
        // A subclass that passes removals on is understood, too.
        if storage.hasChanged(key, since: askedFor) { return nil }
        // Its identity cannot be told.
        guard isVerified else { return nil }
        // With the fields that are kept, so that its age can be told when it comes back.
        if let stripped = chosen.stripped(of: response, record) {
          users.storeCachedResponse(stripped, for: request)
        }
        return nil
      }
    }
    let earlier = cache.found
    return { [response, record] chosen in
      if storage.hasChanged(key, since: askedFor) { return nil }
      // A delegate that has changed the fields may want it to be fresh for longer.
      let head = chosen.response as? HTTPURLResponse ?? response
      guard var record = record.changed(from: response, to: head) else { return nil }
      var chosen = chosen
      // A part of another length than it says would be joined to others in the wrong place.
      if let part = record.part, part.range.count != chosen.data.count { return nil }
      if record.part != nil, let joined = chosen.joined(to: earlier, record, of: head) {
        (record, chosen) = joined
      }
      guard let url = head.url ?? response.url else { return nil }
      if !isVerified, chosen.storagePolicy == .allowed {
        chosen = CachedURLResponse(
          response: chosen.response, data: chosen.data, userInfo: chosen.userInfo,
          storagePolicy: .allowedInMemoryOnly)
      }
      return storage.keep(
        StoredResponse(record, key: key, of: head, url: url), chosen, askedFor: askedFor)
    }
  }
}

extension StoredHead {
  /// The head as a delegate has changed it; nil where that makes a whole of a part (RFC 9111 §3.3).
  fileprivate func changed(from response: HTTPURLResponse, to head: HTTPURLResponse) -> StoredHead? {
    if head === response { return self }
    let changed = replacing(status: head.statusCode, fields: head.fields)
    return changed.part == part ? changed : nil
  }
}

extension CachedURLResponse {
  /// With the fields that are kept of it; nil for a part that is said to be a whole.
  fileprivate func stripped(of response: HTTPURLResponse, _ record: StoredHead) -> CachedURLResponse? {
    guard let head = self.response as? HTTPURLResponse, let url = head.url else { return self }
    guard let kept = record.changed(from: response, to: head) else { return nil }
    return CachedURLResponse(
      response: HTTPURLResponse(
        url: url, statusCode: kept.status, minorVersion: head.minorVersion, fields: kept.fields),
      data: data, userInfo: userInfo, storagePolicy: storagePolicy)
  }

  /// A part together with the stored one of the same representation; nil if there is none (RFC 9111 §3.4).
  fileprivate func joined(
    to earlier: [FoundResponse], _ record: StoredHead, of response: HTTPURLResponse
  ) -> (StoredHead, CachedURLResponse)? {
    for found in earlier {
      guard let cached = found.cached, let head = found.head, head.selection == record.selection,
        let (whole, joint) = record.joined(to: head)
      else { continue }
      let body =
        cached.data.prefix(Int(clamping: joint.before)) + data
        + cached.data.suffix(Int(clamping: joint.after))
      let joined = HTTPURLResponse(
        url: response.url ?? URL(filePath: "/"), statusCode: whole.status,
        minorVersion: response.minorVersion, fields: whole.fields)
      return (
        whole,
        CachedURLResponse(response: joined, data: body, userInfo: userInfo, storagePolicy: storagePolicy)
      )
    }
    return nil
  }
}
