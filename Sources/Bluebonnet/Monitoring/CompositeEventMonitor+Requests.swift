import BluebonnetFoundation
import BluebonnetURLLoading

extension CompositeEventMonitor {
  /// Forwards the event.
  public func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) {
    tell { $0.request(request, didCreateInitialURLRequest: urlRequest) }
  }

  /// Forwards the event.
  public func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError) {
    tell { $0.request(request, didFailToCreateURLRequestWithError: error) }
  }

  /// Forwards the event.
  public func request(
    _ request: Request, didAdaptInitialRequest initialRequest: URLRequest, to adaptedRequest: URLRequest
  ) {
    tell { $0.request(request, didAdaptInitialRequest: initialRequest, to: adaptedRequest) }
  }

  /// Forwards the event.
  public func request(
    _ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError
  ) {
    tell { $0.request(request, didFailToAdaptURLRequest: initialRequest, withError: error) }
  }

  /// Forwards the event.
  public func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) {
    tell { $0.request(request, didCreateURLRequest: urlRequest) }
  }

  /// Forwards the event.
  public func request(_ request: Request, didCreateTask task: URLSessionTask) {
    tell { $0.request(request, didCreateTask: task) }
  }

  /// Forwards the event.
  public func request(_ request: Request, didGatherMetrics metrics: URLSessionTaskMetrics) {
    tell { $0.request(request, didGatherMetrics: metrics) }
  }

  /// Forwards the event.
  public func request(_ request: Request, didFailTask task: URLSessionTask, earlyWithError error: AFError) {
    tell { $0.request(request, didFailTask: task, earlyWithError: error) }
  }

  /// Forwards the event.
  public func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
    tell { $0.request(request, didCompleteTask: task, with: error) }
  }

  /// Forwards the event.
  public func requestIsRetrying(_ request: Request) {
    tell { $0.requestIsRetrying(request) }
  }

  /// Forwards the event.
  public func requestDidFinish(_ request: Request) {
    tell { $0.requestDidFinish(request) }
  }

  /// Forwards the event.
  public func requestDidResume(_ request: Request) {
    tell { $0.requestDidResume(request) }
  }

  /// Forwards the event.
  public func request(_ request: Request, didResumeTask task: URLSessionTask) {
    tell { $0.request(request, didResumeTask: task) }
  }

  /// Forwards the event.
  public func requestDidSuspend(_ request: Request) {
    tell { $0.requestDidSuspend(request) }
  }

  /// Forwards the event.
  public func request(_ request: Request, didSuspendTask task: URLSessionTask) {
    tell { $0.request(request, didSuspendTask: task) }
  }

  /// Forwards the event.
  public func requestDidCancel(_ request: Request) {
    tell { $0.requestDidCancel(request) }
  }

  /// Forwards the event.
  public func request(_ request: Request, didCancelTask task: URLSessionTask) {
    tell { $0.request(request, didCancelTask: task) }
  }
}
