// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// A credential: the client's proof of its identity, for a while.
public protocol AuthenticationCredential {
  /// Whether the credential should be refreshed before it is used again. Asked before each attempt, under no lock and perhaps
  /// on several threads at once; asked again if the interceptor has got another credential meanwhile.
  var requiresRefresh: Bool { get }
}

/// Knows how a kind of credential is used.
///
/// Called by an ``AuthenticationInterceptor``: on the `requestQueue` of the session concerned, `refresh` on a queue of the
/// interceptor's, and `apply` besides wherever `refresh` has called its completion. Never on the event loop.
public protocol Authenticator: AnyObject, Sendable {
  /// The kind of credential, such as a pair of tokens.
  associatedtype Credential: AuthenticationCredential & Sendable

  /// Puts a credential into a request.
  ///
  /// - Parameters:
  ///   - credential: The current credential.
  ///   - urlRequest: About to be sent.
  func apply(_ credential: Credential, to urlRequest: inout URLRequest)

  /// Gets a new credential in exchange for the current one.
  ///
  /// - Parameters:
  ///   - credential: The current credential.
  ///   - session:    The session that needs it. Use another one, or none of its interceptors, to get it.
  ///   - completion: Takes the new credential, once, on any thread.
  func refresh(
    _ credential: Credential, for session: Session,
    completion: @escaping @Sendable (Result<Credential, any Error>) -> Void)

  /// Whether a request failed because the server did not accept its credential.
  ///
  /// - Parameters:
  ///   - urlRequest: The request sent.
  ///   - response:   The response.
  ///   - error:      Why the request failed.
  /// - Returns: The answer.
  func didRequest(
    _ urlRequest: URLRequest, with response: HTTPURLResponse, failDueToAuthenticationError error: any Error
  ) -> Bool

  /// Whether a request was sent with this credential.
  ///
  /// - Parameters:
  ///   - urlRequest: The request sent.
  ///   - credential: The current credential.
  /// - Returns: The answer.
  func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Credential) -> Bool
}

/// Why an `AuthenticationInterceptor` could not authenticate a request.
public enum AuthenticationError: Error, Sendable, LocalizedError {
  /// The interceptor's `credential` is `nil`.
  case missingCredential
  /// There have been more refreshes lately than `RefreshWindow` allows.
  case excessiveRefresh

  /// The reason, in words.
  public var errorDescription: String? {
    switch self {
    case .missingCredential: "the authentication interceptor has no credential"
    case .excessiveRefresh: "the credential was refreshed more often than the refresh window allows"
    }
  }
}
