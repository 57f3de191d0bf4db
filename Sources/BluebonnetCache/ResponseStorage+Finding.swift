// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages

extension ResponseStorage {
  /// The youngest response in the store that answers a request; with its body, for which it waits. It is in memory from then on.
  package func waitForResponse(
    _ key: StoredResponse.Key, where answers: @escaping @Sendable (StoredResponse) -> Bool
  ) -> CachedURLResponse? {
    guard let store else { return nil }
    let start = Date().timeIntervalSince1970
    let found = try? WaitingExecutor.wait { () async throws -> InMemoryResponseStore.Entry? in
      let readers = try await store.responses(for: key).filter { answers($0.response) }
      guard let reader = readers.max(by: { $0.response.responseTime < $1.response.responseTime }) else {
        return nil
      }
      var body = Data()
      while Int64(body.count) < reader.response.bodyLength ?? 0 {
        let piece = try await reader.read(at: Int64(body.count))
        if piece.isEmpty { throw ResponseStoreError.damaged("a body ends too soon") }
        body.append(piece)
      }
      return InMemoryResponseStore.Entry(
        reader.response, CachedURLResponse(response: reader.response.urlResponse, data: body))
    }
    guard let entry = found ?? nil else { return nil }
    memory.adopt(entry)
    // It may have been forgotten while it was looked for.
    if hasChanged(key, since: start) { memory.remove(entry.response) }
    return entry.cached
  }
}
