// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension Request {
  /// A validator's result: success, or an error.
  public typealias ValidationResult = Result<Void, any Error>

  /// Accepts some statuses only.
  ///
  /// - Parameter acceptableStatusCodes: Which.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func validate<S: Sequence & Sendable>(statusCode acceptableStatusCodes: S) -> Self
  where S.Iterator.Element == Int {
    add(.status(isLibraryCode: Self.isPlain(S.self)) { acceptableStatusCodes.contains($0) })
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

  /// Accepts successful statuses (200 to 299) and the media types the request asked for in `Accept`. A WebSocket that has opened
  /// (101) is accepted in any case.
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

  /// Whether looking into such a sequence runs no code of the user's.
  private static func isPlain<S: Sequence>(_ type: S.Type) -> Bool {
    type == Range<Int>.self || type == ClosedRange<Int>.self || type == [Int].self || type == Set<Int>.self
  }

  func add(_ validator: Validator) {
    protected.withLock { $0.validators.append(validator) }
  }

  /// The first validator that objects decides; those behind it are not asked.
  ///
  /// - Returns: What it objects.
  func validate(
    _ response: HTTPURLResponse, by validators: [Validator], of request: URLRequest?,
    _ subject: Validator.Subject
  ) -> AFError? {
    for validator in validators {
      let result = validator.validate(request, response, subject)
      guard case .failure(let error) = result else {
        announceValidation(of: request, response, subject, result)
        continue
      }
      let objection = error.asAFError(
        or: .responseValidationFailed(reason: .customValidationFailed(error: error)))
      fail(with: objection)
      announceValidation(of: request, response, subject, result)
      return objection
    }
    return nil
  }
}

extension DataRequest {
  /// A closure that accepts or refuses a response and its body. Called on the session's `serializationQueue`, or on its `rootQueue` if
  /// that was passed.
  public typealias Validation =
    @Sendable (_ request: URLRequest?, _ response: HTTPURLResponse, _ data: Data?) -> ValidationResult

  /// Adds a validator. Those added first are asked first, and none after one that objected.
  ///
  /// - Parameter validation: Accepts or refuses the response.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func validate(_ validation: @escaping Validation) -> Self {
    add(
      .custom { request, response, subject in
        if case .data(let data) = subject { validation(request, response, data) } else { .success(()) }
      })
    return self
  }
}

extension DataStreamRequest {
  /// A closure that accepts or refuses a streamed response by its head, once its body has ended. Called on the session's
  /// `serializationQueue`, or on its `rootQueue` if that was passed.
  public typealias Validation =
    @Sendable (_ request: URLRequest?, _ response: HTTPURLResponse) -> ValidationResult

  /// Adds a validator. Those added first are asked first, and none after one that objected.
  ///
  /// - Parameter validation: Accepts or refuses the response by its head.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func validate(_ validation: @escaping Validation) -> Self {
    add(
      .custom { request, response, _ in validation(request, response) })
    return self
  }
}

extension DownloadRequest {
  /// A closure that accepts or refuses a response and its file. Called on the session's `serializationQueue`, or on its
  /// `rootQueue` if that was passed.
  public typealias Validation =
    @Sendable (_ request: URLRequest?, _ response: HTTPURLResponse, _ fileURL: URL?) -> ValidationResult

  /// Adds a validator. Those added first are asked first, and none after one that objected.
  ///
  /// - Parameter validation: Accepts or refuses the response.
  /// - Returns: The request.
  @preconcurrency
  @discardableResult
  public func validate(_ validation: @escaping Validation) -> Self {
    add(
      .custom { request, response, subject in
        if case .file(let url) = subject { validation(request, response, url) } else { .success(()) }
      })
    return self
  }
}
