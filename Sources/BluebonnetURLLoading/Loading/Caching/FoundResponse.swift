// SPDX-License-Identifier: MIT
import BluebonnetCache
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetMessages
import BluebonnetSemantics

/// A kept response that a load has found, and where its body is.
enum FoundResponse: Sendable {
  /// In the cache's memory.
  case memory(InMemoryResponseStore.Entry)
  /// In the store behind it.
  case store(any StoredResponseReader, StoredHead)
  /// Wherever the user's class keeps it. Nil for a response that does not come over HTTP: of such the rules know nothing.
  case object(CachedURLResponse, StoredHead?)

  /// The response that the user's class has found for a request.
  init(_ cached: CachedURLResponse, for request: HeaderFields, partition: CachePartition, now: Double) {
    guard let response = cached.response as? HTTPURLResponse,
      // The class has said that it fits.
      let selection = CacheSelection(
        vary: response.fields.contains(.vary) ? response.fields.values(.vary) : [], request: request,
        partition: partition
      )
    else {
      self = .object(cached, nil)
      return
    }
    self = .object(
      cached,
      StoredHead(status: response.statusCode, fields: response.fields, selection: selection, now: now))
  }

  var head: StoredHead? {
    switch self {
    case .memory(let entry): entry.head
    case .store(_, let head), .object(_, let head?): head
    case .object(_, nil): nil
    }
  }

  /// The response as it is in memory.
  var cached: CachedURLResponse? {
    switch self {
    case .memory(let entry): entry.cached
    case .object(let cached, _): cached
    case .store: nil
    }
  }

  var minorVersion: Int {
    switch self {
    case .memory(let entry): entry.response.minorVersion
    case .store(let reader, _): reader.response.minorVersion
    case .object(let cached, _): (cached.response as? HTTPURLResponse)?.minorVersion ?? 1
    }
  }
}
