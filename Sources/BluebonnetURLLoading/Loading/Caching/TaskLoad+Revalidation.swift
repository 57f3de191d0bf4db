import BluebonnetFoundation
import BluebonnetSemantics

// `stale-while-revalidate` (RFC 5861 §3).
extension TaskLoad {
  /// Asks for a kept response anew, by a task of its own: whatever the session's delegate has to say to connections and servers
  /// it says to that one, too.
  func revalidate(_ caching: LoadCaching, _ session: SessionCache) {
    guard let owner = state.task as? URLSessionDataTask, session.begins(caching.key) else { return }
    let (key, listener, loop) = (caching.key, listener, engine.loop)
    var request = state.request
    request.cachePolicy = .reloadRevalidatingCacheData
    // Not in loop context: the task is made like any other.
    DispatchQueue.global().async { [request] in
      let task = owner.session.dataTask(with: request) { _, _, _ in }
      loop.execute { session.add(.init(key: key, task: owner, listener: listener), for: task) }
      task.resume()
    }
  }
}
