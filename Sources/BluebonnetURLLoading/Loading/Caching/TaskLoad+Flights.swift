import BluebonnetSemantics

// URLSessionConfiguration.collapsesRequests.
extension TaskLoad {
  /// Whether the load waits for another that asks the same. If not, others may wait for this one.
  func waitsForAnother(_ caching: LoadCaching, _ session: SessionCache) -> Bool {
    guard session.collapses, caching.waitedSince == nil, caching.exchange.method == "GET",
      caching.exchange.wish == .rules
    else { return false }
    let name = Flights<TaskLoad>.Name(key: caching.key, fields: caching.exchange.fields)
    if session.flights.join(name, self, mayLead: mayLead, now: engine.loop.secondsSince1970) { return true }
    if mayLead { caching.leads = name }
    return false
  }

  /// Nobody should wait for one that reads at a pace of its own, or rests.
  private var mayLead: Bool {
    if isSuspended { return false }
    if case .reader = state.incoming.sink { return false }
    return true
  }

  /// What this load has brought, if anything, is there: whoever has waited for it looks for it.
  ///
  /// - Parameter keeping: After what it is there; nil for now. This load does not wait for it.
  func land(after keeping: Task<Void, Never>? = nil) {
    guard let name = state.caching?.leads.take(), let session = engine.cache else { return }
    guard let keeping else { return session.land(name) }
    Task { [loop = engine.loop] in
      await keeping.value
      loop.execute { session.land(name) }
    }
  }

  /// Once is enough: if what has come cannot be used, this load asks for itself.
  fileprivate func goOn(afterFlightSince start: Double) {
    guard !state.isOver, let session = engine.cache else { return }
    state.caching = nil
    if !asks(session, waitedSince: start) { leaveForServer() }
  }
}

extension SessionCache {
  fileprivate func land(_ name: Flights<TaskLoad>.Name) {
    let landed = flights.land(name)
    for waiter in landed.waiters { waiter.goOn(afterFlightSince: landed.start) }
  }
}
