import BluebonnetFoundation

extension Session {
  /// Sets a new request up if that is not left to `resume()`.
  func introduce<Kind: Request>(_ request: Kind) -> Kind {
    if requestSetup == .eager, request.protected.withLock({ $0.life.setUpEagerly() }) {
      perform(request)
    }
    return request
  }

  func upload(
    _ upload: any UploadConvertible, fileManager: FileManager, interceptor: (any RequestInterceptor)?,
    shouldAutomaticallyResume: Bool?
  ) -> UploadRequest {
    introduce(
      UploadRequest(
        upload: upload, fileManager: fileManager, context: context, interceptor: interceptor,
        shouldAutomaticallyResume: shouldAutomaticallyResume, delegate: self))
  }

  /// Shows all requests under way, on the session's queue. One whose handlers have been called is none of them.
  ///
  /// - Parameter action: Takes the requests.
  @preconcurrency
  public func withAllRequests(perform action: @escaping @Sendable (Set<Request>) -> Void) {
    rootQueue.async { action(self.context.active.withLock { $0.requests }) }
  }

  /// Cancels all requests under way. They end a little later, in their own time.
  ///
  /// - Parameters:
  ///   - queue:      Where `completion` is called; the main queue by default.
  ///   - completion: Called when each has been cancelled, or had come to its end before.
  @preconcurrency
  public func cancelAllRequests(
    completingOnQueue queue: DispatchQueue = .main, completion: (@Sendable () -> Void)? = nil
  ) {
    withAllRequests { requests in
      for request in requests { request.cancel() }
      if let completion { queue.async(execute: completion) }
    }
  }
}

extension OperationQueue {
  /// A queue that runs one operation at a time, on `queue`.
  static func serial(over queue: DispatchQueue, named name: String) -> OperationQueue {
    let operations = OperationQueue()
    operations.maxConcurrentOperationCount = 1
    operations.underlyingQueue = queue
    operations.name = name
    return operations
  }
}
