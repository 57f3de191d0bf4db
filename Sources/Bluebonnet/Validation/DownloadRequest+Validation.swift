import BluebonnetFoundation
import BluebonnetURLLoading

extension DownloadRequest {
  /// A closure that judges a response and its file.
  public typealias Validation =
    @Sendable (_ request: URLRequest?, _ response: HTTPURLResponse, _ fileURL: URL?) -> ValidationResult

  /// Adds a validator. Those added first are asked first, and none after one that objected.
  ///
  /// - Parameter validation: Judges.
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
