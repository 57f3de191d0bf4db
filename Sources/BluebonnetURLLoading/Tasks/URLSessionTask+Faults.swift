// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension URLSessionTask {
  /// It completed without an error, and without what its caller waits for.
  var endedWithoutResponse: URLError {
    .loading(
      .badServerResponse, url: currentRequest?.url, method: currentRequest?.httpMethod, phase: .waiting,
      reason: "it ended without a response")
  }

  /// It was cancelled before it had a waiter.
  var cancelledEarly: URLError {
    .loading(
      .cancelled, url: currentRequest?.url, method: currentRequest?.httpMethod, phase: .cancelling, reason: ""
    )
  }
}
