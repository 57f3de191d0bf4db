import BluebonnetFoundation
import BluebonnetSemantics

// `stale-while-revalidate` (RFC 5861 §3).
extension TaskLoad {
  /// Asks for a kept response anew, by a task of its own: whatever the session's delegate has to say to connections and servers
  /// it says to that one, too.
  ///
  /// - Parameter selection: What tells the kept response from others of its address.
  func revalidate(_ key: StoredResponse.Key, _ selection: CacheSelection, _ session: SessionCache) {
    let variant = SessionCache.Variant(key: key, selection: selection)
    guard let owner = state.task as? URLSessionDataTask, session.begins(variant) else { return }
    let (listener, loop) = (listener, engine.loop)
    var request = state.request
    request.cachePolicy = .reloadRevalidatingCacheData
    // Not in loop context: the task is made like any other.
    DispatchQueue.global().async { [request] in
      let task = owner.session.dataTask(with: request) { _, _, _ in }
      loop.execute { session.add(.init(variant: variant, task: owner, listener: listener), for: task) }
      task.resume()
    }
  }
}
