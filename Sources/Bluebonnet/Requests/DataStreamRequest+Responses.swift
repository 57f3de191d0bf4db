// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension DataStreamRequest {
  /// Adds a handler of the parts as they arrive.
  ///
  /// - Parameters:
  ///   - queue:  Where `stream` is called; the main queue by default.
  ///   - stream: Called with each part of the body, and at last with how the stream ended.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func responseStream(
    on queue: DispatchQueue = .main, stream: @escaping Handler<Data, Never>
  ) -> Self {
    flow.withLock {
      $0.add { [unowned self] data, task in
        // The task keeps the session's books, which keep the request.
        queue.async { self.hand(.success(data), of: data.count, from: task, to: stream) }
      }
    }
    return addEnd(on: queue, to: stream)
  }

  /// Adds a handler of what a serializer makes of each part. Parts are cut where the network cut them.
  ///
  /// - Parameters:
  ///   - serializer: Makes something of each part.
  ///   - queue:      Where `stream` is called; the main queue by default.
  ///   - stream:     Called with each part of the body, and at last with how the stream ended.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func responseStream<Serializer: DataStreamSerializer>(
    using serializer: Serializer, on queue: DispatchQueue = .main,
    stream: @escaping Handler<Serializer.SerializedObject, AFError>
  ) -> Self {
    listen(on: queue, to: stream) { data in
      Result { try serializer.serialize(data) }.mapError(\.asResponseFailure)
    }
  }

  /// Adds a handler of the parts read as UTF-8.
  ///
  /// - Parameters:
  ///   - queue:  Where `stream` is called; the main queue by default.
  ///   - stream: Called with each part of the body, and at last with how the stream ended.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func responseStreamString(
    on queue: DispatchQueue = .main, stream: @escaping Handler<String, Never>
  ) -> Self {
    listen(on: queue, to: stream) { .success(String(decoding: $0, as: UTF8.self)) }
  }

  /// - Parameter make: Makes something of each part, on the queue for serializers.
  private func listen<Success, Failure>(
    on queue: DispatchQueue, to stream: @escaping Handler<Success, Failure>,
    making make: @escaping @Sendable (Data) -> Result<Success, Failure>
  ) -> Self {
    let serializing = context.serializationQueueOfStream()
    flow.withLock {
      $0.add { [unowned self] data, task in
        // The task keeps the session's books, which keep the request.
        serializing.async {
          let part = make(data)
          self.context.step {
            self.announce(part)
            queue.async { self.hand(part, of: data.count, from: task, to: stream) }
          }
        }
      }
    }
    return addEnd(on: queue, to: stream)
  }

  /// Adds a handler of values, one decoded from each part.
  ///
  /// - Parameters:
  ///   - type:         What to decode.
  ///   - queue:        Where `stream` is called; the main queue by default.
  ///   - decoder:      Decodes each part; `JSONDecoder()` by default.
  ///   - preprocessor: Changes each part before it is decoded; by default none is changed.
  ///   - stream:       Called with each part of the body, and at last with how the stream ended.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func responseStreamDecodable<T: Decodable & Sendable>(
    of type: T.Type = T.self, on queue: DispatchQueue = .main, using decoder: any DataDecoder = JSONDecoder(),
    preprocessor: any DataPreprocessor = PassthroughPreprocessor(), stream: @escaping Handler<T, AFError>
  ) -> Self {
    responseStream(
      using: DecodableStreamSerializer<T>(decoder: decoder, dataPreprocessor: preprocessor), on: queue,
      stream: stream)
  }

  /// Shows the head of each response and holds its body back until `completionHandler` is called.
  ///
  /// - Parameters:
  ///   - queue:   Where `handler` is called; the main queue by default.
  ///   - handler: Decides whether to go on.
  /// - Returns: The request.
  @_disfavoredOverload
  @preconcurrency
  @discardableResult
  public func onHTTPResponse(
    on queue: DispatchQueue = .main,
    perform handler:
      @escaping @Sendable (
        _ response: HTTPURLResponse, _ completionHandler: @escaping @Sendable (ResponseDisposition) -> Void
      ) -> Void
  ) -> Self {
    responseHook = (queue, handler)
    return self
  }

  /// Shows the head of each response.
  ///
  /// - Parameters:
  ///   - queue:   Where `handler` is called; the main queue by default.
  ///   - handler: Called with each head.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func onHTTPResponse(
    on queue: DispatchQueue = .main, perform handler: @escaping @Sendable (HTTPURLResponse) -> Void
  ) -> Self {
    show(responsesOn: queue, to: handler)
  }

  /// Adds the last event of one handler, after all its parts.
  ///
  /// - Parameter rest: Makes the values that are complete with the end of the body.
  @discardableResult
  func addEnd<Success, Failure>(
    on queue: DispatchQueue, to handler: @escaping Handler<Success, Failure>,
    rest: (@Sendable () -> [Result<Success, Failure>])? = nil
  ) -> Self {
    // The request owns its jobs and outlives them.
    let end = EndJob(queue: queue) { [unowned self] done in
      self.whenConsumed { [self] in
        guard let rest, error == nil else {
          return queue.async { self.complete(handler, done) }
        }
        serializationQueue.async {
          let parts = rest()
          self.context.step {
            for part in parts { self.announceLast(part) }
            queue.async {
              for part in parts where !self.isCancelled { self.hand(.stream(part), to: handler) }
              let isRefused = parts.contains { if case .failure = $0 { true } else { false } }
              self.complete(
                handler, done,
                instead: isRefused && self.automaticallyCancelOnStreamError ? .explicitlyCancelled : nil)
            }
          }
        }
      }
    }
    add(end)
    return self
  }

  /// - Parameter error: In place of the request's own: it had ended well before its last part was made.
  private func complete<Success, Failure>(
    _ handler: Handler<Success, Failure>, _ done: (@Sendable () -> Void)?, instead error: AFError? = nil
  ) {
    let outcome = outcome
    let completion = Completion(
      request: outcome.request, response: outcome.response, metrics: outcome.metrics,
      error: error ?? outcome.error)
    hand(.complete(completion), to: handler)
    done?()
  }

  /// Hands a part of so many bytes over; until it is consumed, it counts as in hand.
  func hand<Success, Failure>(
    _ part: Result<Success, Failure>, of count: Int, from task: URLSessionTask,
    to handler: Handler<Success, Failure>
  ) {
    // Weak, because an unread part is kept by what the request keeps.
    let receipt = ConsumptionToken { [weak self] in self?.didConsume(count, of: task) }
    hand(.stream(part), receipt: receipt, to: handler)
    receipt.handlerReturned()
    didHandOver()
  }

  func hand<Success, Failure>(
    _ event: Event<Success, Failure>, receipt: ConsumptionToken? = nil, to handler: Handler<Success, Failure>
  ) {
    do {
      try handler(Stream(event: event, token: CancellationToken(request: self), receipt: receipt))
    } catch {
      abort(with: error)
    }
  }
}

extension DataStreamRequest {
  /// Tells the monitors of something made of the body. The handler gets an error; the request is cancelled, if its owner has
  /// asked for that, also if it was the last part.
  func announce<Success: Sendable, Failure: Error>(_ part: Result<Success, Failure>) {
    announceLast(part)
    if case .failure = part, automaticallyCancelOnStreamError { abort(with: AFError.explicitlyCancelled) }
  }

  /// Tells the monitors of a value that was complete with the end of the body.
  fileprivate func announceLast<Success: Sendable, Failure: Error>(_ part: Result<Success, Failure>) {
    observer?.request(self, didParseStream: part.mapError { $0.asAFError(or: .explicitlyCancelled) })
  }
}
