import BluebonnetSemantics

// URLSessionConfiguration.collapsesRequests.
extension TaskLoad {
  /// Whether the load waits for another that asks the same. If not, others may wait for this one.
  func waitsForAnother(_ caching: LoadCaching, _ session: SessionCache) -> Bool {
    guard session.collapses, caching.waitedSince == nil, caching.exchange.method == "GET",
      caching.exchange.mode == .rules
    else { return false }
    let name = CollapsedRequests<TaskLoad>.Name(key: caching.key, fields: caching.exchange.fields)
    if session.collapsed.join(name, self, mayLead: mayLead, now: engine.loop.secondsSince1970) { return true }
    if mayLead { caching.leaderName = name }
    return false
  }

  /// No load should wait for one that reads at a pace of its own, or is suspended.
  private var mayLead: Bool {
    if isSuspended { return false }
    if case .reader = state.incoming.sink { return false }
    return true
  }

  /// This load's response, if any, is stored: the loads waiting for it look for it.
  ///
  /// - Parameter keeping: The task after which it is stored; nil for now. This load does not wait for it.
  func completeCollapsed(after keeping: Task<Void, Never>? = nil) {
    guard let name = state.caching?.leaderName.take(), let session = engine.cache else { return }
    guard let keeping else { return session.complete(name) }
    Task { [loop = engine.loop] in
      await keeping.value
      loop.execute { session.complete(name) }
    }
  }

  /// Once is enough: if that response cannot be used, this load asks for itself.
  fileprivate func goOn(afterFlightSince start: Double) {
    guard !state.isOver, let session = engine.cache else { return }
    state.caching = nil
    if !asks(session, waitedSince: start) { leaveForServer() }
  }
}

extension SessionCache {
  fileprivate func complete(_ name: CollapsedRequests<TaskLoad>.Name) {
    let landed = collapsed.complete(name)
    for waiter in landed.waiters { waiter.goOn(afterFlightSince: landed.start) }
  }
}
