import BluebonnetEventLoop

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
    // No descriptor was needed, so none has to be given back first.
    dialed(result, timestamps, closedBefore: group.pool.closedConnectionCount)
  }
}
