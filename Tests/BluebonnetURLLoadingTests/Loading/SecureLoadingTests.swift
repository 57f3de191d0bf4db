// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetURLLoading
import Testing

/// Loads over TLS.
@Suite struct SecureLoadingTests {
  private func session(trusting origin: Origin) throws -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.trustAnchors = .certificates([try #require(SecCertificate(pem: origin.authority ?? ""))])
    // On a busy machine, a minute may pass between two requests.
    configuration.timeoutIntervalForIdleConnections = 600
    return URLSession(configuration: configuration)
  }

  @Test func loadsOverTLSAndKeepsTheConnection() async throws {
    let origin = try Origin.start(security: .tls)
    let session = try session(trusting: origin)
    let url = try #require(URL(string: origin.baseURL + "/get"))
    for _ in 0..<5 {
      let (_, response) = try await session.data(from: url)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }
    #expect(origin.connectionCount == 1)
  }

  @Test func loadsALargeBodyOverTLS() async throws {
    let origin = try Origin.start(security: .tls)
    let url = try #require(URL(string: origin.baseURL + "/manyBytes/5000000"))
    let (data, _) = try await session(trusting: origin).data(from: url)
    #expect(data.count == 5_000_000)
    #expect(Set(data).count == 1)
  }

  @Test func anUnknownAuthorityIsRefusedBeforeAnythingIsSent() async throws {
    let origin = try Origin.start(security: .tls)
    let url = try #require(URL(string: origin.baseURL + "/get"))
    let session = URLSession(configuration: .ephemeral)
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    #expect(error?.code == .serverCertificateHasUnknownRoot)
    #expect(error?.transportFailure?.cause == .untrustedCertificate)
    #expect(origin.requests.isEmpty)
  }

  /// A certificate with one thing wrong with it.
  struct Flaw: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let names: [OriginAuthority.Name]
    let validity: Range<Int>
    let code: URLError.Code
  }

  static let flaws = [
    Flaw(
      testDescription: "expired", names: OriginAuthority.loopbackNames, validity: -7200 ..< -3600,
      code: .serverCertificateHasBadDate),
    Flaw(
      testDescription: "not yet valid", names: OriginAuthority.loopbackNames, validity: 3600..<7200,
      code: .serverCertificateNotYetValid),
    Flaw(
      testDescription: "for another host", names: [.host("elsewhere.example")], validity: -60..<3600,
      code: .serverCertificateUntrusted),
  ]

  @Test(arguments: flaws) func aFlawedCertificateIsRefused(flaw: Flaw) async throws {
    let authority = try OriginAuthority()
    let origin = try Origin.start(
      security: .identity(authority.issue(names: flaw.names, validFor: flaw.validity)))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.trustAnchors = .certificates([try #require(SecCertificate(pem: authority.certificate))])
    let session = URLSession(configuration: configuration)
    let url = try #require(URL(string: origin.baseURL + "/get"))
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    #expect(error?.code == flaw.code)
    #expect(origin.requests.isEmpty)
  }

  @Test func aBodyCutShortOverTLSIsAnError() async throws {
    let origin = try Origin.start(security: .tls)
    origin.script("/cut", .text("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhalf").then(.abruptClose))
    origin.script("/whole", .text("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nwhole").then(.close))
    let session = try session(trusting: origin)
    let cut = try #require(URL(string: origin.baseURL + "/cut"))
    let error = await #expect(throws: URLError.self) { try await session.data(from: cut) }
    #expect(error?.transportFailure?.cause == .truncated)
    let whole = try #require(URL(string: origin.baseURL + "/whole"))
    let (data, _) = try await session.data(from: whole)
    #expect(String(decoding: data, as: UTF8.self) == "whole")
  }

  @Test func aPlainServerBehindAnHTTPSAddressIsATLSError() async throws {
    let origin = try Origin.start()
    let url = try #require(URL(string: "https://localhost:\(origin.port)/get"))
    let error = await #expect(throws: URLError.self) { try await URLSession.shared.data(from: url) }
    #expect(error?.transportFailure?.cause == .tls)
    #expect(error?.code == .secureConnectionFailed)
    #expect(
      error?.transportFailure?.description.hasPrefix("the server does not speak TLS at this port") == true)
  }
}
