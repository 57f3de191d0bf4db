import BluebonnetEventLoop

extension Connection {
  /// The socket has been drained of `count` bytes.
  func drained(_ count: Int) {
    // A head comes at once or not; what is paused is not waited for.
    guard let exchange, !exchange.isPaused, exchange.milestones.responseHeadBytes > 0 else { return }
    // Of a chunk's end the parser knows, but not of the body's.
    let remaining = parser.contentLength == nil ? nil : parser.bytesExpected
    perform(pace.drained(count, remaining: remaining, at: loop.now))
  }

  /// Goes back to reading every byte as it comes, if it was not so.
  func endPace() {
    perform(pace.end())
  }

  private func perform(_ action: ReadPace.Action) {
    switch action {
    case .none: break
    case .batch:
      // Where the kernel refuses, every byte goes on being reported.
      try? Syscall.setReceiveLowWater(descriptor, Int32(ReadPace.batch))
      look(at: MonotonicTime(nanoseconds: loop.now.nanoseconds &+ ReadPace.patience))
    case .eager:
      try? Syscall.setReceiveLowWater(descriptor, 1)
      if let paceTimer { loop.cancel(paceTimer) }
      paceTimer = nil
    case .look(let moment): look(at: moment)
    }
  }

  private func look(at moment: MonotonicTime) {
    // Taken back when batching ends, which it does before the connection closes or rests.
    paceTimer = loop.schedule(at: moment) { self.patienceEnded() }
  }

  private func patienceEnded() {
    paceTimer = nil
    let action = pace.waited(until: loop.now)
    perform(action)
    guard action == .eager, state != .closed else { return }
    // What lies below a batch has raised no edge.
    isReadable = true
    receive()
  }
}
