// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages
import BluebonnetSemantics

// How responses are kept, in memory at once and in the store in turn.
extension ResponseStorage {
  /// Keeps a whole response: in memory at once and in the store in its turn, as its storage policy says.
  ///
  /// - Returns: The change of the store.
  package func keep(_ response: StoredResponse, _ cached: CachedURLResponse) -> Task<Void, Never>? {
    guard cached.storagePolicy != .notAllowed else { return nil }
    let body = response.storable(cached)
    if !memory.insert(.init(response, cached)), body != nil { leaveToStore(response) }
    return write(response, body, isAwaited: true)
  }

  /// Keeps a whole response that a load has brought, unless its resource has changed since. The store keeps it only if it may wait for its turn
  /// there; see ``WriteBacklog``.
  ///
  /// - Parameter moment: When the load has asked for it, by ``ResourceChanges/now``.
  /// - Returns: After what it can be found; nil for at once, or never.
  package func keep(
    _ response: StoredResponse, _ cached: CachedURLResponse, askedFor moment: Double
  ) -> Task<Void, Never>? {
    guard cached.storagePolicy != .notAllowed else { return nil }
    let isInMemory = memory.insert(.init(response, cached))
    // Forgetting is noted before the memory is cleared.
    guard !hasChanged(response.key, since: moment) else {
      memory.remove(response)
      return nil
    }
    let body = response.storable(cached)
    if !isInMemory, body != nil { leaveToStore(response) }
    let turn = write(response, body, askedFor: moment)
    return isInMemory ? nil : turn
  }

  /// Keeps a whole response that is too large for the memory, unless its resource has changed since.
  ///
  /// - Returns: After what it can be found; nil for never.
  func keepInStore(_ response: StoredResponse, _ body: Data, askedFor moment: Double) -> Task<Void, Never>? {
    // A newer response, asked for after the change, may be in memory or wait.
    if hasChanged(response.key, since: moment) { return nil }
    leaveToStore(response)
    return write(response, body, askedFor: moment)
  }

  /// The store alone has the most recent response of a key (RFC 9111 §4): the memory comes first, and must not answer with
  /// an older one of any variant.
  private func leaveToStore(_ response: StoredResponse) {
    if store != nil { memory.removeVariants(outdatedBy: response) }
  }

  /// Removes the response that another would replace, in memory and in the store, although the other is not kept there.
  func displace(_ response: StoredResponse) {
    memory.remove(response)
    write(response, nil)
  }

  // MARK: In the store

  /// Writes a response to the store in its turn; in the turn of the one that it takes the place of, if that has not come yet.
  ///
  /// If too much waits, the response is not stored. The one that it would have replaced is hidden at once and removed in turn, since it is not
  /// the most recent one any more (RFC 9111 §4).
  ///
  /// - Parameters:
  ///   - body: Nil if the response is not to be stored.
  ///   - isAwaited: The caller waits, so the response is never refused.
  /// - Returns: After what it can be found, or nothing older can; nil for at once, or never.
  @discardableResult
  private func write(
    _ response: StoredResponse, _ body: Data?, askedFor moment: Double = .infinity, isAwaited: Bool = false
  ) -> Task<Void, Never>? {
    guard let store = promptStore else { return nil }
    // Released after the lock: a body may run code of the user's when it ends.
    var spent: WaitingWrites.Write?
    defer { withExtendedLifetime(spent) {} }
    let bytes = (body?.count ?? 0) + response.fieldBlock.byteCount
    return waiting.withLock { waiting in
      let open = waiting.openWrite(for: response)
      if let open {
        spent = waiting.takeChange(open)
        spent?.share?.giveBack()
      }
      let share = body == nil ? nil : budget.wait(bytes, isAwaited: isAwaited)
      let write = WaitingWrites.Write(
        response: response, body: share == nil ? nil : body, askedFor: moment, share: share)
      let hides = share == nil
      if let open {
        if hides, !waiting.hides(open) { store.condemn([response.key]) }
        waiting.put(write, open, hides: hides)
        return hides ? nil : waiting.task(of: open)
      }
      if hides, !isAwaited {
        if !waiting.isBusy(response.key), disk?.surelyLacks(response.key) ?? false { return nil }
        // If too many wait to be removed, all are hidden.
        if waiting.displacements >= WriteBacklog.displacementLimit {
          store.hideAll()
          return nil
        }
      }
      if hides { store.condemn([response.key]) }
      let number = waiting.add(write, hides: hides)
      let turn = changes.enqueue { [self] in await make(number, response.key) }
      waiting.note(turn, of: number)
      return hides && !isAwaited ? nil : turn
    }
  }

