// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// An authenticator that gets new credentials in an asynchronous function. An addition of this package.
///
/// Conform to this in place of ``Authenticator``; the form with a completion comes with it:
///
/// ```swift
/// final class TokenAuthenticator: AsyncAuthenticator {
///   func refresh(_ credential: Token, for session: Session) async throws -> Token {
///     try await plainSession.request("https://api.example/token", method: .post)
///       .validate().serializingDecodable(Token.self).value
///   }
///   // apply(_:to:), didRequest(_:with:failDueToAuthenticationError:) and isRequest(_:authenticatedWith:) as before
/// }
/// ```
public protocol AsyncAuthenticator: Authenticator {
  /// Gets a new credential in exchange for the current one, in a task of its own.
  ///
  /// Requests that need the new credential wait, however many there are, and go on when this returns. What it throws fails all of
  /// them. A request that is cancelled meanwhile ends at once; the task goes on, and is not cancelled, for the sake of the others.
  ///
  /// - Parameters:
  ///   - credential: The current credential.
  ///   - session:    The session that needs it. Use another one, or none of its interceptors, to get it: a request that waits for
  ///     this refresh in here waits for ever.
  /// - Returns: The new credential.
  func refresh(_ credential: Credential, for session: Session) async throws -> Credential
}

extension AsyncAuthenticator {
  /// Calls the asynchronous form in a task of its own, and `completion` with its outcome.
  public func refresh(
    _ credential: Credential, for session: Session,
    completion: @escaping @Sendable (Result<Credential, any Error>) -> Void
  ) {
    Task {
      let result: Result<Credential, any Error>
      do {
        result = .success(try await refresh(credential, for: session))
      } catch {
        result = .failure(error)
      }
      completion(result)
    }
  }
}
