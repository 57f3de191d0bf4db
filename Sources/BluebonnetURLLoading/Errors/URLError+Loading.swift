// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetSemantics

extension URLError {
  /// The error of a load: which request, in which phase, for which reason.
  ///
  /// The description is a sentence such as "GET http://host/path failed while connecting: <reason>." It holds no user
  /// information and no query of the URL, so that it can be logged. `failingURL` has the query.
  ///
  /// - Parameters:
  ///   - url: The address of the request.
  ///   - method: Its method, if it is known here; `naming(_:)` adds it later.
  ///   - phase: The load's phase. While it was prepared, nothing was sent, and the description says so.
  ///   - reason: The reason of its end, without repeating the phase; may be empty if it was cancelled.
  ///   - fault: The party at fault; by default the one that code and phase tell.
  ///   - cause: The error behind this one.
  ///   - more: Other entries of `userInfo`.
  package static func loading(
    _ code: URLError.Code, url: URL?, method: String? = nil, phase: LoadingPhase, reason: String,
    fault: LoadingFault? = nil, cause: (any Error)? = nil, more: [String: Any] = [:]
  ) -> URLError {
    var information = more
    information[LoadingFacts.key] = LoadingFacts(
      phase: phase, fault: fault ?? LoadingFault(code, during: phase), method: method, reason: reason)
    let outcome = Self.outcome(code, phase) + (reason.isEmpty ? "" : ": \(reason)")
    let subject = url.map { Self.subject($0, method) } ?? "The request "
    information[NSLocalizedDescriptionKey] = subject + outcome.asSentence
    if let url = url?.withoutSecrets {
      information[NSURLErrorFailingURLErrorKey] = url
      information["NSErrorFailingURLStringKey"] = url.absoluteString
    }
    if let cause { information[NSUnderlyingErrorKey] = cause }
    return URLError(code, userInfo: information)
  }

  /// A URL that cannot be loaded at all.
  package static func refusal(_ code: URLError.Code, _ url: URL, _ reason: String) -> URLError {
    loading(code, url: url, phase: .preparing, reason: reason)
  }

  /// This error with the method in front of the address, or with both where it was made without the address; an error that
  /// knows its method, or comes from elsewhere, as it is.
  package func naming(_ request: URLRequest) -> URLError {
    guard let facts = loadingFacts, facts.method == nil, let url = failingURL ?? request.url else {
      return self
    }
    return .loading(
      code, url: url, method: request.httpMethod, phase: facts.phase, reason: facts.reason,
      fault: facts.fault,
      more: userInfo)
  }

  private static func subject(_ url: URL, _ method: String?) -> String {
    let method = method.flatMap { $0.isShowable ? "\($0) " : nil } ?? ""
    return method + "\(url.shown) "
  }

  private static func outcome(_ code: URLError.Code, _ phase: LoadingPhase) -> String {
    switch (code, phase) {
    case (.cancelled, .cancelling), (.cancelled, .preparing): "was cancelled"
    case (.cancelled, _): "was cancelled while \(phase.rawValue)"
    case (.timedOut, _): "timed out while \(phase.rawValue)"
    case (_, .preparing): "was not sent"
    default: "failed while \(phase.rawValue)"
    }
  }
}

extension String {
  /// With a full stop at its end, unless it has one or is a question.
  package var asSentence: String {
    guard let last = utf8.last else { return self }
    return ".?!".utf8.contains(last) ? self : self + "."
  }

  /// One line of visible ASCII, as every method is that can be sent.
  fileprivate var isShowable: Bool { !isEmpty && utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }
}
