// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension CompositeEventMonitor {
  /// Tells every monitor, on its own queue, that the `URLRequest` was made, before adapters change it.
  public func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) {
    tell { $0.request(request, didCreateInitialURLRequest: urlRequest) }
  }

  /// Tells every monitor, on its own queue, that no `URLRequest` could be made.
  public func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError) {
    tell { $0.request(request, didFailToCreateURLRequestWithError: error) }
  }

  /// Tells every monitor, on its own queue, that the adapters have changed the `URLRequest`.
  public func request(
    _ request: Request, didAdaptInitialRequest initialRequest: URLRequest, to adaptedRequest: URLRequest
  ) {
    tell { $0.request(request, didAdaptInitialRequest: initialRequest, to: adaptedRequest) }
  }

  /// Tells every monitor, on its own queue, that an adapter failed.
  public func request(
    _ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError
  ) {
    tell { $0.request(request, didFailToAdaptURLRequest: initialRequest, withError: error) }
  }

  /// Tells every monitor, on its own queue, that the `URLRequest` that will be sent is final.
  public func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) {
    tell { $0.request(request, didCreateURLRequest: urlRequest) }
  }

  /// Tells every monitor, on its own queue, that the request got the task of its next attempt.
  public func request(_ request: Request, didCreateTask task: URLSessionTask) {
    tell { $0.request(request, didCreateTask: task) }
  }

  /// Tells every monitor, on its own queue, that the measurements of an attempt are complete.
  public func request(_ request: Request, didGatherMetrics metrics: URLSessionTaskMetrics) {
    tell { $0.request(request, didGatherMetrics: metrics) }
  }

  /// Tells every monitor, on its own queue, that the request failed before its task did.
  public func request(_ request: Request, didFailTask task: URLSessionTask, earlyWithError error: AFError) {
    tell { $0.request(request, didFailTask: task, earlyWithError: error) }
  }

  /// Tells every monitor, on its own queue, that an attempt is over.
  public func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
    tell { $0.request(request, didCompleteTask: task, with: error) }
  }

  /// Tells every monitor, on its own queue, that another attempt begins.
  public func requestIsRetrying(_ request: Request) {
    tell { $0.requestIsRetrying(request) }
  }

  /// Tells every monitor, on its own queue, that no attempt will follow.
  public func requestDidFinish(_ request: Request) {
    tell { $0.requestDidFinish(request) }
  }

  /// Tells every monitor, on its own queue, that the request was resumed.
  public func requestDidResume(_ request: Request) {
    tell { $0.requestDidResume(request) }
  }

  /// Tells every monitor, on its own queue, that the request's task was resumed.
  public func request(_ request: Request, didResumeTask task: URLSessionTask) {
    tell { $0.request(request, didResumeTask: task) }
  }

  /// Tells every monitor, on its own queue, that the request was suspended.
  public func requestDidSuspend(_ request: Request) {
    tell { $0.requestDidSuspend(request) }
  }

  /// Tells every monitor, on its own queue, that the request's task was suspended.
  public func request(_ request: Request, didSuspendTask task: URLSessionTask) {
    tell { $0.request(request, didSuspendTask: task) }
  }

  /// Tells every monitor, on its own queue, that the request was cancelled.
  public func requestDidCancel(_ request: Request) {
    tell { $0.requestDidCancel(request) }
  }

  /// Tells every monitor, on its own queue, that the request's task was cancelled.
  public func request(_ request: Request, didCancelTask task: URLSessionTask) {
    tell { $0.request(request, didCancelTask: task) }
  }
}
