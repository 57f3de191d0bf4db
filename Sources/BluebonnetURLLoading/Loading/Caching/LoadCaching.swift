import BluebonnetFoundation
import BluebonnetSemantics

/// One request's dealings with the cache.
///
/// Touched only while the loop is held.
final class LoadCaching {
  /// The rules.
  var exchange: CacheExchange
  /// The key that the response is stored under.
  let key: StoredResponse.Key
  let target: TargetURI
  /// The responses found under it, by the indices of the rules.
  var found: [FoundResponse] = []
  /// The time when the server was asked, in seconds since 1970.
  var requestTime = 0.0
  /// The head that the response is to be stored with.
  var record: StoredHead?
  /// Others wait for the response under this name.
  var leaderName: CollapsedRequests<TaskLoad>.Name?
  /// The load has waited for another one, which asked the server then.
  var waitedSince: Double?
  /// Takes a body that is too large for the memory.
  var keeper: CacheWriter?
  /// Answers when the server's bytes are out of the way.
  var answer: (found: FoundResponse, serving: CacheServing)?

  /// The time from which the response speaks. A POST's response is newer than the change that it makes.
  var askedFor: Double { exchange.method == "POST" ? .infinity : requestTime }

  init(_ exchange: CacheExchange, key: StoredResponse.Key, target: TargetURI) {
    self.exchange = exchange
    self.key = key
    self.target = target
  }

  /// Adds the memory's response. The rules know nothing of one that did not come over HTTP: it counts where there is no other.
  func add(_ entry: InMemoryResponseStore.Entry) {
    guard entry.response.status == 0 else {
      if case .object? = found.first { found = [] }
      return found.append(.memory(entry))
    }
    let partition = exchange.partition
    guard found.isEmpty, entry.head.selection.answers(exchange.fields, partition: partition) else { return }
    found = [.object(entry.cached, nil)]
  }
}
