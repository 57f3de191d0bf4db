import BluebonnetFoundation
import BluebonnetURLLoading

extension Request {
  /// What a validator finds: nothing to object to, or an error.
  public typealias ValidationResult = Result<Void, any Error>

  func add(_ validator: Validator) {
    protected.withLock { $0.validators.append(validator) }
  }

  /// Adds what `validate()` stands for.
  func addUsualValidators() {
    protected.withLock { state in
      // Most requests have these alone, and share the one list of them.
      if state.validators.isEmpty {
        state.validators = Validator.usual
      } else {
        state.validators += Validator.usual
      }
    }
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
