import BluebonnetFoundation
import BluebonnetSemantics

// URLSessionConfiguration.requestLimit and requestLimitPerHost.
extension TaskLoad: TurnTaking {
  /// Sends the prepared request when it is its turn.
  func exchange(inTurnOf requests: RequestQueue, to host: String) {
    state.phase = .loading
    requests.ask(self, for: host)
  }

  /// The prepared request may go.
  func turnHasCome() {
    guard let request = prepared.exchange.take() else {
      return assertionFailure("a request whose turn has come is prepared")
    }
    exchange(request)
  }

  /// Fails what waits for its turn.
  func waitedTooLong(_ reason: String) {
    stop(.loading(.timedOut, url: state.request.url, phase: .waitingForTurn, reason: reason))
  }

  /// The load's current phase.
  var currentPhase: LoadingPhase {
    state.source?.phase ?? (engine.requests?.isWaiting(self) == true ? .waitingForTurn : .preparing)
  }

  func priorityChanged() {
    engine.loop.execute { [self] in
      engine.requests?.urgencyChanged(of: self)
      state.source?.urgencyChanged()
    }
  }
}
