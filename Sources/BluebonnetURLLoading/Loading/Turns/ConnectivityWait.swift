// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetLibc
import BluebonnetTransport

/// A load's wait for a way to its server (`URLSessionConfiguration.waitsForConnectivity`): it looks again when the network changes, or
/// a name server may have come back, until the time for the whole resource is up.
///
// Touched only while the loop is held.
final class ConnectivityWait: NetworkWaiter {
  private static var longestPause: UInt64 { 15_000_000_000 }
  private static var shortestPause: UInt64 { 50_000_000 }

  private let engine: SessionEngine
  /// Sends the request once more.
  private let lookAgain: () -> Void
  /// The end of the pause.
  private var timer: TimerToken?
  /// The number of attempts without a way to the server.
  private var failedAttempts: UInt32 = 0
  /// The machine's networks have changed since the last attempt began.
  private var hasNewNetwork = false

  init(in engine: SessionEngine, lookAgain: @escaping () -> Void) {
    (self.engine, self.lookAgain) = (engine, lookAgain)
  }

  /// The load has not waited before.
  var isNew: Bool { failedAttempts == 0 }

  func begin() {
    let pause = hasNewNetwork ? Self.shortestPause : nextPause
    hasNewNetwork = false
    failedAttempts += 1
    timer = engine.loop.schedule(
      at: MonotonicTime(nanoseconds: engine.loop.instant.nanoseconds &+ pause)
    ) { [self] in
      timer = nil
      lookAgain()
    }
    engine.waitsForNetwork(self)
  }

  private var nextPause: UInt64 {
    let first = engine.settings.firstConnectivityPause
    return max(first, min(first << UInt64(min(failedAttempts, 16)), Self.longestPause))
  }

  func networkHasChanged() {
    guard let timer = timer.take() else {
      // In the middle of an attempt that may have begun too early.
      hasNewNetwork = true
      return
    }
    engine.loop.cancel(timer)
    lookAgain()
  }

  /// The load has ended.
  func cancel() {
    if let timer = timer.take() { engine.loop.cancel(timer) }
    engine.waitsNoMore(self)
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
