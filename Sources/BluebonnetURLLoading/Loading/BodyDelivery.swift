// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLoading
import BluebonnetMessages
import BluebonnetTransport

extension Load {
  var delivery: BodyDelivery { BodyDelivery(load: self) }
}

/// Brings a response's body to where it goes: asks the listener what becomes of the response, hands the bytes to it or to a file,
/// keeps a copy for the cache, and has the wire wait for whatever is slower.
struct BodyDelivery {
  let load: Load

  // MARK: The response

  /// The response is known to the task: asks the listener, then lets the body flow.
  func takeBody(of response: URLResponse) {
    if let bodyLength = load.state.bodyLength, bodyLength > load.engine.memoryLimit, gathersBody {
      return refuseBody(of: bodyLength)
    }
    switch load.state.incoming.sink {
    case .memory, .file: load.state.machine.receive()
    case .reader(let reader):
      load.state.machine.receive()
      reader.respond(response)
    case .delegate, .gathering: askForDisposition(response)
    }
  }

  private func askForDisposition(_ response: URLResponse) {
    let task = load.state.task
    // Without a question there is nothing to remember for its answer, which would be an allocation for each request.
    guard let listener = load.listener, listener.takesData, task is URLSessionDataTask,
      !(listener.isOnLoop && listener.accepts(response, of: task))
    else {
      load.state.machine.receive()
      return
    }
    let question = load.state.machine.ask(.response)
    listener.ask(
      .response(response) { disposition in
        // Most listeners answer where they are asked.
        if load.engine.loop.isHeld { return decided(question, disposition) }
        load.engine.loop.execute { decided(question, disposition) }
      }, of: task)
    // No answer yet: hold the body back until there is one.
    load.holdWhileDeciding()
  }

  private func decided(_ question: QuestionLog.Question, _ disposition: URLSession.ResponseDisposition) {
    guard load.take(question) else { return }
    if disposition == .allow {
      load.state.machine.receive()
      return load.releaseDecision()
    }
    settle(disposition) { load.releaseDecision() }
  }

  /// Does what the listener has answered about a response, then lets the body come.
  private func settle(_ disposition: URLSession.ResponseDisposition, then go: @escaping @Sendable () -> Void)
  {
    switch disposition {
    case .allow:
      load.state.machine.receive()
      go()
    case .cancel:
      load.state.machine.receive()
      load.stop(
        .loading(.cancelled, url: load.state.request.url, phase: .cancelling, reason: "its delegate said so"))
    case .becomeDownload: becomeDownload(then: go)
    case .becomeStream:
      load.state.machine.receive()
      load.stop(RefusedSetting.stream.error(for: load.state.request.url, during: .receivingBody))
    }
  }

  /// Makes the download where the delegate is called, because its delegate is told of it there and then.
  private func becomeDownload(then go: @escaping @Sendable () -> Void) {
    guard let old = load.state.task as? URLSessionDataTask else { return }
    let executor = load.listener?.executor ?? load.engine.executor
    executor.async {
      let download = old.session.downloadTask(insteadOf: old)
      load.engine.loop.execute { become(download, insteadOf: old, then: go) }
    }
  }

  private func become(
    _ download: URLSessionDownloadTask, insteadOf old: URLSessionDataTask,
    then go: @escaping @Sendable () -> Void
  ) {
    guard case .deciding = load.state.phase else {
      // Ended meanwhile, as the task that it still was.
      _ = download.complete(with: old.error ?? URLError(.cancelled))
      download.session.forget(download)
      return load.engine.endIfInvalidated()
    }
    load.state.task = download
    if let response = old.response {
      download.setResponse(response, expecting: old.countOfBytesExpectedToReceive)
    }
    let counts = old.byteCounts
    download.count { ($0.sent, $0.expectedToSend) = (counts.sent, counts.expectedToSend) }
    _ = old.complete(with: nil)
    old.session.forget(old)
    load.state.incoming.sink = BodySink(for: download, waitingFor: load.engine.descriptorWait(for: download))
    load.state.incoming.dropCopy()
    load.state.machine.receive()
    load.listener?.tell(.becameDownload(download), of: old)
    go()
  }

  // MARK: The bytes

  /// Counts bytes that have come.
  ///
  /// - Returns: false if there are more than may be gathered: then the load ends.
  func admits(_ count: Int) -> Bool {
    load.state.task.countReceived(count)
    guard load.engine.memoryLimit != .max, exceedsMemory else { return true }
    refuseBody(of: nil)
    return false
  }

  /// Brings counted bytes to where they go.
  func take(_ bytes: UnsafeRawBufferPointer) {
    // First, while nothing else refers to the memory: it grows in place.
    if load.state.incoming.sink.append(bytes, of: load.state.bodyLength) { return }
    switch load.state.incoming.sink {
    case .file(let file): write(bytes, to: file)
    case .reader(let reader): if reader.append(data(of: bytes)) { load.hold(.slowReader) }
    case .delegate, .gathering, .memory: hand(data(of: bytes))
    }
  }

