// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// A result with a failure of ``AFError``.
public typealias AFResult<Success> = Result<Success, AFError>

extension Result {
  var success: Success? {
    guard case .success(let value) = self else { return nil }
    return value
  }

  var failure: Failure? {
    guard case .failure(let error) = self else { return nil }
    return error
  }

  /// An error outweighs a value.
  init(value: Success, error: Failure?) {
    self = error.map(Result.failure) ?? .success(value)
  }

  func tryMap<NewSuccess>(
    _ transform: (Success) throws -> NewSuccess
  ) -> Result<NewSuccess, any Error> {
    switch self {
    case .success(let value): Result<NewSuccess, any Error> { try transform(value) }
    case .failure(let error): .failure(error)
    }
  }

  func tryMapError<NewFailure: Error>(
    _ transform: (Failure) throws -> NewFailure
  ) -> Result<Success, any Error> {
    switch self {
    case .success(let value): return .success(value)
    case .failure(let error):
      do {
        return .failure(try transform(error))
      } catch {
        return .failure(error)
      }
    }
  }
}
