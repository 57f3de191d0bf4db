// SPDX-License-Identifier: MIT

/// The subject of a question to a delegate, or to one of the caller's handlers.
package enum QuestionSubject: String, Sendable {
  case delayedRequest = "willBeginDelayedRequest"
  case redirect = "willPerformHTTPRedirection"
  case serverTrust = "didReceive challenge (server trust)"
  case clientCertificate = "didReceive challenge (client certificate)"
  case credential = "didReceive challenge"
  case proxyCredential = "didReceive challenge (proxy)"
  case bodyStream = "needNewBodyStream"
  case response = "didReceive response"
  case cachedResponse = "willCacheResponse"
  case adaptation = "RequestAdapter.adapt"
  case retry = "RequestRetrier.retry"
  case refresh = "Authenticator.refresh"
  case responseHook = "onHTTPResponse"
  /// A delegate is told, and waited for.
  case transmission = "willProveAfter"
  /// No delegate is asked: the session's own storages are.
  case storages = "storages"
}

/// Numbers the questions of a load to its listener. The newest one may be open; an answer counts while its question is, and once.
///
///     ask() ──▶ open ── take() ──▶ answered
///                │
///                └── ask() ──▶ superseded
///
/// A delegate may keep its completion handlers, and call one when another question is open. What it says then is not about that one:
/// it would send one origin the credentials that are meant for another.
package struct QuestionLog: Sendable {
  /// One question; only the value that made it knows whether it is open.
  package struct Question: Sendable, Hashable {
    package let subject: QuestionSubject
    /// Counts from 1.
    package let number: UInt32
  }

  private var newest: UInt32 = 0
  private var isOpen = false

  package init() {}

  /// Opens the next question.
  package mutating func ask(_ subject: QuestionSubject) -> Question {
    newest &+= 1
    isOpen = true
    return Question(subject: subject, number: newest)
  }

  /// Closes a question.
  ///
  /// - Returns: false if it is not open: it has been answered, or another one has taken its place.
  package mutating func take(_ question: Question) -> Bool {
    guard isOpen(question) else { return false }
    isOpen = false
    return true
  }

  package func isOpen(_ question: Question) -> Bool { isOpen && question.number == newest }
}
