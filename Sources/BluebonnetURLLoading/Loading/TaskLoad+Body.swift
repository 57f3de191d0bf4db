import BluebonnetFoundation
import BluebonnetTransport

extension TaskLoad {
  /// The final response: asks the listener, then lets the body flow.
  func accept(_ response: HTTPURLResponse, bodyLength: Int?) {
    if let link = state.webSocket { return takeOpening(response, link) }
    if case .file(let file) = state.incoming.sink, answersRange(response, bodyLength: bodyLength, file) {
      return
    }
    let length = bodyLength.map(Int64.init) ?? NSURLSessionTransferSizeUnknown
    begin(response, of: length, isKept: state.caching?.record != nil)
    takeBody(of: response, bodyLength: bodyLength)
  }

  /// The response becomes the task's.
  func begin(_ response: URLResponse, of length: Int64, isKept: Bool) {
    state.task.setResponse(response, expecting: length)
    state.incoming.begin(length: length, isCopied: isKept)
    if isKept, engine.storageQueue == nil { state.incoming.copyLimit = engine.settings.copyLimit }
  }

  /// The response is known to the task: asks the listener, then lets the body flow.
  func takeBody(of response: URLResponse, bodyLength: Int?) {
    if let bodyLength, bodyLength > engine.memoryLimit, gathersBody { return refuseBody(of: bodyLength) }
    switch state.incoming.sink {
    case .memory:
      state.incoming.sink = .memory(Data(capacity: Swift.min(bodyLength ?? 0, 1 << 20)))
      state.phase = .receiving
    case .file: state.phase = .receiving
    case .reader(let reader):
      state.phase = .receiving
      reader.respond(response)
    case .delegate, .gathering: askForDisposition(response)
    }
  }

  private func askForDisposition(_ response: URLResponse) {
    guard let task = state.task as? URLSessionDataTask, let listener, listener.takesData else {
      state.phase = .receiving
      return
    }
    // Without a question there is nothing to remember for its answer, which would be an allocation for each request.
    if listener.isOnLoop, listener.task(task, accepts: response) {
      state.phase = .receiving
      return
    }
    let question = state.ask(.response)
    if listener.isOnLoop {
      ask(question, listener, task, about: response)
    } else {
      listener.executor.async { [self] in ask(question, listener, task, about: response) }
    }
    // No answer yet: hold the body back until there is one.
    if case .deciding = state.phase { hold(.decision) }
  }

  private func ask(
    _ question: LoadQuestions.Question, _ listener: any TaskListener, _ task: URLSessionDataTask,
    about response: URLResponse
  ) {
    listener.task(task, didReceive: response) { [self] disposition in
      // Most listeners answer where they are asked.
      if engine.loop.isHeld { return decided(question, disposition) }
      engine.loop.execute { [self] in decided(question, disposition) }
    }
  }

  private func decided(_ question: LoadQuestions.Question, _ disposition: URLSession.ResponseDisposition) {
    guard take(question) else { return }
    if disposition == .allow {
      state.phase = .receiving
      return releaseDecision()
    }
    settle(disposition) { [self] in releaseDecision() }
  }

  func receive(_ bytes: UnsafeRawBufferPointer) {
    state.task.countReceived(bytes.count)
    if engine.memoryLimit != .max, exceedsMemory { return refuseBody(of: nil) }
    if state.incoming.isCopied { keepCopy(of: bytes) }
    // First, while nothing else refers to the memory: it grows in place.
    if state.incoming.sink.append(bytes) { return }
    switch state.incoming.sink {
    case .file(let file): write(bytes, to: file)
    case .reader(let reader): if reader.append(data(of: bytes)) { hold(.slowReader) }
    case .delegate, .gathering, .memory: hand(data(of: bytes))
    }
  }

  /// A piece of a body that is in memory already.
  func receive(_ data: Data) {
    guard case .delegate = state.incoming.sink, !state.incoming.isCopied, engine.memoryLimit == .max else {
      return data.withUnsafeBytes { receive($0) }
    }
    state.task.countReceived(data.count)
    hand(data)
  }

  /// Less is never worth a buffer of its own; asking would take longer than copying.
  private static var alwaysCopied: Int { 4096 }

  /// The bytes as data: in the buffer they came in if they fill much of it, else as a copy.
  func data(of bytes: UnsafeRawBufferPointer) -> Data {
    guard bytes.count > Self.alwaysCopied, let kept = state.source?.retainBuffer(for: bytes),
      let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
    else { return Data(bytes) }
    return Data(
      bytesNoCopy: start, count: bytes.count, deallocator: .custom { _, _ in withExtendedLifetime(kept) {} })
  }

  func hand(_ data: Data) {
    guard let task = state.task as? URLSessionDataTask, let listener, listener.takesData else { return }
    let length = state.incoming.length
    if listener.isOnLoop { return listener.task(task, didReceive: data, of: length) }
    let count = data.count
    state.incoming.undelivered.handed(count)
    if state.incoming.undelivered.isFull { hold(.backlog) }
    listener.executor.async { [self] in
      listener.task(task, didReceive: data, of: length)
      engine.loop.execute { [self] in
        if state.incoming.undelivered.taken(count) { release(.backlog) }
      }
    }
  }
}
