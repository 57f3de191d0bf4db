import BluebonnetFoundation

extension TaskLoad {
  /// Does what the listener has answered about a response, then lets the body come.
  func settle(_ disposition: URLSession.ResponseDisposition, then go: @escaping @Sendable () -> Void) {
    switch disposition {
    case .allow:
      state.phase = .receiving
      go()
    case .cancel:
      state.phase = .receiving
      stop(
        .loading(.cancelled, url: state.request.url, phase: .cancelling, reason: "its delegate said so"))
    case .becomeDownload: becomeDownload(then: go)
    case .becomeStream:
      state.phase = .receiving
      stop(RefusedSetting.stream.error(for: state.request.url, during: .receivingBody))
    }
  }

  /// Makes the download where the delegate is called, because its delegate is told of it there and then.
  private func becomeDownload(then go: @escaping @Sendable () -> Void) {
    guard let old = state.task as? URLSessionDataTask else { return }
    let executor = listener?.executor ?? engine.executor
    executor.async { [self] in
      let download = old.session.downloadTask(insteadOf: old, drivenBy: self)
      engine.loop.execute { [self] in become(download, insteadOf: old, then: go) }
    }
  }

  private func become(
    _ download: URLSessionDownloadTask, insteadOf old: URLSessionDataTask,
    then go: @escaping @Sendable () -> Void
  ) {
    guard case .deciding = state.phase else {
      // Ended meanwhile, as the task that it still was.
      _ = download.complete(with: old.error ?? URLError(.cancelled))
      download.session.forget(download)
      return engine.endIfInvalidated()
    }
    state.task = download
    if let response = old.response {
      download.setResponse(response, expecting: old.countOfBytesExpectedToReceive)
    }
    let counts = old.byteCounts
    download.count { ($0.sent, $0.expectedToSend) = (counts.sent, counts.expectedToSend) }
    _ = old.complete(with: nil)
    old.session.forget(old)
    state.incoming.sink = BodySink(for: download, of: engine)
    state.incoming.dropCopy()
    state.phase = .receiving
    if let listener { listener.executor.run { listener.task(old, didBecome: download) } }
    go()
  }
}