  /// Makes a write in its turn.
  private func make(_ number: UInt64, _ key: StoredResponse.Key) async {
    let write = waiting.withLock { $0.begin(number) }
    if let write { await make(write) }
    let wasHidden = waiting.withLock { $0.end(number, key) }
    if wasHidden { promptStore?.pardon([key]) }
  }

  private func make(_ write: WaitingWrites.Write) async {
    guard let store else { return }
    guard let body = write.body else { return await makeWay(for: write.response) }
    if hasChanged(write.response.key, since: write.askedFor) { return }
    var head = write.response
    head.bodyLength = Int64(body.count)
    await trying(head.key) { [head] in
      let writer = try await store.write(head)
      do {
        if !body.isEmpty { try await writer.append(body) }
        try await writer.commit()
      } catch {
        await writer.abandon()
        throw error
      }
    }
  }

  /// Commits a body that was written while it came, in its turn.
  ///
  /// - Parameters:
  ///   - writer: Hands over the writer that has taken all of the body; nil if it has failed.
  ///   - share: Given back after the commit.
  func commit(
    _ response: StoredResponse, askedFor moment: Double, _ share: WriteShare,
    _ writer: @escaping @Sendable () async -> (any StoredResponseWriter)?
  ) -> Task<Void, Never>? {
    leaveToStore(response)
    let key = response.key
    return waiting.withLock { waiting in
      waiting.begin(key)
      waiting.close(key)
      return changes.enqueue { [self] in
        if let writer = await writer() {
          if hasChanged(key, since: moment) {
            await writer.abandon()
          } else {
            await trying(key) { try await writer.commit() }
          }
        }
        self.waiting.withLock { $0.end(key) }
        withExtendedLifetime(share) {}
      }
    }
  }

  /// A store of the user's cannot tell variants apart: it forgets all of them.
  private func makeWay(for response: StoredResponse) async {
    do {
      if let disk { try await disk.makeWay(for: response) } else { try await store?.remove(response.key) }
    } catch {
      note(error)
      // What cannot be removed is not found all the same.
      promptStore?.hideAll()
    }
  }

  /// Writes to the store in turn. If that fails, it is noted, and nothing is left for the key, so that no older response is shown
  /// later.
  func trying(_ key: StoredResponse.Key, _ body: () async throws -> Void) async {
    do {
      try await body()
    } catch {
      note(error)
      do { try await store?.remove(key) } catch { promptStore?.hideAll() }
    }
  }

  /// The same for a failed write out of turn.
  func failed(_ key: StoredResponse.Key, _ error: any Error) {
    note(error)
    enqueueRemoval(of: [key])
  }

  /// Gives a kept response another head (RFC 9111 §4.3.4), in memory at once and in the store in its turn. If too much waits, the store forgets
  /// the response, because its head is out of date.
  ///
  /// - Parameter head: The new head as the rules go by it; nil to read it once more.
  /// - Returns: The change of the store.
  @discardableResult
  package func update(_ response: StoredResponse, _ head: StoredHead? = nil) -> Task<Void, Never>? {
    if !updateInMemory(response, head) { leaveToStore(response) }
    guard store != nil else { return nil }
    let turn: Task<Void, Never>? = waiting.withLock { waiting in
      if let known = waiting.replaceUpdate(response) { return known }
      guard let share = budget.wait(response.fieldBlock.byteCount, isAwaited: false) else { return nil }
      let task = changes.enqueue { [self, id = response.id] in await makeUpdate(id) }
      waiting.add(.init(response: response, share: share), task)
      return task
    }
    if case .none = turn { write(response, nil) }
    return turn
  }

  /// Makes an update in its turn.
  private func makeUpdate(_ id: UInt64) async {
    guard let update = waiting.withLock({ $0.takeUpdate(id) }), let store else { return }
    // A head that cannot be replaced is out of date: then nothing is left of the response.
    await trying(update.response.key) {
      // It may have come into the memory from the store since.
      if try await store.update(update.response) { updateInMemory(update.response, nil) }
    }
  }

  /// - Returns: Whether it was there.
  @discardableResult
  private func updateInMemory(_ response: StoredResponse, _ head: StoredHead?) -> Bool {
    memory.update(response, head) { old in
      CachedURLResponse(
        response: response.urlResponse, data: old.data, userInfo: old.userInfo,
        storagePolicy: old.storagePolicy)
    }
  }
}

extension StoredResponse {
  /// The head as callers see it.
  package var urlResponse: HTTPURLResponse {
    HTTPURLResponse(url: url, statusCode: status, minorVersion: minorVersion, fields: fieldBlock)
  }
}

extension StoredResponse {
  /// The body, if it may be kept in a store: what did not come over HTTP may not.
  fileprivate func storable(_ cached: CachedURLResponse) -> Data? {
    cached.storagePolicy == .allowed && status > 0 ? cached.data : nil
  }
}
