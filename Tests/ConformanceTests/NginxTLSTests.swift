// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetTestSupport
import Testing

@Suite(.enabled(if: RealServer.nginxTLS.isPresent, "nginx does not run"))
struct NginxTLSTests {
  @Test(
    arguments: [RealServer.nginxTLS, .nginxTLS12, .nginxTLS13], ["/text.txt", "/random.bin", "/zero.txt"])
  func bodiesAreWhatCurlFetches(server: RealServer, path: String) async throws {
    let url = try server.url(path)
    let session = try Session.conformance()
    let bytes = try await session.bytes(url)
    #expect(try await bytes == Curl.body(of: url))
  }

  @Test func oneConnectionServesManyRequests() async throws {
    let url = try RealServer.nginxTLS.url("/text.txt")
    let session = try Session.conformance(connections: 1)
    let expected = try await Curl.body(of: url)
    for _ in 0..<20 { #expect(try await session.bytes(url) == expected) }
  }

  @Test(arguments: [RealServer.nginxExpired, .nginxWrongHost, .nginxSelfSigned])
  func aBadCertificateIsRefused(server: RealServer) async throws {
    let session = try Session.conformance()
    let response = await session.request(try server.url("/text.txt")).serializingData().response
    let error = try #require(response.error?.underlyingError as? URLError)
    #expect(
      server == .nginxExpired
        ? error.code == .serverCertificateHasBadDate : certificateCodes.contains(error.code))
    #expect(response.data == nil)
  }

  /// Pinning trusts the one authority, whatever the system trusts.
  @Test func aPinnedAuthorityIsTrustedAndAnotherIsNot() async throws {
    let pinned = PinnedCertificatesTrustEvaluator(
      certificates: [try authority()], acceptSelfSignedCertificates: true)
    let session = Session(
      configuration: .ephemeral, serverTrustManager: ServerTrustManager(evaluators: ["localhost": pinned]))
    let url = try RealServer.nginxTLS.url("/text.txt")
    let bytes = try await session.bytes(url)
    #expect(try await bytes == Curl.body(of: url))
    let refused = await session.request(try RealServer.nginxSelfSigned.url("/text.txt")).serializingData()
      .response
    #expect(refused.error?.isServerTrustEvaluationError == true)
  }

  private let certificateCodes: [URLError.Code] = [
    .serverCertificateUntrusted, .serverCertificateHasUnknownRoot, .secureConnectionFailed,
  ]

  private func authority() throws -> SecCertificate {
    let pem = try String(
      contentsOf: URL(fileURLWithPath: try #require(RealServer.authority)), encoding: .utf8)
    let lines = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }
    let der = try #require(Data(base64Encoded: lines.joined()))
    return try #require(SecCertificateCreateWithData(nil, der))
  }

  /// Without the authority among the anchors, the system's trust decides.
  @Test func anUnknownAuthorityIsRefused() async throws {
    let session = Session(configuration: .ephemeral)
    let response = await session.request(try RealServer.nginxTLS.url("/text.txt")).serializingData().response
    let error = try #require(response.error?.underlyingError as? URLError)
    #expect(
      [.serverCertificateUntrusted, .serverCertificateHasUnknownRoot, .secureConnectionFailed].contains(
        error.code))
  }
}
