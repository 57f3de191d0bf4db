import BluebonnetFoundation

// How responses are kept, in memory at once and in the store in turn.
extension ResponseStorage {
  /// Keeps a whole response that somebody wants to be kept: in memory at once and in the store in its turn, as its storage policy says.
  ///
  /// - Returns: The change of the store.
  func keep(_ response: StoredResponse, _ cached: CachedURLResponse) -> Task<Void, Never>? {
    guard cached.storagePolicy != .notAllowed else { return nil }
    memory.insert(.init(response, cached))
    return change { [self] store in await keep(response, cached, in: store) }
  }

  /// Keeps a whole response that a load has brought, unless its resource has changed since.
  ///
  /// - Parameter moment: When the load has asked for it, in seconds since 1970.
  /// - Returns: After what it can be found; nil for at once, or never.
  func keep(
    _ response: StoredResponse, _ cached: CachedURLResponse, askedFor moment: Double
  ) -> Task<Void, Never>? {
    guard cached.storagePolicy != .notAllowed else { return nil }
    let isInMemory = memory.insert(.init(response, cached))
    // Who forgets something notes that before it clears the memory.
    guard !hasChanged(response.key, since: moment) else {
      memory.remove(response)
      return nil
    }
    let change = change { [self] store in
      if !hasChanged(response.key, since: moment) { await keep(response, cached, in: store) }
    }
    return isInMemory ? nil : change
  }

  /// Keeps a whole response in the store, if its policy allows that. Nothing older stays in its place in any case.
  private func keep(
    _ response: StoredResponse, _ cached: CachedURLResponse, in store: any ResponseStore
  ) async {
    guard cached.storagePolicy == .allowed, response.status > 0 else { return await makeWay(for: response) }
    var head = response
    head.bodyLength = Int64(cached.data.count)
    await trying(response.key) { [head] in
      let writer = try await store.write(head)
      do {
        if !cached.data.isEmpty { try await writer.append(cached.data) }
        try await writer.commit()
      } catch {
        await writer.abandon()
        throw error
      }
    }
  }

  /// What a response would take the place of goes, in memory and in the store, although the response is not kept there.
  func displace(_ response: StoredResponse) {
    memory.remove(response)
    change { [self] _ in await makeWay(for: response) }
  }

  /// A store of the user's cannot tell variants apart: it forgets all of them.
  private func makeWay(for response: StoredResponse) async {
    do {
      if let disk { try await disk.makeWay(for: response) } else { try await store?.remove(response.key) }
    } catch {
      note(error)
    }
  }

  /// Writes to the store in turn. If that fails, it is noted, and nothing is left for the key, so that nobody is shown an older one
  /// later.
  func trying(_ key: StoredResponse.Key, _ body: () async throws -> Void) async {
    do {
      try await body()
    } catch {
      note(error)
      try? await store?.remove(key)
    }
  }

  /// The same for who has failed to write out of turn.
  func failed(_ key: StoredResponse.Key, _ error: any Error) {
    note(error)
    change { store in try await store.remove(key) }
  }

  /// Gives a kept response another head, in memory at once and in the store in its turn.
  ///
  /// - Returns: The change of the store.
  @discardableResult
  func update(_ response: StoredResponse) -> Task<Void, Never>? {
    updateInMemory(response)
    return change { [self] store in
      // It may have come into the memory from the store since.
      if try await store.update(response) { updateInMemory(response) }
    }
  }

  private func updateInMemory(_ response: StoredResponse) {
    memory.update(response) { old in
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
