// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetTransport

// The end of a load.
extension LoadDriver {
  /// Offers the whole response to the listener, and keeps what it makes of it; then goes on, in loop context.
  func offerToCache(then finish: @escaping @Sendable () -> Void) {
    guard let cache, let response = state.response, let record = cache.record.take() else { return finish() }
    CacheOffer(of: response, record, by: self, cache).begin(then: finish)
  }

  /// The load has to do with the cache no more, or with another address there.
  func leaveCache() {
    cache?.leave()
    // What it has found may be large, and the task may be kept for long.
    cache = nil
  }

  func complete(with error: (any Error)?) {
    if case .finished = state.phase { return }
    state.machine.finish()
    authorization?.leave()
    authorization = nil
    if cache != nil { leaveCache() }
    endResourceTime()
    let named = error.map { ($0 as? URLError)?.naming(state.request) ?? $0 }
    if let webSocket { endTask(with: webSocket.end(with: named)) } else { endTask(with: named) }
  }
}
