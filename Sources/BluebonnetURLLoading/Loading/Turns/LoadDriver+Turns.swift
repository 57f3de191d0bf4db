import BluebonnetFoundation
import BluebonnetSemantics

// URLSessionConfiguration.requestLimit and requestLimitPerHost.
extension LoadDriver: TurnTaking {
  /// The prepared request may go.
  func turnHasCome() { requestPassed() }

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
