// SPDX-License-Identifier: MIT
import BluebonnetURLLoading
import Testing

/// The forms in which existing code implements delegate methods must all be heard.
@Suite struct DelegateFormsTests {
  // Unchecked: there is nothing in it.
  private final class Asynchronous: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
    ) async -> URLSession.ResponseDisposition {
      .cancel
    }

    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
      (.rejectProtectionSpace, nil)
    }
  }

  // Unchecked: there is nothing in it.
  private final class Completing: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      completionHandler(.becomeDownload)
    }
  }

  private let session = URLSession(configuration: .ephemeral)
  private let url = URL(string: "http://example.org/")

  private func disposition(of delegate: any URLSessionDataDelegate) async throws
    -> URLSession.ResponseDisposition
  {
    let url = try #require(url)
    let response = try #require(
      HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
    let task = session.dataTask(with: url)
    return await withCheckedContinuation { continuation in
      delegate.urlSession(session, dataTask: task, didReceive: response) {
        continuation.resume(returning: $0)
      }
    }
  }

  @Test func theAsynchronousFormIsHeard() async throws {
    #expect(try await disposition(of: Asynchronous()) == .cancel)
  }

  @Test func theCompletionFormIsHeard() async throws {
    #expect(try await disposition(of: Completing()) == .becomeDownload)
  }

  /// Of challenges that concern a whole connection, and of no others.
  @Test(arguments: [
    (NSURLAuthenticationMethodServerTrust, URLSession.AuthChallengeDisposition.rejectProtectionSpace),
    (NSURLAuthenticationMethodClientCertificate, .rejectProtectionSpace),
    (NSURLAuthenticationMethodNTLM, .rejectProtectionSpace),
    (NSURLAuthenticationMethodNegotiate, .rejectProtectionSpace),
    (NSURLAuthenticationMethodHTTPBasic, .performDefaultHandling),
    (NSURLAuthenticationMethodHTTPDigest, .performDefaultHandling),
    (NSURLAuthenticationMethodDefault, .performDefaultHandling),
  ])
  func aTaskChallengeFallsBackToTheSession(
    method: String, expected: URLSession.AuthChallengeDisposition
  ) async throws {
    let delegate: any URLSessionTaskDelegate = Asynchronous()
    let task = session.dataTask(with: try #require(url))
    let space = URLProtectionSpace(
      host: "example.org", port: 80, protocol: "http", realm: nil, authenticationMethod: method)
    let challenge = URLAuthenticationChallenge(
      protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: nil,
      error: nil, sender: nil)
    let answer = await withCheckedContinuation { continuation in
      delegate.urlSession(session, task: task, didReceive: challenge) { disposition, _ in
        continuation.resume(returning: disposition)
      }
    }
    #expect(answer == expected)
  }
}
