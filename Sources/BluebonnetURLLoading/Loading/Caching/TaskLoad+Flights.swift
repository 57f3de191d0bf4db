import BluebonnetSemantics

// URLSessionConfiguration.collapsesRequests.
extension TaskLoad {
  /// Whether the load waits for another that asks the same. If not, others may wait for this one.
  func waitsForAnother(_ caching: LoadCaching, _ session: SessionCache) -> Bool {
    guard session.collapses, caching.waitedSince == nil, caching.exchange.method == "GET",
      caching.exchange.wish == .rules
    else { return false }
    let name = Flights<TaskLoad>.Name(key: caching.key, fields: caching.exchange.fields)
    if session.flights.join(name, self, mayLead: mayLead, now: SessionCache.now) { return true }
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
  func land() {
    guard let name = state.caching?.leads.take(), let session = engine.cache else { return }
    let landed = session.flights.land(name)
    for waiter in landed.waiters { waiter.goOn(afterFlightSince: landed.start) }
  }

  /// Once is enough: if what has come cannot be used, this load asks for itself.
  private func goOn(afterFlightSince start: Double) {
    guard !state.isOver, let session = engine.cache else { return }
    state.caching = nil
    if !asks(session, waitedSince: start) { leaveForServer() }
  }
}
