import BluebonnetFoundation
import BluebonnetTransport

extension TaskLoad {
  /// The final response: asks the listener, then lets the body flow.
  func accept(_ response: HTTPURLResponse, bodyLength: Int?) {
    let length = bodyLength.map(Int64.init) ?? NSURLSessionTransferSizeUnknown
    self.bodyLength = length
    task.setResponse(response, expecting: length)
    copy = mayBeKept(response) ? Data() : nil
    if copy != nil, engine.storageQueue == nil { copyLimit = engine.settings.copyLimit }
    takeBody(of: response, bodyLength: bodyLength)
  }

  /// The response is known to the task: asks the listener, then lets the body flow.
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
    guard let task = task as? URLSessionDataTask, let listener, listener.takesData else {
      phase = .receiving
      return
    }
    phase = .deciding
    if listener.executor.isLoop {
      ask(listener, task, about: response)
    } else {
      listener.executor.async { [self] in ask(listener, task, about: response) }
    }
    // No answer yet: hold the body back until there is one.
    if case .deciding = phase { hold(.decision) }
  }

  private func ask(
    _ listener: any TaskListener, _ task: URLSessionDataTask, about response: URLResponse
  ) {
    listener.task(task, didReceive: response) { [self] disposition in
      // Most listeners answer where they are asked.
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
    task.countReceived(bytes.count)
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
    guard let kept = exchange?.retainBuffer(for: bytes),
      let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
    else { return Data(bytes) }
    return Data(
      bytesNoCopy: start, count: bytes.count, deallocator: .custom { _, _ in withExtendedLifetime(kept) {} })
  }

  func hand(_ data: Data) {
    guard let task = task as? URLSessionDataTask, let listener, listener.takesData else { return }
    let length = bodyLength
    if listener.executor.isLoop { return listener.task(task, didReceive: data, of: length) }
    let count = data.count
    undelivered.handed(count)
    if undelivered.isFull { hold(.backlog) }
    listener.executor.async { [self] in
      listener.task(task, didReceive: data, of: length)
      engine.loop.execute { [self] in
        if undelivered.taken(count) { release(.backlog) }
      }
    }
  }
}
