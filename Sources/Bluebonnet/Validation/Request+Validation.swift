import BluebonnetFoundation
import BluebonnetURLLoading

extension Request {
  /// What a validator finds: nothing to object to, or an error.
  public typealias ValidationResult = Result<Void, any Error>

  /// Accepts some statuses only.
  ///
  /// - Parameter acceptableStatusCodes: Which.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func validate<S: Sequence & Sendable>(statusCode acceptableStatusCodes: S) -> Self
  where S.Iterator.Element == Int {
    add(.status { acceptableStatusCodes.contains($0) })
    return self
  }

  /// Accepts some media types only. Either half of a type may be `*`.
  ///
  /// - Parameter acceptableContentTypes: Which; evaluated when a response has arrived.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func validate<S: Sequence & SendableMetatype>(
    contentType acceptableContentTypes: @escaping @Sendable @autoclosure () -> S
  ) -> Self where S.Iterator.Element == String {
    add(.contentType { Array(acceptableContentTypes()) })
    return self
  }

  /// Accepts successful statuses (200 to 299) and the media types the request asked for in `Accept`.
  ///
  /// - Returns: The request.
  @discardableResult
  public func validate() -> Self {
    protected.withLock { state in
      // Most requests have these alone, and share the one list of them.
      if state.validators.isEmpty {
        state.validators = Validator.usual
      } else {
        state.validators += Validator.usual
      }
    }
    return self
  }
}

extension Request {
  func add(_ validator: Validator) {
    protected.withLock { $0.validators.append(validator) }
  }

  /// Runs the validators, unless the request has failed already, and then goes on with the attempt's end.
  func validate(_ task: URLSessionTask, with error: AFError?) {
    let (validators, failed) = protected.withLock { ($0.validators, $0.error != nil) }
    guard !failed, !validators.isEmpty, let response else { return endAttempt(task, with: error) }
    guard context.isOnLoop, validators.contains(where: \.isCustom) else {
      judge(response, by: validators)
      return endAttempt(task, with: error)
    }
    context.serializationQueue.async {
      self.judge(response, by: validators)
      self.endAttempt(task, with: error)
    }
  }

  /// The first validator that objects decides; those behind it are not asked.
  private func judge(_ response: HTTPURLResponse, by validators: [Validator]) {
    let request = lastRequest
    let subject = validationSubject()
    for validator in validators {
      let result = validator.judge(request, response, subject)
      if case .failure(let error) = result {
        fail(
          with: error.asAFError(or: .responseValidationFailed(reason: .customValidationFailed(error: error))))
      }
      announceValidation(of: request, response, subject, result)
      if case .failure = result { return }
    }
  }
}
