// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetOrigin
import Testing

@testable import BluebonnetURLLoading

/// How TLS is spoken, and what is refused of it before anybody is connected to.
@Suite struct TLSSettingsTests {
  typealias Settings = URLSessionConfiguration.TLSSettings

  private func refusal(
    of change: (inout Settings) -> Void, newest: tls_protocol_version_t = .TLSv13
  ) -> RefusedSetting? {
    var values = URLSessionConfiguration.Settings()
    values.tlsMaximumSupportedProtocolVersion = newest
    change(&values.tls)
    return SessionRefusals(values)?.secure
  }

  static let unknown: [(String, @Sendable (inout Settings) -> Void)] = [
    ("cipherSuites", { $0.cipherSuites = ["BOGUS"] }),
    ("cipherSuites", { $0.cipherSuites = ["TLS_AES_128_GCM_SHA256", "BOGUS"] }),
    ("cipherSuites", { $0.cipherSuites = ["TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384"] }),
    ("cipherSuites", { $0.cipherSuites = [""] }),
    ("cipherList", { $0.cipherList = "BOGUS" }),
    ("cipherList", { $0.cipherList = "ECDHE+AESGCM:BOGUS" }),
    ("cipherList", { $0.cipherList = "" }),
    ("cipherList", { $0.cipherList = "ECDHE+AESGCM:!AES265" }),
    ("cipherList", { $0.cipherList = "ECDHE+AESGCM:-BOGUS" }),
    ("cipherList", { $0.cipherList = "ALL:!ECDSA+BOGUS" }),
    ("cipherList", { $0.cipherList = "ALL:@BOGUS" }),
    ("cipherList", { $0.cipherList = "ALL:@SECLEVEL=0" }),
    ("cipherList", { $0.cipherList = "ALL@SECLEVEL=1" }),
    ("groups", { $0.groups = ["P-256", "BOGUS"] }),
    ("groups", { $0.groups = [] }),
    ("signatureAlgorithms", { $0.signatureAlgorithms = ["ed25519", "BOGUS"] }),
    ("keyLogFile", { $0.keyLogFile = "/nowhere/at/all" }),
    ("applicationProtocols", { $0.applicationProtocols = ["h2", "http/1.1"] }),
    ("applicationProtocols", { $0.applicationProtocols = [""] }),
  ]

  @Test(arguments: unknown.indices) func whatIsNotKnownIsRefused(index: Int) {
    let (member, change) = Self.unknown[index]
    #expect(refusal(of: change)?.member == "URLSessionConfiguration.tls.\(member)")
  }

  static let known: [@Sendable (inout Settings) -> Void] = [
    { _ in }, { $0.cipherSuites = ["TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256"] },
    { $0.cipherList = "ECDHE+AESGCM:ECDHE+CHACHA20:!AES256:@STRENGTH" },
    { $0.cipherList = "ECDHE+AESGCM:!RC4:!aNULL:!eNULL:!EXPORT:-kRSA+3DES:+AES256" },
    { $0.cipherList = "ALL:!aNULL:@SECLEVEL=2" },
    // As servers' guides have it.
    {
      $0.cipherList =
        "ECDHE+AESGCM:!aECDH:!EDH-RSA-DES-CBC3-SHA:!KRB5-DES-CBC3-SHA:!DES-CBC3-SHA:!RC4-MD5:!EXP-RC2-CBC-MD5"
    },
    { $0.groups = ["X25519", "secp384r1"] },
    { $0.signatureAlgorithms = ["ecdsa_secp256r1_sha256", "RSA-PSS+SHA256"] },
    { $0.applicationProtocols = [] }, { $0.options = [.padding, .noEncryptThenMAC, .legacyServerConnect] },
  ]

  @Test(arguments: known.indices) func whatIsKnownIsNot(index: Int) {
    #expect(refusal(of: Self.known[index]) == nil)
  }

  /// Without encryption there is nothing to speak TLS with.
  @Test func aListThatLeavesNothingIsRefused() {
    let refused = refusal(of: { $0.cipherList = "eNULL" }, newest: .TLSv12)
    #expect(refused?.member == "URLSessionConfiguration.tls.cipherList")
  }

  private func session(
    for origin: Origin, _ change: (URLSessionConfiguration) -> Void
  ) throws -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.trustAnchors = .certificates([try #require(SecCertificate(pem: origin.authority ?? ""))])
    change(configuration)
    return URLSession(configuration: configuration)
  }

  @Test func aRefusedSettingMakesNoConnection() async throws {
    let origin = try Origin.start(security: .tls)
    let session = try session(for: origin) { $0.tls.groups = ["BOGUS"] }
    let url = try #require(URL(string: origin.baseURL + "/get"))
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    #expect(error?.refusedSetting?.member == "URLSessionConfiguration.tls.groups")
    #expect(origin.connectionCount == 0)
  }

  private func suite(
    _ change: (URLSessionConfiguration) -> Void
  ) async throws -> tls_ciphersuite_t? {
    let origin = try Origin.start(security: .tls)
    let session = try session(for: origin, change)
    let url = try #require(URL(string: origin.baseURL + "/get"))
    let recorder = RecordingMetrics()
    _ = try await session.data(from: url, delegate: recorder)
    return recorder.metrics?.transactionMetrics.last?.negotiatedTLSCipherSuite
  }

  @Test func suitesAreWhatTheyAreSaidToBe() async throws {
    let chacha = try await suite { $0.tls.cipherSuites = ["TLS_CHACHA20_POLY1305_SHA256"] }
    let aes = try await suite { $0.tls.cipherSuites = ["TLS_AES_256_GCM_SHA384"] }
    let older = try await suite {
      $0.tlsMaximumSupportedProtocolVersion = .TLSv12
      $0.tls.cipherList = "ECDHE-ECDSA-CHACHA20-POLY1305"
    }
    #expect([chacha, aes, older].map { $0?.rawValue } == [0x1303, 0x1302, 0xCCA9])
  }

  @Test(arguments: [true, false], [tls_protocol_version_t.TLSv12, .TLSv13])
  func resumption(isOn: Bool, version: tls_protocol_version_t) async throws {
    let origin = try Origin.start(security: .tls)
    let session = try session(for: origin) {
      $0.tls.resumesSessions = isOn
      $0.tlsMaximumSupportedProtocolVersion = version
    }
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + "/get")))
    request.setValue("close", forHTTPHeaderField: "Connection")
    for _ in 1...2 { _ = try await session.data(for: request) }
    #expect(origin.requests.map(\.isResumed) == [false, isOn])
  }

  /// What it is for: a secret of each connection, in a file for its owner alone.
  @Test func theKeyLog() async throws {
    let path = "/tmp/bluebonnet-keys-\(UInt64.random(in: 0 ... .max))"
    defer { _ = try? FileManager.default.removeItem(at: URL(fileURLWithPath: path)) }
    let origin = try Origin.start(security: .tls)
    let session = try session(for: origin) { $0.tls.keyLogFile = path }
    _ = try await session.data(from: try #require(URL(string: origin.baseURL + "/get")))
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("CLIENT_TRAFFIC_SECRET_0 ") && text.hasSuffix("\n"))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }
}

private final class RecordingMetrics: URLSessionTaskDelegate {
  private let state = Locked<URLSessionTaskMetrics?>(nil)
  var metrics: URLSessionTaskMetrics? { state.withLock { $0 } }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) {
    state.withLock { $0 = metrics }
  }
}
