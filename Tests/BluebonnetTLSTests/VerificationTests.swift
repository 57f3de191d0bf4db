// SPDX-License-Identifier: MIT
import BluebonnetTLS
import Testing

@Suite struct VerificationTests {
  /// A server that must not be believed, and why.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let host: String
    let reason: TrustFailure.Reason
    let identity: @Sendable () throws -> TLSIdentity

    init(
      _ name: String, _ reason: TrustFailure.Reason, host: String = "localhost",
      _ identity: @escaping @Sendable () throws -> TLSIdentity = { try Shared.identity.get() }
    ) {
      testDescription = name
      self.reason = reason
      self.host = host
      self.identity = identity
    }
  }

  static let cases: [Case] = [
    Case("expired", .expired) {
      try Shared.authority.get().issue(names: [.dns("localhost")], validity: .expired)
    },
    Case("not yet valid", .notYetValid) {
      try Shared.authority.get().issue(names: [.dns("localhost")], validity: .future)
    },
    Case("self-signed", .selfSigned) { try CertificateAuthority.selfSigned(names: [.dns("localhost")]) },
    Case("unknown issuer", .unknownIssuer) {
      try CertificateAuthority(commonName: "Stranger").issue(names: [.dns("localhost")])
    },
    Case("unknown issuer's root sent along", .unknownIssuer) {
      let stranger = try CertificateAuthority(commonName: "Stranger")
      let leaf = try stranger.issue(names: [.dns("localhost")])
      return try TLSIdentity(
        chain: leaf.chain + [stranger.certificate], privateKey: leaf.privateKey)
    },
    Case("missing intermediate", .unknownIssuer) {
      let below = try Shared.authority.get().issueAuthority()
      let leaf = try below.issue(names: [.dns("localhost")])
      return try TLSIdentity(chain: [leaf.certificate], privateKey: leaf.privateKey)
    },
    Case("wrong host", .wrongHost, host: "elsewhere.test"),
    Case("wildcard does not match two labels", .wrongHost, host: "a.b.example.test"),
    Case("wildcard does not match no label", .wrongHost, host: "example.test"),
    Case("wrong IPv4 address", .wrongHost, host: "127.0.0.2"),
    Case("wrong IPv6 address", .wrongHost, host: "[::1]"),
    Case("common name does not count", .wrongHost) {
      try Shared.authority.get().issue(commonName: "localhost", names: [.dns("other.test")])
    },
    Case("common name does not count without alternatives", .wrongHost) {
      try Shared.authority.get().issue(commonName: "localhost", names: [])
    },
    Case("an address is not a host name", .wrongHost, host: "127.0.0.1") {
      try Shared.authority.get().issue(names: [.dns("127.0.0.1")])
    },
    Case("leaf used as an authority", .other) {
      let leaf = try Shared.identity.get()
      return try CertificateAuthority(identity: leaf).issue(names: [.dns("localhost")])
    },
  ]

  @Test(arguments: cases, [TLSVersion.tls12, .tls13])
  func automaticVerificationFailsTheHandshake(row: Case, version: TLSVersion) throws {
    let pair = try EnginePair(
      client: Shared.client { $0.maximumVersion = version }, server: Shared.server(row.identity()),
      host: row.host)
    let error = #expect(throws: TLSError.self) { try pair.handshake() }
    guard case .certificateRejected(let failure) = error?.code else {
      Issue.record("unexpected \(String(describing: error))")
      return
    }
    #expect(failure.reason == row.reason, "\(failure)")
    #expect(error?.fault == .peer)
    #expect(!pair.client.output.isEmpty, "the server is told why")
    #expect(pair.client.takeSessions().isEmpty)
  }

  @Test(arguments: cases)
  func manualVerificationCompletesAndTellsTheSame(row: Case) throws {
    let pair = try EnginePair(
      client: Shared.client { $0.verification = .manual }, server: Shared.server(row.identity()),
      host: row.host)
    try pair.handshake()
    #expect(pair.client.verificationFailure?.reason == row.reason)
    let trust = try #require(pair.client.serverTrust)
    #expect(trust.failure?.reason == row.reason)
    #expect(trust.host == row.host)
    switch trust.evaluate(host: row.host) {
    case .success: Issue.record("evaluated differently from the handshake")
    case .failure(let failure): #expect(failure.reason == row.reason)
    }
  }

  @Test(arguments: ["localhost", "LocalHost", "localhost.", "127.0.0.1", "www.example.test"])
  func acceptsEveryNameOfTheCertificate(host: String) throws {
    let pair = try EnginePair(client: Shared.client(), server: Shared.server(), host: host)
    try pair.handshake()
    #expect(pair.client.verificationFailure == nil)
  }

  @Test(arguments: ["::1", "[::1]", "0:0:0:0:0:0:0:1", "::1%lo"])
  func acceptsAnIPv6AddressHoweverItIsWritten(host: String) throws {
    let identity = try Shared.authority.get().issue(names: [.address("::1")])
    let pair = try EnginePair(client: Shared.client(), server: Shared.server(identity), host: host)
    try pair.handshake()
    #expect(pair.client.verificationFailure == nil)
  }

  @Test func acceptsAChainWithIntermediates() throws {
    let below = try Shared.authority.get().issueAuthority()
    let lowest = try below.issueAuthority(commonName: "Lowest")
    let leaf = try lowest.issue(names: [.dns("localhost")])
    #expect(leaf.chain.count == 3)
    let pair = try EnginePair(client: Shared.client(), server: Shared.server(leaf))
    try pair.handshake()
    let trust = try #require(pair.client.serverTrust)
    // As verified: down to the root, which the server did not send.
    #expect(trust.chain == leaf.chain + [try Shared.authority.get().certificate])
    #expect(trust.failure == nil)
  }

  @Test func acceptsRSA() throws {
    let identity = try Shared.authority.get().issue(
      names: [.dns("localhost")], algorithm: .rsa(bits: 2048))
    for version in [TLSVersion.tls12, .tls13] {
      let pair = try EnginePair(
        client: Shared.client { $0.maximumVersion = version }, server: Shared.server(identity))
      try pair.handshake()
    }
  }

  @Test func aServerWithoutNameToCheckIsStillVerifiedByItsChain() throws {
    let good = try EnginePair(client: Shared.client(), server: Shared.server(), host: nil)
    try good.handshake()
    let stranger = try CertificateAuthority.selfSigned(names: [.dns("localhost")])
    let bad = try EnginePair(client: Shared.client(), server: Shared.server(stranger), host: nil)
    #expect(throws: TLSError.self) { try bad.handshake() }
  }
}
