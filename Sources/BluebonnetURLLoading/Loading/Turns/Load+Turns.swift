// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetSemantics

// Turns (URLSessionConfiguration.requestLimit and requestLimitPerHost), and the wait for a network.
extension Load: TurnTaking {
  var urgency: Float {
    let priority = state.task.priority
    return priority.isNaN ? URLSessionTask.defaultPriority : priority
  }

  /// The prepared request goes when it is its turn.
  func askForTurn() {
    guard let requests = engine.requests, let host = prepared.exchange?.route.host else {
      return requestPassed()
    }
    requests.ask(self, for: host)
  }

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

  /// There is no way to the server yet. Nothing of the request has been sent, so its body is still where it was.
  func waitForConnectivity() {
    let wait =
      state.connectivity
      ?? ConnectivityWait(in: engine) { [weak self] in
        if let self, !state.isOver { prepareAndSend(state.request) }
      }
    state.connectivity = wait
    if wait.isNew { tell(.waitingForConnectivity) }
    // A listener on the loop may have cancelled the task there and then.
    if state.isOver { return }
    state.machine.load()
    engine.requests?.rest(self)
    wait.begin()
  }
}
