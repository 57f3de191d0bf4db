// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import Testing

/// Measurements tell which addresses were tried, and what ALPN came to.
@Suite struct ConnectionAttemptTests {
  private func transaction(
    of url: String, _ configuration: URLSessionConfiguration = .patient, in session: Session? = nil
  ) async throws -> URLSessionTaskTransactionMetrics {
    let session = session ?? Session(configuration: configuration)
    let response = await session.request(url).serializingData().response
    return try #require(response.metrics?.transactionMetrics.last)
  }

  /// The origin listens on 127.0.0.1, which is the second address of its name.
  @Test func thoseBeforeTheConnection() async throws {
    let origin = try Origin.start()
    let session = Session(configuration: .patient)
    let url = "http://localhost:\(origin.port)/ip"
    let made = try await transaction(of: url, in: session)
    #expect(made.connectionAttempts.map(\.address) == ["::1", "127.0.0.1"])
    #expect(made.connectionAttempts.map(\.port) == [Int(origin.port), Int(origin.port)])
    #expect(made.connectionAttempts.first?.failure != nil)
    #expect(made.connectionAttempts.last?.failure == nil)
    #expect(made.connectionAttempts.last?.description == "127.0.0.1:\(origin.port)")
    #expect(made.negotiatedApplicationProtocol == nil)
    let used = try await transaction(of: url, in: session)
    #expect(used.isReusedConnection && used.connectionAttempts.isEmpty)
  }

  @Test func theOnlyOne() async throws {
    let origin = try Origin.start()
    let made = try await transaction(of: "http://127.0.0.1:\(origin.port)/ip")
    #expect(made.connectionAttempts.map(\.description) == ["127.0.0.1:\(origin.port)"])
  }

  @Test func thoseOfAFailure() async throws {
    let port = try ClosedPort()
    let failed = try await transaction(of: "http://127.0.0.1:\(port.number)/")
    #expect(
      failed.connectionAttempts.map(\.description) == ["127.0.0.1:\(port.number): Connection refused"])
  }

  @Test func thoseOfAProxy() async throws {
    let port = try ClosedPort()
    let configuration = URLSessionConfiguration.patient
    configuration.proxySelection = .proxy(
      try URLSessionConfiguration.Proxy("http://127.0.0.1:\(port.number)"))
    for scheme in ["http", "https"] {
      let failed = try await transaction(of: "\(scheme)://a.example/", configuration)
      #expect(failed.connectionAttempts.map(\.failure) == ["Connection refused"])
    }
  }

  @Test(arguments: [true, false])
  func applicationProtocol(offers: Bool) async throws {
    let origin = try Origin.start(security: .tls)
    let configuration = URLSessionConfiguration.patient
    let authority = try #require(origin.authority)
    configuration.trustAnchors = .certificates([try #require(SecCertificate(pem: authority))])
    if !offers { configuration.tls.applicationProtocols = [] }
    let made = try await transaction(of: "https://localhost:\(origin.port)/ip", configuration)
    #expect(made.negotiatedApplicationProtocol == (offers ? "http/1.1" : nil))
    // The attempts stay with the connection when it is secured.
    #expect(made.connectionAttempts.count == 2)
  }
}
