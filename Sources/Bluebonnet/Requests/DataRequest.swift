// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

// @unchecked: see Request; adds immutable properties only.
/// A request with its response body collected in memory.
public class DataRequest: Request, @unchecked Sendable {
  /// Makes the `URLRequest` of each attempt. Called on the session's `requestQueue` if its type is one of yours.
  public var convertible: any URLRequestConvertible { source.convertible }

  /// The body so far; `nil`, not empty, while nothing has arrived.
  public var data: Data? { protected.withLock { $0.data } }

  init(convertible: any URLRequestConvertible, session: Session, shouldAutomaticallyResume: Bool?) {
    super.init(
      source: .convertible(convertible), session: session,
      shouldAutomaticallyResume: shouldAutomaticallyResume)
  }

  override func validationSubject(_ data: Data?) -> Validator.Subject { .data(data) }

  override func quickValidationSubject(_ data: Data?) -> Validator.Subject? { .data(data) }

  override func announceValidation(
    of request: URLRequest?, _ response: HTTPURLResponse, _ subject: Validator.Subject,
    _ result: ValidationResult
  ) {
    guard case .data(let data) = subject else { return }
    observer?.request(
      self, didValidateRequest: request, response: response, data: data, withResult: result)
  }

  override var collectsBody: Bool { true }

  private static let largestReservation: Int64 = 16 << 20

  /// A part of the body.
  override func didReceive(data: Data, of task: URLSessionTask, length total: Int64) {
    // Only a known length makes a total; -1 stands for an unknown one, as in URLSession.
    protected.withLock { state in
      if state.data != nil {
        state.data?.append(data)
      } else if data.count < total {
        // Grows once. What a peer merely announces is believed up to a bound.
        var whole = Data(capacity: Int(min(total, Self.largestReservation)))
        whole.append(data)
        state.data = whole
      } else {
        state.data = data
      }
      state.download.update(completed: Int64(state.data?.count ?? 0), total: total)
    }
  }
}

extension Request {
  typealias ResponseHook = (
    queue: DispatchQueue,
    perform: @Sendable (HTTPURLResponse, @escaping @Sendable (ResponseDisposition) -> Void) -> Void
  )

  /// The head of a response. The body waits until `completion` is called.
  func didReceiveResponse(
    _ response: HTTPURLResponse,
    completion: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    guard let hook = responseHook else { return completion(.allow) }
    let first = SingleAnswer()
    hook.queue.async {
      hook.perform(response) { disposition in
        guard first.take() else {
          return QuestionSubject.responseHook.reportIgnoredAnswer(
            by: "\(type(of: self))", about: response.url?.shown)
        }
        if disposition == .cancel { self.cancel() }
        completion(disposition == .allow ? .allow : .cancel)
      }
    }
  }

  /// Shows heads, and reads every body.
  func show(
    responsesOn queue: DispatchQueue, to handler: @escaping @Sendable (HTTPURLResponse) -> Void
  ) -> Self {
    responseHook = (
      queue,
      { response, answer in
        handler(response)
        answer(.allow)
      }
    )
    return self
  }

  /// Counts what a body has sent.
  func updateUploadProgress(sent: Int64, expected: Int64) {
    protected.withLock { $0.upload.update(completed: sent, total: expected) }
  }
}

extension DataRequest {
  /// Shows the head of each response and holds its body back until `completionHandler` is called. Called
  /// again for every attempt.
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
}
