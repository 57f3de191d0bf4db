import BluebonnetFoundation

/// What a `URLCache` keeps its responses in: the memory, and a store behind it.
///
/// The memory answers at once. The store is asked from tasks: it waits for files, or for other machines.
package final class ResponseStorage: Sendable {
  /// In front of the store.
  package let memory: MemoryResponses
  /// Behind the memory; nil if responses are kept in memory only.
  package let store: (any ResponseStore)?

  package init(memoryCapacity: Int, store: (any ResponseStore)?) {
    memory = MemoryResponses(capacity: memoryCapacity)
    self.store = store
  }

  /// Keeps a whole response that is in memory, there and in the store, as its storage policy says.
  ///
  /// - Throws: What the store throws. The memory keeps it none the less.
  package func keep(_ response: StoredResponse, _ cached: CachedURLResponse) async throws {
    guard keepInMemory(response, cached), let store, cached.storagePolicy == .allowed else { return }
    var head = response
    head.bodyLength = Int64(cached.data.count)
    let writer = try await store.write(head)
    do {
      if !cached.data.isEmpty { try await writer.append(cached.data) }
      try await writer.commit()
    } catch {
      await writer.abandon()
      throw error
    }
  }

  /// Keeps a whole response in memory, at once.
  ///
  /// - Returns: Whether its storage policy lets it be kept at all.
  @discardableResult
  package func keepInMemory(_ response: StoredResponse, _ cached: CachedURLResponse) -> Bool {
    guard cached.storagePolicy != .notAllowed else { return false }
    memory.insert(.init(response, cached))
    return true
  }

  /// Gives a kept response another head, in memory and in the store.
  ///
  /// - Returns: Whether it was there.
  @discardableResult
  package func update(_ response: StoredResponse) async throws -> Bool {
    let wasInMemory = updateInMemory(response)
    return try await store?.update(response) ?? false || wasInMemory
  }

  /// Gives a response that is kept in memory another head, at once.
  @discardableResult
  package func updateInMemory(_ response: StoredResponse) -> Bool {
    memory.update(response) { old in
      CachedURLResponse(
        response: response.urlResponse, data: old.data, userInfo: old.userInfo,
        storagePolicy: old.storagePolicy)
    }
  }

  /// Removes all variants of a key: from the memory at once, and then from the store.
  package func remove(_ key: StoredResponse.Key) async throws {
    memory.remove(key)
    try await store?.remove(key)
  }

  /// Removes all responses.
  package func removeAll() async throws {
    memory.remove { _ in true }
    try await store?.removeAll()
  }
}

extension StoredResponse {
  /// The head as callers see it.
  package var urlResponse: HTTPURLResponse {
    HTTPURLResponse(url: url, statusCode: status, minorVersion: minorVersion, fields: fieldBlock)
  }
}
