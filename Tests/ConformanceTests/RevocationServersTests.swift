// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetTestSupport
import Testing

/// Revocation as OpenSSL's own programs tell of it: responders, lists over HTTP and staples.
@Suite(.enabled(if: RealServer.statusOCSP.isPresent, "openssl ocsp does not run"), .serialized)
struct RevocationServersTests {
  private static let hard = RevocationTrustEvaluator(options: [.any, .requirePositiveResponse])

  private func refusal(_ server: RealServer, by evaluator: (any ServerTrustEvaluating)?) async throws
    -> OSStatus?
  {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.trustAnchors = .file(path: try #require(RealServer.authority))
    let manager = evaluator.map { ServerTrustManager(evaluators: ["localhost": $0]) }
    let session = Session(configuration: configuration, serverTrustManager: manager)
    let response = await session.request(try server.url("/files/text.txt")).serializingData().response
    guard let error = response.error else { return nil }
    return (error.underlyingError as? SecTrustError)?.status ?? -1
  }

  @Test(
    arguments: [
      (RealServer.statusStapled, nil), (.statusStapledRevoked, errSecCertificateRevoked),
      (.statusPromised, nil),
      (.statusBrokenPromise, errSecIncompleteCertRevocationCheck), (.statusOCSP, nil),
      (.statusOCSPRevoked, errSecCertificateRevoked), (.statusListed, nil),
      (.statusListedRevoked, errSecCertificateRevoked), (.opensslServer, errSecIncompleteCertRevocationCheck),
    ] as [(RealServer, OSStatus?)])
  func whoAsksKnows(_ server: RealServer, _ expected: OSStatus?) async throws {
    #expect(try await refusal(server, by: Self.hard) == expected)
  }

  /// By default nothing is asked, but promises are held, and what a server staples is looked at.
  @Test func whoDoesNotAsk() async throws {
    for server in [RealServer.statusOCSPRevoked, .statusListedRevoked, .statusPromised] {
      #expect(try await refusal(server, by: nil) == nil, "\(server)")
    }
    for server in [RealServer.statusBrokenPromise, .statusStapledRevoked] {
      #expect(try await refusal(server, by: nil) != nil, "\(server)")
    }
  }

  private static let bonnet = Program.product("bonnet")
  private static let curl = Program("curl")

  private static func statuses(_ words: [String]) async throws -> (ours: Int32, theirs: Int32) {
    try await detached {
      (try bonnet.run(["-s"] + words).status, try curl.run(["-s", "-o", "/dev/null"] + words).status)
    }
  }

  @Test(arguments: [
    RealServer.statusStapled, .statusStapledRevoked, .statusPromised, .statusBrokenPromise, .statusOCSP,
  ])
  func certStatusIsCurls(_ server: RealServer) async throws {
    let url = try server.url("/files/zero.txt")
    let authority = try #require(RealServer.authority)
    for words in [["--cacert", authority], ["-k", "--cacert", authority], []] {
      let (ours, theirs) = try await Self.statuses(words + ["--cert-status", url])
      #expect(ours == theirs, "\(server) \(words)")
    }
  }

  @Test func crlfileIsCurls() async throws {
    let authority = try #require(RealServer.authority)
    let list = try #require(RealServer.revocationList)
    let rows = [
      (RealServer.statusOCSP, list), (.statusOCSPRevoked, list), (.statusListedRevoked, list),
      (.statusOCSP, "/nowhere"), (.statusOCSP, authority),
    ]
    for (server, file) in rows {
      for words in [["--cacert", authority], ["-k"]] {
        let (ours, theirs) = try await Self.statuses(
          words + ["--crlfile", file, try server.url("/files/zero.txt")])
        #expect(ours == theirs, "\(server) \(file) \(words)")
      }
    }
  }

  /// The one difference: curl does not hold servers to what their certificates promise (RFC 7633 §4.2.3.1).
  @Test func promisesAreHeldByUs() async throws {
    let (ours, theirs) = try await Self.statuses([
      "--cacert", try #require(RealServer.authority),
      try RealServer.statusBrokenPromise.url("/files/zero.txt"),
    ])
    #expect((ours, theirs) == (60, 0))
  }
}
