import BluebonnetFoundation
import BluebonnetSemantics

/// What one request of a load has to do with the cache.
///
/// Touched only while the loop is held.
final class LoadCaching {
  /// What the rules say.
  var exchange: CacheExchange
  /// What the response is kept under.
  let key: StoredResponse.Key
  let target: TargetURI
  /// What was found under it, by the indices that the rules speak of.
  var found: [FoundResponse] = []
  /// When the server was asked, in seconds since 1970.
  var requestTime = 0.0
  /// What the response is to be kept as.
  var record: StoredHead?
  /// Others wait for the response under this name.
  var leads: Flights<TaskLoad>.Name?
  /// The load has waited for another one, which asked the server then.
  var waitedSince: Double?
  /// Takes a body that is too large for the memory.
  var keeper: BodyKeeper?
  /// Answers when what the server has sent is out of the way.
  var answer: (found: FoundResponse, serving: CacheServing)?

  /// When what the response is about to say was asked for. What a POST brings is newer than the change that it makes.
  var askedFor: Double { exchange.method == "POST" ? .infinity : requestTime }

  init(_ exchange: CacheExchange, key: StoredResponse.Key, target: TargetURI) {
    self.exchange = exchange
    self.key = key
    self.target = target
  }

  /// What the memory has. Of a response that did not come over HTTP the rules know nothing: it counts where there is no other.
  func add(_ entry: MemoryResponses.Entry) {
    guard entry.response.status == 0 else {
      if case .object? = found.first { found = [] }
      return found.append(.memory(entry))
    }
    let way = exchange.way
    guard found.isEmpty, entry.head.selection.answers(exchange.fields, way: way) else { return }
    found = [.object(entry.cached, nil)]
  }
}
