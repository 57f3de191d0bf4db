// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension Request {
  /// A name for the request that no other request has.
  public var id: UUID {
    protected.withLock {
      // Made on demand: random numbers cost more than the rest of a request's bookkeeping.
      if let id = $0.id { return id }
      let id = UUID.random()
      $0.id = id
      return id
    }
  }

  /// The queue of the session's own work.
  public var underlyingQueue: DispatchQueue { context.rootQueue }
  /// The queue on which responses are serialized.
  public var serializationQueue: DispatchQueue { context.serializationQueue }

  /// The state of the request.
  public var state: State { protected.withLock { $0.life.state } }
  /// Whether the request has been neither resumed nor suspended nor cancelled.
  public var isInitialized: Bool { state == .initialized }
  /// Whether the request runs, or is about to.
  public var isResumed: Bool { state == .resumed }
  /// Whether the request is suspended.
  public var isSuspended: Bool { state == .suspended }
  /// Whether the request was cancelled. It stays so, also when it is over.
  public var isCancelled: Bool { state == .cancelled }

  /// Cancelled, or out of time.
  var isStopped: Bool { protected.withLock { $0.life.isStopped } }
  /// Whether the request is over and its handlers have been served.
  public var isFinished: Bool { state == .finished }

  /// Counts the bytes of the request's body.
  public var uploadProgress: Progress { protected.withLock { $0.upload.progress() } }
  /// Counts the bytes of the response's body.
  public var downloadProgress: Progress { protected.withLock { $0.download.progress() } }

  /// The closure of `uploadProgress`, and its queue.
  public var uploadProgressHandler: (handler: ProgressHandler, queue: DispatchQueue)? {
    protected.withLock { $0.upload.handler }
  }
  /// The closure of `downloadProgress`, and its queue.
  public var downloadProgressHandler: (handler: ProgressHandler, queue: DispatchQueue)? {
    protected.withLock { $0.download.handler }
  }

  /// The redirect handler of this request, which goes before the session's; `nil` unless it was set.
  public var redirectHandler: (any RedirectHandler)? { protected.withLock { $0.rareState?.redirectHandler } }
  /// The request's own handler of responses that are about to be cached.
  public var cachedResponseHandler: (any CachedResponseHandler)? {
    protected.withLock { $0.rareState?.cachedResponseHandler }
  }
  /// The request's own interceptor; the session's comes before it.
  public var interceptor: (any RequestInterceptor)? { protected.withLock { $0.rareState?.interceptor } }
  /// The credential that answers challenges to this request.
  public var credential: URLCredential? { protected.withLock { $0.rareState?.credential } }

  /// All `URLRequest`s made: the initial one and, if adapted, the adapted one of every attempt.
  public var requests: [URLRequest] { protected.withLock { $0.requests.all } }
  /// The first `URLRequest` of the first attempt; `nil` until it is made.
  public var firstRequest: URLRequest? { protected.withLock { $0.requests.first } }
  /// The `URLRequest` of the last attempt, with what adapters changed; `nil` until it is made.
  public var lastRequest: URLRequest? { protected.withLock { $0.requests.last } }
  /// The `URLRequest` of the last attempt, with what adapters changed; `nil` until it is made.
  public var request: URLRequest? { lastRequest }
  /// The last requests of the tasks, redirects included.
  public var performedRequests: [URLRequest] { tasks.compactMap(\.currentRequest) }

  /// The response of the last attempt; `nil` until its head has arrived.
  public var response: HTTPURLResponse? { lastTask?.response as? HTTPURLResponse }

  /// The tasks of all attempts, in their order.
  public var tasks: [URLSessionTask] { protected.withLock { $0.tasks.all } }
  /// The task of the first attempt; `nil` until it is made.
  public var firstTask: URLSessionTask? { protected.withLock { $0.tasks.first } }
  /// The task of the last attempt; `nil` until it is made.
  public var lastTask: URLSessionTask? { protected.withLock { $0.tasks.last } }
  /// The task of the last attempt; `nil` until it is made.
  public var task: URLSessionTask? { lastTask }

  /// The measurements of all attempts that are over, in their order.
  public var allMetrics: [URLSessionTaskMetrics] { protected.withLock { $0.metrics.all } }
  /// The measurements of the first attempt; `nil` until it is over.
  public var firstMetrics: URLSessionTaskMetrics? { protected.withLock { $0.metrics.first } }
  /// The measurements of the last attempt that is over; `nil` before.
  public var lastMetrics: URLSessionTaskMetrics? { protected.withLock { $0.metrics.last } }
  /// The measurements of the last attempt that is over; `nil` before.
  public var metrics: URLSessionTaskMetrics? { lastMetrics }

  /// The number of retries so far.
  public var retryCount: Int { protected.withLock { $0.retryCount } }
  /// Why the request failed or was cancelled.
  public var error: AFError? { protected.withLock { $0.error } }
}
