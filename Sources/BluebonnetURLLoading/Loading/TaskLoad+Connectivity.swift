import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetTransport
import Glibc

// URLSessionConfiguration.waitsForConnectivity.
extension TaskLoad {
  private static var longestPause: UInt64 { 15_000_000_000 }
  private static var shortestPause: UInt64 { 50_000_000 }

  /// There is no way to the server: looks again when the network changes, or a name server may have come back, until the
  /// time for the whole resource is up.
  ///
  /// Nothing of the request has been sent, so its body is still where it was.
  func waitForConnectivity() {
    if state.failedAttempts == 0, let listener {
      listener.executor.run { [task = state.task] in listener.taskIsWaitingForConnectivity(task) }
    }
    let pause = state.networkHasChanged ? Self.shortestPause : pause(after: state.failedAttempts)
    state.networkHasChanged = false
    state.failedAttempts += 1
    state.phase = .loading
    engine.requests?.rest(self)
    state.timers.pause = engine.loop.schedule(
      at: MonotonicTime(nanoseconds: engine.loop.instant.nanoseconds &+ pause)
    ) { [self] in
      state.timers.pause = nil
      lookAgain()
    }
    engine.waitsForNetwork(self)
  }

  private func pause(after attempts: UInt32) -> UInt64 {
    let first = engine.settings.firstConnectivityPause
    return max(first, min(first << UInt64(min(attempts, 16)), Self.longestPause))
  }

  /// The machine's links, addresses or routes are not what they were.
  func networkHasChanged() {
    guard let timer = state.timers.pause.take() else {
      // In the middle of an attempt that may have begun too early.
      state.networkHasChanged = true
      return
    }
    engine.loop.cancel(timer)
    lookAgain()
  }

  private func lookAgain() {
    if !state.isOver { prepareAndSend(state.request) }
  }
}

extension TransportError {
  /// No network leads to the host, or none to a server that knows its name. A host that is there and refuses is
  /// another matter, and so is a name that does not exist.
  var lacksConnectivity: Bool {
    switch cause {
    case .unconnected(.failed(let error, _)):
      [ENETUNREACH, ENETDOWN, EHOSTUNREACH].contains(error.errno)
    case .unresolvedHost(let failure): failure.isTemporary
    default: false
    }
  }
}
