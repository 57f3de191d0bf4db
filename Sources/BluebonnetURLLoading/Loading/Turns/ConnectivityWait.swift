import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetTransport
import Glibc

/// A load's wait for a way to its server (`URLSessionConfiguration.waitsForConnectivity`): it looks again when the network changes, or
/// a name server may have come back, until the time for the whole resource is up.
///
// Touched only while the loop is held.
final class ConnectivityWait {
  private static var longestPause: UInt64 { 15_000_000_000 }
  private static var shortestPause: UInt64 { 50_000_000 }

  private unowned let load: LoadDriver
  /// The end of the pause.
  private var timer: TimerToken?
  /// The number of attempts without a way to the server.
  private var failedAttempts: UInt32 = 0
  /// The machine's networks have changed since the last attempt began.
  private var hasNewNetwork = false

  init(of load: LoadDriver) { self.load = load }

  /// Nothing of the request has been sent, so its body is still where it was.
  func begin() {
    if failedAttempts == 0, let listener = load.listener {
      listener.executor.run { [task = load.state.task] in listener.taskIsWaitingForConnectivity(task) }
    }
    // A listener on the loop may have cancelled the task there and then.
    if load.state.isOver { return }
    let pause = hasNewNetwork ? Self.shortestPause : nextPause
    hasNewNetwork = false
    failedAttempts += 1
    load.state.machine.load()
    let engine = load.engine
    engine.requests?.rest(load)
    timer = engine.loop.schedule(
      at: MonotonicTime(nanoseconds: engine.loop.instant.nanoseconds &+ pause)
    ) { [load] in load.state.connectivity?.pauseIsOver() }
    engine.waitsForNetwork(load)
  }

  private var nextPause: UInt64 {
    let first = load.engine.settings.firstConnectivityPause
    return max(first, min(first << UInt64(min(failedAttempts, 16)), Self.longestPause))
  }

  /// The machine's links, addresses or routes are not what they were.
  func networkHasChanged() {
    guard let timer = timer.take() else {
      // In the middle of an attempt that may have begun too early.
      hasNewNetwork = true
      return
    }
    load.engine.loop.cancel(timer)
    lookAgain()
  }

  /// The load has ended.
  func cancel() { if let timer = timer.take() { load.engine.loop.cancel(timer) } }

  private func pauseIsOver() {
    timer = nil
    lookAgain()
  }

  private func lookAgain() {
    if !load.state.isOver { load.prepareAndSend(load.state.request) }
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
