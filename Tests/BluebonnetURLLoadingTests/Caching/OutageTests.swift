// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetTransport
import Glibc
import Testing

@testable import BluebonnetURLLoading

/// For which failures a stale response may stand in (RFC 5861 §4): those that a gateway would answer with 502 or 504.
@Suite struct OutageTests {
  private static let system = SystemError(errno: ECONNRESET, call: "test")
  private static let rule = HTTP1Error(.invalidStatusLine, offset: 0)

  @Test(
    arguments: [
      (.unresolvedHost(LookupFailure(host: "a.test", code: EAI_NONAME, errno: 0)), true),
      (.unconnected(.failed(system, address: nil)), true), (.network(system), true), (.noResponse, true),
      (.truncated(nil), true), (.malformed(rule), true), (.timedOut, true),
      (.proxyRefused(status: 502, reason: ""), true),
      // Whoever answers in the place of the right one, or is not let in, is not hidden.
      (.untrusted(nil), false), (.tls(TLSError(.handshakeFailed, reason: "")), false),
      (.securePort(rule), false),
      (.authentication("no"), false),
      // Nor is what the caller has done.
      (.cancelled, false), (.invalidHost(.empty), false), (.bodySource("no"), false),
      (.invalidRequest(rule), false),
    ] as [(TransportError.Cause, Bool)])
  func whatCountsAsAnOutage(_ cause: TransportError.Cause, _ isOutage: Bool) {
    #expect(TransportError(cause, during: .securing).isOutage == isOutage)
  }

  /// A server that cannot be reached is stood in for; another one in its place is not.
  @Test func aStrangerIsNotHiddenBehindAStaleResponse() async throws {
    let authority = try OriginAuthority()
    let origin = try Origin.start(security: .identity(try authority.issue()))
    let stranger = try Origin.start(security: .tls)
    origin.script(
      "/a",
      .response(
        fields: [("Cache-Control", "max-age=0, stale-if-error=600"), ("Connection", "close")],
        body: "one".utf8), .reset)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.trustAnchors = .certificates([try #require(SecCertificate(pem: authority.certificate))])
    let url = try #require(URL(string: origin.baseURL + "/a"))
    let session = URLSession(configuration: configuration)
    for _ in 0..<2 { #expect(try await session.data(from: url).0 == Data("one".utf8)) }
    #expect(origin.requests.count == 2)
    configuration.connectionEndpoint = .init(host: "127.0.0.1", port: Int(stranger.port))
    let lured = URLSession(configuration: configuration)
    let error = await #expect(throws: URLError.self) { try await lured.data(from: url) }
    #expect(error?.code == .serverCertificateHasUnknownRoot)
    stranger.reception = .reset
    #expect(try await lured.data(from: url).0 == Data("one".utf8))
  }
}
