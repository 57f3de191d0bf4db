// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension Session {
  /// Sets a new request up if that is not left to `resume()`.
  func introduce<Kind: Request>(_ request: Kind, _ interceptor: (any RequestInterceptor)?) -> Kind {
    // Not handed through initializers: each would copy it, even where there is none.
    if interceptor.isPresent, let interceptor { request.take(interceptor) }
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
        upload: upload, fileManager: fileManager, session: self,
        shouldAutomaticallyResume: shouldAutomaticallyResume), interceptor)
  }

  /// Shows all requests under way, on the session's queue. A request is no longer one when its handlers have been called.
  ///
  /// - Parameter action: Takes the requests.
  @preconcurrency
  public func withAllRequests(perform action: @escaping @Sendable (Set<Request>) -> Void) {
    rootQueue.async { action(self.context.active.withLock { $0.requests }) }
  }

  /// Cancels all requests under way. They end a little later, in their own time.
  ///
  /// - Parameters:
  ///   - queue:      Where `completion` runs.
  ///   - completion: Called once each of them is over: it is gone from ``withAllRequests(perform:)``, and its response
  ///     handlers have returned, whatever their queues. A handler that does not return keeps it waiting.
  @preconcurrency
  public func cancelAllRequests(
    completingOnQueue queue: DispatchQueue = .main, completion: (@Sendable () -> Void)? = nil
  ) {
    guard let completion else {
      return withAllRequests { requests in for request in requests { request.cancel() } }
    }
    context.awaitsDeliveries.store(true, ordering: .relaxed)
    withAllRequests { requests in
      let underWay = DispatchGroup()
      for request in requests {
        underWay.enter()
        request.onDelivery { underWay.leave() }
        request.cancel()
      }
      underWay.notify(queue: queue, execute: completion)
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

extension Optional where Wrapped: ~Copyable {
  /// Whether there is something, told without a copy of it, which comparing with nil takes of an existential.
  fileprivate var isPresent: Bool {
    switch self {
    case .some: true
    case .none: false
    }
  }
}
