// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// A response to be awaited. The request runs whether it is awaited or not, and may be awaited many times.
public struct DataTask<Value: Sendable>: Sendable {
  @usableFromInline let request: DataRequest
  @usableFromInline let slot: ResponseSlot<AFResult<Value>?>
  @usableFromInline let cancelsWithTask: Bool

  init(request: DataRequest, slot: ResponseSlot<AFResult<Value>?>, cancelsWithTask: Bool) {
    self.request = request
    self.slot = slot
    self.cancelsWithTask = cancelsWithTask
  }

  /// The response, with everything known about it.
  public nonisolated(nonsending) var response: DataResponse<Value, AFError> {
    get async {
      await slot.wait(cancelling: cancelsWithTask ? request : nil)
      return slot.response()
    }
  }

  /// The value or the error, without the rest of the response. Waits until the request is over.
  public nonisolated(nonsending) var result: Result<Value, AFError> {
    @inlinable get async {
      await slot.wait(cancelling: cancelsWithTask ? request : nil)
      guard let result = slot.made else { preconditionFailure("a job is full when it has been served") }
      return result
    }
  }

  /// The value of the response, or its error thrown.
  public nonisolated(nonsending) var value: Value {
    @inlinable get async throws { try await result.get() }
  }

  /// Cancels the request: awaiting it gives ``AFError/explicitlyCancelled``.
  public func cancel() { request.cancel() }

  /// Resumes the request, if it was suspended or has not been started.
  public func resume() { request.resume() }

  /// Suspends the request; awaiting it lasts until it is resumed and over.
  public func suspend() { request.suspend() }
}
