// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetFoundation
import BluebonnetLocks

/// Tells from a monitor's events how each attempt of a request has ended.
///
/// A monitor hears late: by then the request may be in its next attempt, and its own properties say nothing about the one
/// before. All calls for a request come from one serial queue, in the order of the events. Requests that neither fail nor are
/// tried again leave nothing here, unless the monitor notes where a redirect has led. Notes go some time after their request.
public final class AttemptRecorder: Sendable {
  private struct Notes: Sendable {
    var retries = 0
    /// The first error of the attempt.
    var error: AFError?
    /// The address that the attempt's redirects have led to.
    var finalURL: URL?
    /// The end of the request was reported as a failure.
    var isReported = false
  }

  private let table = Locked(RequestTable<Notes>())

  package init() {}

  /// The number of requests with notes.
  package var count: Int { table.withLock { $0.count } }

  /// Notes the reason for which an attempt is going to fail; the first one counts.
  package func note(_ error: AFError, of request: Request) {
    table.withLock { table in
      table.update(request, from: Notes()) { $0.error = $0.error ?? error }
    }
  }

  /// Notes a validator's verdict, if it is a bad one.
  package func note(_ result: Request.ValidationResult, of request: Request) {
    guard case .failure(let error) = result else { return }
    note(
      error.asAFError ?? .responseValidationFailed(reason: .customValidationFailed(error: error)), of: request
    )
  }

  /// Takes the first error of the attempt that is under way or over, if there is one.
  package func takeError(of request: Request) -> AFError? {
    table.withLock { table in
      guard let error = table[request.id]?.error else { return nil }
      table.update(request, from: Notes()) { $0.error = nil }
      return error
    }
  }

  /// Notes the address that the redirects of an attempt have led to.
  package func note(finalURL: URL, of request: Request) {
    table.withLock { table in table.update(request, from: Notes()) { $0.finalURL = finalURL } }
  }

  /// The address that was noted for the attempt, if there is one.
  package func finalURL(of request: Request) -> URL? { table.withLock { $0[request.id]?.finalURL } }

  /// The address of the attempt under way, where it is no longer that of its first request: where redirects have led so far, or what a
  /// delegate has put in the place of a delayed request. Its metrics, which tell them apart, come at its end.
  package func currentFinalURL(of request: Request) -> URL? {
    request.tasks.prefix(number(of: request)).last?.movedURL
  }

  /// The number of the attempt that is under way, from 1.
  package func number(of request: Request) -> Int {
    table.withLock { ($0[request.id]?.retries ?? 0) + 1 }
  }

  /// The report of an attempt that is over.
  ///
  /// - Parameter error: The transport's error.
  package func endAttempt(of request: Request, task: URLSessionTask, error: AFError?) -> AttemptReport {
    let notes = table.withLock { $0[request.id] }
    let index = request.tasks.firstIndex { $0 === task }
    let metrics = request.allMetrics
    return AttemptReport(
      task: task, number: (notes?.retries ?? 0) + 1, response: task.response as? HTTPURLResponse,
      error: notes?.error ?? error,
      metrics: index.flatMap { metrics.indices.contains($0) ? metrics[$0] : nil })
  }

  /// Another attempt begins.
  ///
  /// - Returns: The error of the one before, if it is known.
  package func beginRetry(of request: Request) -> AFError? {
    table.withLock { table in
      table.update(request, from: Notes()) { notes in
        defer { notes = Notes(retries: notes.retries + 1) }
        return notes.error
      }
    }
  }

  /// No attempt follows.
  ///
  /// - Returns: The request's error, if it has failed.
  package func finish(_ request: Request) -> AFError? {
    let notes = table.withLock { $0[request.id] }
    // A retrier of serializers' failures may have begun another attempt since. Read in this order: the count grows first.
    let current = request.error
    let isCurrent = request.retryCount == notes?.retries ?? 0
    guard let error = isCurrent ? current : notes?.error else { return nil }
    table.withLock { table in
      table.update(request, from: Notes()) {
        $0.error = error
        $0.isReported = true
      }
    }
    return error
  }

  /// A response handler has its response.
  ///
  /// - Returns: The error, if it is not that of the request, which was reported before.
  package func serializerFailure(of request: Request, _ error: AFError?) -> AFError? {
    guard let error else { return nil }
    return table.withLock { table in
      table.update(request, from: Notes()) { notes in
        if notes.isReported { return nil }
        notes.error = error
        return error
      }
    }
  }
}
