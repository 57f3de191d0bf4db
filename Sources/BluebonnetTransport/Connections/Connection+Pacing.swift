// SPDX-License-Identifier: MIT
import BluebonnetEventLoop

extension Connection {
  /// The channel has been drained, lastly of `count` bytes.
  func drained(_ count: Int) {
    // A head comes at once or not; a paused body is not waited for.
    guard state.hasHead, let client = state.client, !client.isPaused else { return }
    // A chunk's end is known, but not the body's.
    let remaining = state.http.contentLength == nil ? nil : state.http.bytesExpected
    perform(state.pace.drained(count, remaining: remaining, at: loop.now))
  }

  /// Goes back to reading every byte as it comes, if it was not so.
  func endPace() {
    perform(state.pace.end())
  }

  private func perform(_ action: ReadPace.Action) {
    switch action {
    case .none: break
    case .batch:
      channel.setReceiveLowWater(ReadPace.batch)
      look(at: MonotonicTime(nanoseconds: loop.now.nanoseconds &+ ReadPace.patience))
    case .eager:
      channel.setReceiveLowWater(1)
      if let timer = state.paceTimer.take() { loop.cancel(timer) }
    case .look(let moment): look(at: moment)
    }
  }

  private func look(at moment: MonotonicTime) {
    // Taken back when batching ends, which it does before the connection closes or rests.
    state.paceTimer = loop.schedule(at: moment) { self.step(.batchIsLate) }
  }

  func batchTimedOut() {
    state.paceTimer = nil
    let action = state.pace.waited(until: loop.now)
    perform(action)
    // What lies below a batch has raised no edge.
    if action == .eager { receive() }
  }
}
