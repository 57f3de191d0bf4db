import BluebonnetEventLoop

/// What stands in for name lookup, sockets and TLS where a pool has it: for tests of whatever is above.
///
/// Called in loop context. What it connects to is taken to be the origin of the route, securely if the route is secure.
package typealias Dial = @Sendable (_ route: Route, _ loop: EventLoop) -> DialOutcome

/// What came of a call.
package enum DialOutcome {
  /// A channel to whoever speaks for the origin; it has no owner.
  case connected(any Channel)
  case failed(ConnectError)
  /// Nobody answers, and nobody refuses.
  case silence
}

extension RequestDriver {
  func connect(by dial: Dial) {
    state.stage = .connecting(nil)
    var timestamps = ConnectTimestamps()
    timestamps.connectStart = loop.now
    switch dial(request.route, loop) {
    case .connected(let channel):
      timestamps.connectEnd = loop.now
      conclude(.success(ConnectedChannel(channel)), timestamps)
    case .failed(let error): conclude(.failure(error), timestamps)
    case .silence:
      guard let deadline = state.budget.deadline else { return }
      _ = loop.schedule(at: deadline) { [weak self] in
        self?.concluded(.failure(.timedOut(.connecting)), timestamps)
      }
    }
  }

  /// Later, as a socket would.
  private func conclude(_ result: Result<ConnectedChannel, ConnectError>, _ timestamps: ConnectTimestamps) {
    let result = LoopConfined(result)
    loop.enqueue { [self] in concluded(result.value, timestamps) }
  }

  private func concluded(_ result: Result<ConnectedChannel, ConnectError>, _ timestamps: ConnectTimestamps) {
    // No descriptor was needed, so nobody waits for one to be given back.
    dialed(result, timestamps, closedBefore: group.pool.closedConnectionCount)
  }
}
