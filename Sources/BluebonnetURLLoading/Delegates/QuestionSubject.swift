import Synchronization

#if DEBUG
  import Glibc
#endif

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

  /// Says on standard error, in debug builds, that a completion handler was called for a question that is not open. Nothing else comes
  /// of the call: it is a mistake in the caller's code.
  ///
  /// - Parameters:
  ///   - owner: The type with the completion handler.
  ///   - address: The address of the request in question.
  package func reportIgnoredAnswer(
    by owner: @autoclosure () -> String, about address: @autoclosure () -> String?
  ) {
    #if DEBUG
      let line =
        "bluebonnet: the completion handler of \(rawValue), which \(owner()) was given for \(address() ?? "a request"), was called "
        + "again, or after its question had been dropped; this answer is ignored\n"
      _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    #endif
  }
}

/// Lets the first answer to a question through, for questions of which several may be open at once.
package final class SingleAnswer: Sendable {
  private let isGiven = Atomic(false)

  package init() {}

  /// - Returns: Whether this is the first answer.
  package func take() -> Bool { !isGiven.exchange(true, ordering: .acquiringAndReleasing) }
}
