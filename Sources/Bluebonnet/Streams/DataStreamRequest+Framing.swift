// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension DataStreamRequest {
  /// Adds a handler of what a framing makes of the body, one frame at a time.
  ///
  ///     AF.streamRequest(url).responseStream(framedBy: .serverSentEvents) { stream in
  ///       if let event = stream.value { print(event.data) }
  ///     }
  ///
  /// - Parameters:
  ///   - framing: Takes the body apart.
  ///   - queue:   Where `stream` is called; the main queue by default.
  ///   - stream:  Called with each frame, or why none could be made, and at last with how the stream ended.
  /// - Returns: The request.
  @discardableResult
  public func responseStream<Framing: DataStreamFraming>(
    framedBy framing: Framing, on queue: DispatchQueue = .main,
    stream: @escaping Handler<Framing.Frame, AFError>
  ) -> Self {
    let cutter = FrameCutter(framing)
    let serializing = context.serializationQueueOfStream()
    flow.withLock {
      $0.add { [unowned self] data, task in
        // The task keeps the session's books, which keep the request.
        serializing.async {
          let (frames, failure) = cutter.append(data, of: task)
          self.context.step {
            for frame in frames { self.announce(frame) }
            if let failure { self.abort(with: failure) }
            queue.async { self.hand(frames, of: data.count, from: task, to: stream) }
          }
        }
      }
    }
    return addEnd(on: queue, to: stream) { [unowned self] in cutter.finish(of: self.task) }
  }

  /// Hands the frames of one part over; until the last one is consumed, the part counts as in hand.
  private func hand<Success, Failure>(
    _ frames: [Result<Success, Failure>], of count: Int, from task: URLSessionTask,
    to handler: Handler<Success, Failure>
  ) {
    let wasCancelled = isCancelled
    for (index, frame) in frames.enumerated() {
      let isLast = index == frames.count - 1
      // Weak, because an unread frame is kept by what the request keeps.
      let receipt = ConsumptionToken { [weak self] in if isLast { self?.didConsume(count, of: task) } }
      // A handler that cancels at one frame does not want those that came with it.
      if wasCancelled || !isCancelled { hand(.stream(frame), receipt: receipt, to: handler) }
      receipt.handlerReturned()
    }
    if frames.isEmpty { didConsume(count, of: task) }
    didHandOver()
  }
}
