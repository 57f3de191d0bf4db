// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetURLLoading

/// From a resumed request to its task. On the loop the whole way is one plain call on the thread that
/// resumed the request, unless code that is not the library's takes part; then that code runs on
/// `requestQueue`. With queues of the caller's choice each step runs on the queue documented for it.
extension Session {
  func perform(_ request: Request) {
    if let hasInterceptor = request.enter() { perform(request, hasInterceptor: hasInterceptor) }
  }

  /// The request has joined those that are under way.
  func perform(_ request: Request, hasInterceptor: Bool) {
    if !context.isOnLoop {
      context.executor.async {
        self.requestQueue.async { self.setUp(request) }
      }
    } else if !self.hasInterceptor, !hasInterceptor, request.setsUpWithoutUserCode {
      request.preparesForTask ? setUp(request) : setUpAtOnce(request)
    } else {
      requestQueue.async { self.setUp(request) }
    }
  }

  /// No code of the user's takes part: from the URL to the task in one go.
  private func setUpAtOnce(_ request: Request) {
    do {
      let urlRequest: URLRequest
      switch request.source {
      case .convertible(let convertible): urlRequest = try convertible.asURLRequest()
      case .resumeData: return setUp(request)
      }
      try urlRequest.validate()
      request.attach(request.task(for: urlRequest, using: session), initialRequest: urlRequest)
    } catch {
      request.didFailToCreateURLRequest(
        with: error.asAFError(or: .createURLRequestFailed(error: error)))
    }
  }

  private func setUp(_ request: Request) {
    guard !request.isStopped else { return }
    switch request.source {
    case .convertible(let convertible):
      setUp(request, from: convertible)
    case .resumeData(let data):
      context.step { self.resume(request, with: data) }
    }
  }

  private func setUp(_ request: Request, from convertible: any URLRequestConvertible) {
    let initial: URLRequest
    do {
      initial = try convertible.asURLRequest()
      try initial.validate()
    } catch {
      let reason = error.asAFError(or: .createURLRequestFailed(error: error))
      return context.step { request.didFailToCreateURLRequest(with: reason) }
    }
    let adapters: [any RequestAdapter] = interceptors(for: request)
    guard !adapters.isEmpty else {
      if context.isOnLoop {
        request.didCreateInitialURLRequest(initial)
      } else {
        context.executor.async { request.didCreateInitialURLRequest(initial) }
      }
      return start(request, with: initial)
    }
    context.step { request.didCreateInitialURLRequest(initial) }
    let state = RequestAdapterState(requestID: request.id, session: self)
    adapters.adapt(initial, with: { $0.adapt($1, using: state, completion: $2) }) { result in
      do {
        let adapted = try result.get()
        try adapted.validate()
        self.context.step { request.didAdaptInitialRequest(initial, to: adapted) }
        self.start(request, with: adapted)
      } catch {
        let reason = AFError.requestAdaptationFailed(error: error)
        self.context.step { request.didFailToAdaptURLRequest(initial, withError: reason) }
      }
    }
  }

  private func start(_ request: Request, with urlRequest: URLRequest) {
    // One that was stopped meanwhile needs no body.
    guard request.isStopped || request.prepareForTask() else { return }
    if context.isOnLoop {
      makeTask(for: request, with: urlRequest)
    } else {
      context.executor.async { self.makeTask(for: request, with: urlRequest) }
    }
  }

  private func makeTask(for request: Request, with urlRequest: URLRequest) {
    request.didCreateURLRequest(urlRequest)
    // The code that cancelled it ends it, too; perhaps before its body was made.
    guard !request.isStopped else { return request.cleanUp() }
    request.attach(request.task(for: urlRequest, using: session))
  }

  private func resume(_ request: Request, with data: Data) {
    guard !request.isStopped, let download = request as? DownloadRequest else { return }
    let task = download.task(forResumeData: download.latestResumeData(data), using: session)
    // Known before it runs: it may report back before the next line.
    task.listener = request
    request.attach(task)
  }

  /// The session's interceptor comes first.
  private func interceptors(for request: Request) -> [any RequestInterceptor] {
    [interceptor, request.interceptor].compactMap { $0 }
  }
}

extension Session: RequestDelegate {
  /// The configuration of the session's `URLSession`.
  public var sessionConfiguration: URLSessionConfiguration { session.configuration }

  /// Whether the first response handler starts a request.
  public var startImmediately: Bool { startRequestsImmediately }

  /// Makes the request's `URLRequest` and its task, on the queues of the session. Called by the request.
  public func readyToPerform(request: Request) {
    perform(request)
  }

  /// Lets go of a request that is over. Called by the request.
  public func cleanup(after request: Request) {
    context.remove(request)
  }

  /// Asks the retriers, if there are any, unless the session's `URLSession` has been invalidated.
  public func retryResult(
    for request: Request, dueTo error: AFError, completion: @escaping @Sendable (RetryResult) -> Void
  ) {
    let retriers: [any RequestRetrier] = interceptors(for: request)
    // An invalidated session makes no attempt: a retrier that always asks for another would keep the request for ever.
    guard !retriers.isEmpty, !session.isInvalidated else { return completion(.doNotRetry) }
    context.userCode {
      retriers.retry(request, for: self, dueTo: error) { result in
        self.context.step {
          guard let retryError = result.error else { return completion(result) }
          completion(
            .doNotRetryWithError(
              AFError.requestRetryFailed(retryError: retryError, originalError: error)))
        }
      }
    }
  }

  /// Performs the request again, from its convertible on.
  public func retryRequest(_ request: Request, withDelay timeDelay: TimeInterval?) {
    let again: @Sendable () -> Void = {
      if request.prepareForRetry() { self.perform(request) }
    }
    guard let timeDelay, timeDelay > 0 else { return context.step(again) }
    let pending = PendingRetry(again)
    request.keep(pending)
    rootQueue.asyncAfter(deadline: .now() + timeDelay) { pending.run() }
  }
}

/// An attempt that waits for its time. A timer of the queue's cannot be taken back: what it holds can, so that a request that has
/// ended meanwhile is let go, and its session.
final class PendingRetry: Sendable {
  private let action: Locked<(@Sendable () -> Void)?>

  init(_ action: @escaping @Sendable () -> Void) { self.action = Locked(action) }

  func run() { action.withLock { $0.take() }?() }

  func drop() {
    let action = action.withLock { $0.take() }
    withExtendedLifetime(action) {}
  }
}

extension Request {
  fileprivate func keep(_ pending: PendingRetry) {
    let earlier = protected.withLock { state in
      defer { state.ownRareState.pendingRetry = pending }
      return state.ownRareState.pendingRetry
    }
    if let earlier {
      earlier.drop()
    } else {
      onFinish { [weak self] in self?.protected.withLock { $0.ownRareState.pendingRetry }?.drop() }
    }
  }
}
