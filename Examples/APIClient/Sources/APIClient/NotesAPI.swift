// SPDX-License-Identifier: MIT
import Bluebonnet
import Foundation

/// A note of the service.
struct Note: Codable, Sendable, Hashable {
  let id: Int
  let text: String
}

/// The service's own words for a failure (RFC 9457, `application/problem+json`).
struct Problem: Decodable, Error, CustomStringConvertible {
  let status: Int
  let title: String
  let detail: String?

  var description: String { "\(status) \(title)" + (detail.map { ": \($0)" } ?? "") }
}

/// A typed client: each endpoint is a function, each failure an `AFError` or the service's `Problem`.
struct NotesAPI: Sendable {
  private struct Draft: Encodable, Sendable { let text: String }

  private let session: Session

  /// - Parameters:
  ///   - baseURL: Ends in a slash, as it stands for a directory.
  ///   - token: The last token at hand; it may have expired.
  ///   - store: Keeps a new token for the next start of the program. Some services take each refresh token only once.
  init(baseURL: URL, token: Token, store: @escaping @Sendable (Token) -> Void) {
    let configuration = URLSessionConfiguration.af.default
    configuration.headers.add(.accept("application/json"))
    configuration.timeoutIntervalForRequest = 15
    configuration.responseBodyLimitInMemory = 4 << 20
    let authenticator = TokenAuthenticator(endpoint: baseURL.appending(path: "token"), store: store)
    session = Session(
      configuration: configuration,
      interceptor: Interceptor(interceptors: [
        // Before the other one: a 401 is no failure that passes by itself.
        AuthenticationInterceptor(authenticator: authenticator, credential: token),
        // Five attempts within 20 seconds. It waits as `Retry-After` says, and repeats idempotent methods only.
        RetryPolicy(pauses: .init(hasFullJitter: true, deadline: 20), retryLimit: 4),
      ]),
      baseURL: baseURL)
  }

  func notes() async throws -> [Note] { try await value(of: session.request("notes")) }

  func note(_ id: Int) async throws -> Note { try await value(of: session.request("notes/\(id)")) }

  func add(_ text: String) async throws -> Note {
    try await value(
      of: session.request("notes", method: .post, parameters: Draft(text: text), encoder: .json))
  }

  /// Lets the requests under way come to their end.
  func close() async { await session.shutdown(deadline: .seconds(5)) }

  private func value<Value: Decodable & Sendable>(of request: DataRequest) async throws -> Value {
    let response = await request.validate().serializingDecodable(Value.self).response
    if response.error != nil, let body = response.data,
      response.response?.mimeType == "application/problem+json",
      let problem = try? JSONDecoder().decode(Problem.self, from: body)
    {
      throw problem
    }
    if let status = response.error?.responseCode, let request = response.request {
      // Without words of the service, the request is what a log needs; the error does not name it.
      throw Problem(
        status: status, title: HTTPURLResponse.localizedString(forStatusCode: status),
        detail: "\(request.httpMethod ?? "GET") \(request)")
    }
    return try response.result.get()
  }
}
