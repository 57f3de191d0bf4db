// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetTLS

/// Anchors beside others, each by its own rules.
@Suite struct SeveralAnchorsTests {
  private let folder: AnchorFolder
  private let authority: CertificateAuthority
  private let identity: TLSIdentity
  private let second: CertificateAuthority

  init() throws {
    folder = try AnchorFolder()
    authority = try Shared.authority.get()
    identity = try Shared.identity.get()
    second = try CertificateAuthority(commonName: "Second")
    try folder.write([second.certificate.pem], to: "second.pem")
  }

  private var both: [TrustAnchors] {
    let members = [
      TrustAnchors.certificates([authority.certificate]), .file(folder.path(of: "second.pem")), .system,
    ]
    return [
      .several(members), .several(members.reversed()),
      .several([.several([members[2], members[0]]), .several([]), members[1]]),
    ]
  }

  @Test func eachIsEnough() throws {
    let other = try second.issue(names: [.dns("localhost")])
    let stranger = try CertificateAuthority().issue(names: [.dns("localhost")])
    for anchors in both {
      #expect(try anchors.objection(to: identity) == nil)
      #expect(try anchors.objection(to: other) == nil)
      #expect(try anchors.objection(to: stranger)?.reason == .unknownIssuer)
      #expect(try anchors.objection(to: identity, host: "other.test")?.reason == .wrongHost)
      let late = try second.issue(names: [.dns("localhost")], validity: .expired)
      #expect(try anchors.objection(to: late)?.reason == .expired)
    }
    #expect(try TrustAnchors.several([]).objection(to: identity)?.reason == .unknownIssuer)
  }

  /// With the verdict in OpenSSL's hands.
  @Test func theHandshakeItselfFailsOrNot() throws {
    let other = try second.issue(names: [.dns("localhost")])
    let stranger = try CertificateAuthority().issue(names: [.dns("localhost")])
    for anchors in both {
      let client = try TLSContext(client: TLSClientConfiguration(anchors: anchors, verification: .automatic))
      let pair = try EnginePair(client: client, server: Shared.server(other))
      try pair.handshake()
      #expect(pair.client.serverTrust?.verified == other.chain + [second.certificate])
      let wrong = try EnginePair(client: client, server: Shared.server(other), host: "other.test")
      #expect(throws: TLSError.self) { try wrong.handshake() }
      let unknown = try EnginePair(client: client, server: Shared.server(stranger))
      let error = #expect(throws: TLSError.self) { try unknown.handshake() }
      guard case .certificateRejected(let failure) = error?.code else {
        Issue.record("unexpected \(String(describing: error))")
        continue
      }
      #expect(failure.reason == .unknownIssuer)
    }
  }

  /// The system's authorities are held to RFC 5280 to the letter, those beside them only if one wants.
  @Test func eachKeepsItsRules() throws {
    let key = try PrivateKey(generating: .ellipticP256)
    let draft = CertificateDraft(
      commonName: "localhost", names: [.dns("localhost")], isAuthority: false, validity: .days(1),
      publicKey: key, namesIssuersKey: false)
    let sloppy = try TLSIdentity(
      chain: [draft.signed(by: second.certificate, second.privateKey)], privateKey: key)
    for anchors in both {
      #expect(try anchors.objection(to: sloppy) == nil)
      #expect(try anchors.objection(to: sloppy, isStrict: true)?.reason == .other)
    }
    // What the system's rules refuse is not let in by what is beside them.
    try folder.write([second.certificate.pem], to: "system.pem")
    let system = try TrustStore(
      SystemAnchors(file: folder.path(of: "system.pem"), directories: [], bundles: []))
    let store = TrustStore(system, others: [try TrustStore([authority.certificate], isStrict: false)])
    let verdict = TrustEvaluation(host: "localhost").run(CertificateStack(sloppy.chain), in: store)
    #expect(throws: TrustFailure.self) { try verdict.get() }
  }

  /// Whoever vouches for it.
  @Test func whatAListRevokesIsRefusedByAll() throws {
    let row = try #require(LimboTests.cases.first { $0.id == "crl::revoked-certificate-with-crl" })
    let anchor = try #require(row.trusted_certs.first)
    let leaf = try TLSIdentity(
      chainPEM: Array(row.peer_certificate.utf8), keyPEM: Array(#require(row.peer_certificate_key).utf8))
    let host = try #require(row.expected_peer_name?.value)
    try folder.write([second.certificate.pem, try #require(row.crls.first)], to: "listed.pem")
    let trusting = TrustAnchors.certificates([try Certificate(pem: anchor)])
    let listed = TrustAnchors.file(folder.path(of: "listed.pem"))
    #expect(try trusting.objection(to: leaf, host: host) == nil)
    for anchors in [[trusting, listed], [listed, trusting], [.system, trusting, listed]] {
      #expect(try TrustAnchors.several(anchors).objection(to: leaf, host: host)?.reason == .revoked)
      let trust = try ServerTrust(host: host, chain: leaf.chain, anchors: .several(anchors))
      let verdict = trust.evaluate(host: host, anchors: [try Certificate(pem: anchor)])
      #expect(throws: TrustFailure.self) { try verdict.get() }
    }
    // The store that all sessions share knows nothing of it.
    #expect(try TrustStore.store(for: .system).revocationLists.isEmpty)
  }
}
