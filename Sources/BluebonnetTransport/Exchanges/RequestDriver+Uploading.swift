// SPDX-License-Identifier: MIT
import BluebonnetEventLoop

// How far the request's body has come.
extension RequestDriver {
  /// The connection's channel has taken bytes of the body.
  func staged(_ count: Int) {
    state.upload.staged(count)
  }

  /// Everything staged has left for the kernel.
  func flushedBody() {
    guard state.upload.staged > 0 else { return }
    if state.upload.isMeasured { measureUpload() } else { tellOfUpload() }
  }

  /// Measures the progress of a large body, and schedules the next measurement if it is not all the way.
  func measureUpload() {
    guard state.upload.isMeasured else { return }
    _ = uploadMoved()
    tellOfUpload()
    guard state.upload.isOutstanding, state.uploadTimer == nil, case .exchanging = state.stage else { return }
    let next = loop.now.adding(.nanoseconds(UploadMeter.interval(within: request.timeouts.sending)))
    // Taken back when the request ends.
    state.uploadTimer = loop.schedule(at: next) {
      self.state.uploadTimer = nil
      self.lookAfterUpload()
    }
  }

  private func lookAfterUpload() {
    measureUpload()
    guard !state.upload.isOutstanding, !state.budget.phase.isReceiving,
      case .exchanging(let connection) = state.stage, connection.state.isRequestSent,
      connection.state.sendError == nil
    else { return }
    requestEnded()
  }

  /// Whether the peer's kernel has taken more of the body since this was asked last. If so, time starts anew.
  func uploadMoved() -> Bool {
    guard state.upload.isUnconfirmed, case .exchanging(let connection) = state.stage,
      connection.state.sendError == nil, let remaining = connection.channel.unacknowledgedBytes,
      state.upload.moved(leaving: remaining)
    else { return false }
    state.budget.progress(at: loop.now)
    return true
  }

  /// Whether the peer's kernel has all of a large body. What a server that has answered does not read would stand before
  /// the next request.
  func hasArrived() -> Bool {
    if state.upload.isOutstanding { _ = uploadMoved() }
    return !state.upload.isOutstanding
  }

  /// Tells the client what it has not been told of yet.
  func tellOfUpload() {
    // Also of bytes that the client has been told of: a body that is sent again is counted anew here.
    state.metrics.requestBodyBytes = state.upload.isMeasured ? state.upload.acknowledged : state.upload.staged
    let count = state.upload.takeUntold()
    guard count > 0 else { return }
    state.client?.exchange(self, didSendBody: count)
  }
}
