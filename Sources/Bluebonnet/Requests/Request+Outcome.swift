// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetURLLoading

extension Request {
  var outcome: RequestOutcome { protected.withLock { $0.outcome } }

  /// Cancels, as failed unless it had failed before: nothing could be made of what arrived.
  func abort(with error: any Error) {
    let reason = error.asResponseFailure
    protected.withLock { if $0.failure == nil { $0.error = reason } }
    cancel()
  }
}

extension RequestMembers {
  /// Why the request fails.
  var error: AFError? {
    get { failure?.error }
    set { failure = newValue.map(Request.Failure.init) }
  }

  // Inlined, because all of the state would be handed over as a copy.
  @inline(__always)
  var outcome: RequestOutcome {
    // The metrics know the response, too, without a lock; not those of an attempt that failed without one.
    let response = metrics.last?.lastResponse ?? tasks.last?.response
    return RequestOutcome(
      request: requests.last, response: response as? HTTPURLResponse, data: data, metrics: metrics.last,
      failure: failure)
  }
}

/// Serializers that are quick for small bodies and run no code but the library's.
protocol QuickSerializer {
  var runsOnlyLibraryCode: Bool { get }
}

extension DataResponseSerializer: QuickSerializer {
  var runsOnlyLibraryCode: Bool { dataPreprocessor.isLibraryCode }
}

extension StringResponseSerializer: QuickSerializer {
  var runsOnlyLibraryCode: Bool { dataPreprocessor.isLibraryCode }
}

extension URLResponseSerializer: QuickSerializer {
  var runsOnlyLibraryCode: Bool { true }
}

extension DataPreprocessor {
  fileprivate var isLibraryCode: Bool {
    Self.self == PassthroughPreprocessor.self || Self.self == GoogleXSSIPreprocessor.self
  }
}

extension MonotonicTime {
  /// For the durations of serializers.
  var secondsUntilNow: TimeInterval { Double(MonotonicTime.now().nanoseconds &- nanoseconds) / 1e9 }
}

extension Error {
  /// A serializer's error, in the shape that responses have.
  var asResponseFailure: AFError {
    asAFError(or: .responseSerializationFailed(reason: .customSerializationFailed(error: self)))
  }

  /// A retrier's error, in the shape that responses have.
  func asRetryFailure(of original: AFError) -> AFError {
    asAFError(or: .requestRetryFailed(retryError: self, originalError: original))
  }
}
