import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetTransport
import Glibc

// URLSessionConfiguration.waitsForConnectivity.
extension TaskLoad {
  private static var firstPause: UInt64 { 250_000_000 }
  private static var longestPause: UInt64 { 15_000_000_000 }

  /// There is no way to the server: looks again later, until the time for the whole resource is up.
  ///
  /// Nothing of the request has been sent, so its body is still where it was.
  func waitForConnectivity() {
    if state.failedAttempts == 0, let listener {
      listener.executor.run { [task = state.task] in listener.taskIsWaitingForConnectivity(task) }
    }
    let pause = min(Self.firstPause << UInt64(min(state.failedAttempts, 16)), Self.longestPause)
    state.failedAttempts += 1
    state.phase = .loading
    state.timers.pause = engine.loop.schedule(
      at: MonotonicTime(nanoseconds: MonotonicTime.now().nanoseconds &+ pause)
    ) { [self] in
      state.timers.pause = nil
      if state.isOver { return }
      prepareAndSend(state.request)
    }
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
