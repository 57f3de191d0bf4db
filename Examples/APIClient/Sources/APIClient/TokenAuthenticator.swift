// SPDX-License-Identifier: MIT
import Bluebonnet
import Foundation

/// An access token and the refresh token that gets the next one (RFC 6749 §5.1).
struct Token: AuthenticationCredential, Codable, Sendable {
  let accessToken: String
  let refreshToken: String
  let expiry: Date

  /// Half a minute early, so that it does not expire on the way.
  var requiresRefresh: Bool { expiry.timeIntervalSinceNow < 30 }
}

/// Puts tokens into requests, and gets new ones. However many requests need one, `refresh` runs once for all.
final class TokenAuthenticator: AsyncAuthenticator {
  private struct Form: Encodable, Sendable {
    let grantType = "refresh_token"
    let refreshToken: String

    enum CodingKeys: String, CodingKey {
      case grantType = "grant_type"
      case refreshToken = "refresh_token"
    }
  }

  private struct Answer: Decodable, Sendable {
    let accessToken: String
    let refreshToken: String?
    let expiresIn: TimeInterval

    enum CodingKeys: String, CodingKey {
      case accessToken = "access_token"
      case refreshToken = "refresh_token"
      case expiresIn = "expires_in"
    }
  }

  private let endpoint: URL
  private let store: @Sendable (Token) -> Void
  /// Has no interceptor: a refresh must not wait for itself.
  private let session = Session()

  init(endpoint: URL, store: @escaping @Sendable (Token) -> Void) {
    self.endpoint = endpoint
    self.store = store
  }

  func refresh(_ credential: Token, for _: Session) async throws -> Token {
    let answer = try await session.request(
      endpoint, method: .post, parameters: Form(refreshToken: credential.refreshToken)
    )
    .validate().serializingDecodable(Answer.self).value
    let token = Token(
      accessToken: answer.accessToken, refreshToken: answer.refreshToken ?? credential.refreshToken,
      expiry: Date(timeIntervalSinceNow: answer.expiresIn))
    store(token)
    return token
  }

  func apply(_ credential: Token, to urlRequest: inout URLRequest) {
    urlRequest.headers.add(.authorization(bearerToken: credential.accessToken))
  }

  func didRequest(
    _: URLRequest, with response: HTTPURLResponse, failDueToAuthenticationError _: any Error
  ) -> Bool {
    response.statusCode == 401
  }

  func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Token) -> Bool {
    urlRequest.headers["Authorization"] == HTTPHeader.authorization(bearerToken: credential.accessToken).value
  }
}
