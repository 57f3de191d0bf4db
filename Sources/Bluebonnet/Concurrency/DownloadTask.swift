// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// A response to be awaited. The request runs whether it is awaited or not, and may be awaited many times.
public struct DownloadTask<Value: Sendable>: Sendable {
  private let request: DownloadRequest
  private let slot: DownloadJob<Value>
  private let cancelsWithTask: Bool

  init(request: DownloadRequest, slot: DownloadJob<Value>, cancelsWithTask: Bool) {
    self.request = request
    self.slot = slot
    self.cancelsWithTask = cancelsWithTask
  }

  /// The response, with everything known about it.
  public nonisolated(nonsending) var response: DownloadResponse<Value, AFError> {
    get async {
      await slot.wait(cancelling: cancelsWithTask ? request : nil)
      return slot.downloadResponse
    }
  }

  /// The value or the error, without the rest of the response. Waits until the request is over.
  public nonisolated(nonsending) var result: Result<Value, AFError> {
    get async { await response.result }
  }

  /// The value of the response, or its error thrown.
  public nonisolated(nonsending) var value: Value {
    get async throws { try await response.result.get() }
  }

  /// Cancels the request: awaiting it gives ``AFError/explicitlyCancelled``.
  public func cancel() { request.cancel() }

  /// Resumes the request, if it was suspended or has not been started.
  public func resume() { request.resume() }

  /// Suspends the request; awaiting it lasts until it is resumed and over.
  public func suspend() { request.suspend() }
}
