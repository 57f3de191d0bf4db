// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// The outcome for the handlers of a finished request.
struct RequestOutcome {
  let request: URLRequest?
  let response: HTTPURLResponse?
  let data: Data?
  let metrics: URLSessionTaskMetrics?
  let failure: Failure?

  var error: AFError? { failure?.error }

  /// An error in a box: an optional one is dear to copy, even where there is none.
  final class Failure: Sendable {
    let error: AFError

    init(_ error: AFError) { self.error = error }
  }
}
