import BluebonnetFoundation
import BluebonnetSemantics

// Storing a whole response.
extension TaskLoad {
  /// Offers the whole response to the listener, and keeps what it makes of it; then goes on, in loop context.
  func offerToCache(then finish: @escaping @Sendable () -> Void) {
    guard let response = state.response, let session = engine.cache, let caching = state.caching,
      let record = caching.record.take()
    else { return finish() }
    // The store may be slow: loads waiting for the response wait for it, and this load does not.
    // Only compared, and in loop context, where it belongs.
    nonisolated(unsafe) let offered = caching
    let go: @Sendable (Task<Void, Never>?) -> Void = { [self] keeping in
      // A redirect is offered while the load goes on: by now it may be about another address.
      if state.caching === offered { completeCollapsed(after: keeping) }
      finish()
    }
    if let keeper = caching.keeper.take() { return offer(response, to: session, keeper, then: go) }
    guard let data = state.incoming.copy else { return go(nil) }
    // After a restart the source of trust in the server is unknown.
    let policy =
      caching.exchange.trustSource == .anchors ? URLCache.StoragePolicy.allowed : .allowedInMemoryOnly
    let offer = CachedURLResponse(response: response, data: data, storagePolicy: policy)
    let keep = keeper(of: response, record, caching, session)
    let revalidation = session.revalidation(by: state.task)
    guard let (task, listener) = asked(revalidation) else { return consult({ keep(offer) }, then: go) }
    let first = SingleAnswer()
    listener.executor.run { [self] in
      listener.task(task, willCache: offer) { [self] chosen in
        guard first.take() else {
          return engine.loop.execute { [self] in reportIgnoredAnswer(to: .cachedResponse) }
        }
        guard let chosen else { return engine.loop.execute { go(nil) } }
        // A plain cache is asked where the answer came from.
        consult({ keep(chosen) }) { [self] keeping in engine.loop.execute { go(keeping) } }
      }
    }
  }

  /// A body that is too large for the memory, and in the store but for its confirmation: it is offered without its bytes.
  private func offer(
    _ response: HTTPURLResponse, to session: SessionCache, _ keeper: CacheWriter,
    then go: @escaping @Sendable (Task<Void, Never>?) -> Void
  ) {
    guard let (task, listener) = asked(session.revalidation(by: state.task)) else {
      return go(keeper.commit())
    }
    let first = SingleAnswer()
    listener.executor.run { [self] in
      let offer = CachedURLResponse(response: response, data: Data())
      listener.task(task, willCache: offer) { [self] chosen in
        engine.loop.execute { [self] in
          guard first.take() else { return reportIgnoredAnswer(to: .cachedResponse) }
          switch chosen?.storagePolicy {
          case .allowed?: return go(keeper.commit())
          case .allowedInMemoryOnly?: keeper.displace()
          case .notAllowed?, nil: keeper.giveUp()
          }
          go(nil)
        }
      }
    }
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
    completeCollapsed()
    // What it has found may be large, and the task may be kept for long.
    state.caching = nil
  }

  /// Keeps a copy of the body, in memory or where the store takes larger ones.
  func keepCopy(of bytes: UnsafeRawBufferPointer) {
    if let keeper = state.caching?.keeper {
      if keeper.append(Data(bytes)) { hold(.store) }
      return
    }
    if (state.incoming.copy?.count ?? 0) + bytes.count <= state.incoming.copyLimit {
      return state.incoming.copy(bytes)
    }
    guard let keeper = makeKeeper() else {
      state.incoming.dropCopy()
      return completeCollapsed()
    }
    state.caching?.keeper = keeper
    let isFull = keeper.append(state.incoming.takeCopy())
    if keeper.append(Data(bytes)) || isFull { hold(.store) }
  }

  private func makeKeeper() -> CacheWriter? {
    guard let session = engine.cache, !session.isUsers, session.cache.storage.store != nil,
      let caching = state.caching, caching.exchange.trustSource == .anchors, let record = caching.record,
      record.part == nil,
      let response = state.response, let url = response.url
    else { return nil }
    return CacheWriter(
      StoredResponse(record, key: caching.key, of: response, url: url), in: session.cache.storage,
      askedFor: caching.askedFor, loop: engine.loop, gaveUp: { [weak self] in self?.completeCollapsed() },
      release: { [weak self] in self?.release(.store) })
  }

  /// Asks for permission to store: the reader of the body's pieces, or the task with the stale response being replaced.
  private func asked(
    _ revalidation: SessionCache.Revalidation?
  ) -> (task: URLSessionDataTask, listener: any TaskListener)? {
    if let revalidation { return revalidation.listener.map { (revalidation.task, $0) } }
    guard case .delegate = state.incoming.sink, let task = state.task as? URLSessionDataTask, let listener,
      listener.takesData
    else { return nil }
    return (task, listener)
  }

  /// Keeps what the listener has made of the response, and says after what it can be found: nil for at once, or never.
  private func keeper(
    of response: HTTPURLResponse, _ record: StoredHead, _ caching: LoadCaching, _ session: SessionCache
  ) -> @Sendable (CachedURLResponse) -> Task<Void, Never>? {
    let (key, storage, askedFor) = (caching.key, session.cache.storage, caching.askedFor)
    let isVerified = caching.exchange.trustSource == .anchors
    if session.isUsers {
      let (cache, request) = (session.cache, completeRequest(caching))
      return { chosen in
        // A subclass that passes removals on is understood, too.
        if storage.hasChanged(key, since: askedFor) { return nil }
        // Its identity cannot be told.
        guard isVerified else { return nil }
        // With the fields that are kept, so that its age can be told when it comes back.
        cache.storeCachedResponse(chosen.stripped(of: response, record), for: request)
        return nil
      }
    }
    let earlier = caching.found
    return { chosen in
      if storage.hasChanged(key, since: askedFor) { return nil }
      // A delegate that has changed the fields may want it to be fresh for longer.
      let head = chosen.response as? HTTPURLResponse ?? response
      var record =
        head === response ? record : record.replacing(status: head.statusCode, fields: head.fields)
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

extension CachedURLResponse {
  /// With the fields that are kept of it.
  fileprivate func stripped(of response: HTTPURLResponse, _ record: StoredHead) -> CachedURLResponse {
    guard let head = self.response as? HTTPURLResponse, let url = head.url else { return self }
    let kept =
      head === response ? record : record.replacing(status: head.statusCode, fields: head.fields)
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
