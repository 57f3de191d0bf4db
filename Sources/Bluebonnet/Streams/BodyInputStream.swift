// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// The body of a streaming request, to be read by a thread that may wait.
final class BodyInputStream: InputStream {
  private let buffer: StreamBuffer
  private let onEarlyEnd: @Sendable () -> Void

  init(_ buffer: StreamBuffer, onEarlyEnd: @escaping @Sendable () -> Void) {
    self.buffer = buffer
    self.onEarlyEnd = onEarlyEnd
    super.init(data: Data())
  }

  deinit { end() }

  override func open() { buffer.open() }

  override func close() { end() }

  private func end() {
    if buffer.close() { onEarlyEnd() }
  }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
    guard self.buffer.reader == .open else { return -1 }
    guard len > 0 else { return 0 }
    return self.buffer.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: len)) ?? -1
  }

  override var hasBytesAvailable: Bool { buffer.reader == .open && buffer.hasBytes }

  override var streamStatus: Status {
    switch buffer.reader {
    case .gone: .closed
    case .absent: .notOpen
    case .open:
      switch buffer.end {
      case .complete?: .atEnd
      case .failed?: .error
      case nil: .open
      }
    }
  }

  override var streamError: (any Error)? {
    if case .failed(let error)? = buffer.end { error } else { nil }
  }
}

extension DataStreamRequest {
  /// Starts the request, and hands its body out as a stream, for code that reads streams on a thread of its own.
  ///
  /// `read` waits where nothing has come yet, so the thread must be neither the main one nor a queue of the session. Nothing
  /// is dropped: unread bytes wait on the network. At the end, `read` returns 0; if the request fails, -1, and
  /// `streamError` is its ``AFError``. Closing the stream before its end, or letting go of it, cancels the request.
  ///
  /// A request that is retried after some of its body has been read fails the stream, since it would begin anew. Two streams of
  /// one request have to be read side by side.
  ///
  /// - Parameter bufferSize: Bytes that may wait to be read before the body is held back; 1,024 by default. The last part
  ///   that the network has brought comes on top, up to 256 KiB.
  /// - Returns: The stream, to be opened; never `nil`.
  public func asInputStream(bufferSize: Int = 1024) -> InputStream? {
    let buffer = StreamBuffer()
    flow.withLock { flow in
      flow.limit = max(1, bufferSize)
      flow.add { [unowned self] data, task in
        // Weak, because an unread part is kept by what the request keeps.
        let receipt = ConsumptionToken { [weak self] in self?.didConsume(data.count, of: task) }
        receipt.awaitReader()
        buffer.append(data, receipt, of: ObjectIdentifier(task))
        self.didHandOver()
      }
    }
    let ended: Handler<Data, Never> = { stream in
      if let completion = stream.completion {
        buffer.finish(completion.error.map { .failed($0) } ?? .complete)
      }
    }
    addEnd(on: underlyingQueue, to: ended)
    resume()
    return BodyInputStream(buffer) { [weak self] in self?.cancel() }
  }
}