  /// Takes a piece of a body that is in memory already.
  ///
  /// - Returns: false if its bytes are to be taken.
  func takes(_ data: Data) -> Bool {
    guard case .delegate = load.state.incoming.sink, !load.state.incoming.isCopied,
      load.engine.memoryLimit == .max
    else { return false }
    load.state.task.countReceived(data.count)
    hand(data)
    return true
  }

  /// Takes the first piece of a stored body as it is, where it stays in memory.
  ///
  /// - Returns: false if it is a piece like any other.
  func keeps(_ data: Data) -> Bool {
    guard load.state.incoming.sink.take(data) else { return false }
    load.state.task.countReceived(data.count)
    return true
  }

  /// Less is never worth a buffer of its own; asking would take longer than copying.
  private static var alwaysCopied: Int { 4096 }

  /// The bytes as data: in the buffer they came in if they fill much of it, else as a copy.
  func data(of bytes: UnsafeRawBufferPointer) -> Data {
    guard bytes.count > Self.alwaysCopied, let kept = load.state.source?.retainBuffer(for: bytes),
      let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
    else { return Data(bytes) }
    return Data(
      bytesNoCopy: start, count: bytes.count, deallocator: .custom { _, _ in withExtendedLifetime(kept) {} })
  }

  func hand(_ data: Data) {
    guard let listener = load.listener, listener.takesData else { return }
    let (task, length) = (load.state.task, load.state.incoming.length)
    if listener.isOnLoop { return listener.hear(.data(data, of: length), of: task) }
    let count = data.count
    load.state.incoming.undelivered.handed(count)
    if load.state.incoming.undelivered.isFull { load.hold(.backlog) }
    listener.executor.async {
      listener.hear(.data(data, of: length), of: task)
      load.engine.loop.execute {
        if load.state.incoming.undelivered.taken(count) { load.release(.backlog) }
      }
    }
  }

  /// Hands over what has been gathered, as one piece, as the task prefers it.
  func handGathered() {
    guard case .gathering(let data) = load.state.incoming.sink else { return }
    load.state.incoming.sink = .delegate
    if !data.isEmpty { hand(data) }
  }

  // MARK: Files (URLSessionDownloadTask)

  /// A piece of the body on its way to the file; a slow disk holds the wire back.
  private func write(_ bytes: UnsafeRawBufferPointer, to file: DownloadFile) {
    let count = bytes.count
    load.state.incoming.undelivered.handed(count)
    if load.state.incoming.undelivered.isFull { load.hold(.backlog) }
    file.write(data(of: bytes)) { failure in
      load.engine.loop.execute {
        // What comes after a write that failed has nowhere to go: a full disk ends the transfer, not just the file.
        if let failure { return load.stop(failure) }
        if load.state.incoming.undelivered.taken(count) { load.release(.backlog) }
      }
    }
    guard let listener = load.listener else { return }
    let counts = load.state.task.byteCounts
    listener.tell(
      .written(Int64(count), total: counts.received, expected: counts.expectedToReceive), of: load.state.task)
  }

  /// Hands the file over; what the listener has not moved away is removed. Then goes on, in loop context.
  func handOver(_ file: DownloadFile, then go: @escaping @Sendable () -> Void) {
    guard let task = load.state.task as? URLSessionDownloadTask, let listener = load.listener,
      let url = file.url
    else {
      return file.remove { [loop = load.engine.loop] in loop.execute(go) }
    }
    if let digest = file.digest { task.keepDigest(digest) }
    listener.ask(
      .file(url) { [loop = load.engine.loop] in
        // Where it is answered there may be waiting, for a file system, too, but on the loop.
        if loop.isHeld { return file.remove { loop.execute(go) } }
        file.remove()
        loop.execute(go)
      }, of: task)
  }

  // MARK: Limits (URLSessionConfiguration.responseBodyLimitInMemory)

  /// Whether the body ends up in memory as a whole.
  var gathersBody: Bool {
    switch load.state.incoming.sink {
    case .memory, .gathering: true
    case .file, .reader: false
    case .delegate: load.listener?.keepsBody(of: load.state.task) ?? false
    }
  }

  /// More has come than may be gathered.
  private var exceedsMemory: Bool {
    load.state.task.countOfBytesReceived > load.engine.memoryLimit && gathersBody
  }

  /// - Parameter length: What the server announced; nil if it has sent too much without.
  private func refuseBody(of length: Int?) {
    let limit = "\(load.engine.memoryLimit) that may be gathered in memory (responseBodyLimitInMemory)"
    // The bytes at hand are of no use.
    switch load.state.incoming.sink {
    case .memory: load.state.incoming.sink = .memory(Data())
    case .gathering: load.state.incoming.sink = .gathering(Data())
    case .delegate, .file, .reader: break
    }
    load.stop(
      .loading(
        .dataLengthExceedsMaximum, url: load.state.request.url, phase: .receivingBody,
        reason: length.map { "it has \($0) bytes, more than the \(limit)" }
          ?? "it has more bytes than the \(limit)"))
  }
}
