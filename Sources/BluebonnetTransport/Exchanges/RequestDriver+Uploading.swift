import BluebonnetEventLoop

extension Exchange {
  /// The connection's channel has taken bytes of the body.
  func staged(_ count: Int) {
    upload.staged(count)
  }

  /// Everything staged has left for the kernel.
  func flushedBody() {
    guard upload.staged > 0 else { return }
    if upload.isMeasured { measureUpload() } else { tellOfUpload() }
  }

  /// Asks how far a large body has come, and sees to it that somebody asks again if it is not all the way.
  func measureUpload() {
    guard upload.isMeasured else { return }
    _ = uploadMoved()
    tellOfUpload()
    guard upload.isOutstanding, uploadTimer == nil, case .exchanging = state else { return }
    let limit = request.timeouts.sending ?? .max
    let interval = Swift.max(1_000_000, Swift.min(UploadMeter.interval, limit / 4))
    // Taken back when the exchange ends.
    uploadTimer = loop.schedule(at: MonotonicTime(nanoseconds: loop.now.nanoseconds &+ interval)) {
      self.uploadTimer = nil
      self.lookAfterUpload()
    }
  }

  private func lookAfterUpload() {
    measureUpload()
    guard !upload.isOutstanding, !budget.phase.isReceiving, case .exchanging(let connection) = state,
      connection.state.isRequestSent, sendError == nil
    else { return }
    metrics.requestEnd = loop.now
    budget.begin(.waiting, at: loop.now)
  }

  /// Whether the peer's kernel has taken more of the body since this was asked last. If so, time starts anew.
  func uploadMoved() -> Bool {
    guard upload.acknowledged < upload.staged, case .exchanging(let connection) = state, sendError == nil,
      let remaining = connection.channel.unacknowledgedBytes, upload.measured(onThisSide: remaining)
    else { return false }
    // Of a small body nobody knows when it arrived, only that it has.
    if !upload.isMeasured, upload.acknowledged == upload.staged { return false }
    budget.progress(at: loop.now)
    return true
  }

  /// Whether the peer's kernel has all of a large body. What a server that has answered does not read would stand before
  /// the next request.
  func hasArrived() -> Bool {
    if upload.isOutstanding { _ = uploadMoved() }
    return !upload.isOutstanding
  }

  func stopMetering() {
    if let timer = uploadTimer.take() { loop.cancel(timer) }
  }

  private func tellOfUpload() {
    let count = upload.takeUntold()
    guard count > 0 else { return }
    metrics.requestBodyBytes = upload.isMeasured ? upload.acknowledged : upload.staged
    client?.exchange(self, didSendBody: count)
  }
}
