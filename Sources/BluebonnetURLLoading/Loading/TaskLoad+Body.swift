import BluebonnetFoundation
import BluebonnetTransport

extension TaskLoad {
  /// The final response: ask the delegate, then let the body flow.
  func accept(_ response: HTTPURLResponse, bodyLength: Int?) {
    task.setResponse(response, expecting: bodyLength.map(Int64.init) ?? NSURLSessionTransferSizeUnknown)
    copy = mayBeKept(response) ? Data() : nil
    takeBody(of: response, bodyLength: bodyLength)
  }

  /// The response is known to the task: asks the delegate, then lets the body flow.
  func takeBody(of response: URLResponse, bodyLength: Int?) {
    switch sink {
    case .memory:
      sink = .memory(Data(capacity: Swift.min(bodyLength ?? 0, 1 << 20)))
      phase = .receiving
    case .file: phase = .receiving
    case .delegate, .gathering: askForDisposition(response)
    }
  }

  private func askForDisposition(_ response: URLResponse) {
    guard let task = task as? URLSessionDataTask, let delegate = dataDelegate else {
      phase = .receiving
      return
    }
    phase = .deciding
    if engine.lane.isLoop {
      ask(delegate, task, about: response)
    } else {
      engine.lane.async { [self] in ask(delegate, task, about: response) }
    }
    // No answer yet: hold the body back until there is one.
    if case .deciding = phase { hold(.decision) }
  }

  private func ask(
    _ delegate: any URLSessionDataDelegate, _ task: URLSessionDataTask, about response: URLResponse
  ) {
    delegate.urlSession(task.session, dataTask: task, didReceive: response) { [self] disposition in
      // Most delegates answer where they are asked.
      if engine.loop.isHeld { return decided(disposition) }
      engine.loop.execute { [self] in decided(disposition) }
    }
  }

  private func decided(_ disposition: URLSession.ResponseDisposition) {
    guard case .deciding = phase else { return }
    if disposition == .allow {
      phase = .receiving
      return releaseDecision()
    }
    settle(disposition) { [self] in releaseDecision() }
  }

  func receive(_ bytes: UnsafeRawBufferPointer) {
    task.count { $0.received += Int64(bytes.count) }
    if copy != nil { copyForCache(bytes) }
    switch sink {
    case .memory(var data):
      sink = .delegate
      data.append(contentsOf: bytes)
      sink = .memory(data)
    case .gathering(var data):
      sink = .delegate
      data.append(contentsOf: bytes)
      sink = .gathering(data)
    case .file(let file): write(bytes, to: file)
    case .delegate: hand(data(of: bytes))
    }
  }

  /// The bytes as data: in the buffer they came in if they fill much of it, else as a copy.
  func data(of bytes: UnsafeRawBufferPointer) -> Data {
    guard let kept = exchange?.keepBuffer(for: bytes),
      let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
    else { return Data(bytes) }
    return Data(
      bytesNoCopy: start, count: bytes.count, deallocator: .custom { _, _ in withExtendedLifetime(kept) {} })
  }

  func hand(_ data: Data) {
    guard let task = task as? URLSessionDataTask, let delegate = dataDelegate else { return }
    let session = task.session
    if engine.lane.isLoop {
      return delegate.urlSession(session, dataTask: task, didReceive: data)
    }
    let count = data.count
    undelivered.handed(count)
    if undelivered.isFull { hold(.backlog) }
    engine.lane.async { [self] in
      delegate.urlSession(session, dataTask: task, didReceive: data)
      engine.loop.execute { [self] in
        if undelivered.taken(count) { release(.backlog) }
      }
    }
  }
}
