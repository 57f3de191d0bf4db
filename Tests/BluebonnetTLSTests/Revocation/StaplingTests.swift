// SPDX-License-Identifier: MIT
import BluebonnetTestAuthority
import Testing

@testable import BluebonnetTLS

/// What servers say about their certificates in the handshake (RFC 6066 §8), and the promise to (RFC 7633).
@Suite struct StaplingTests {
  private static let root = Result { try StatusAuthority() }

  private func handshake(
    _ leaf: StatusLeaf, staple: [UInt8]?, version: TLSVersion = .tls13,
    verification: TLSClientConfiguration.Verification = .manual
  ) throws -> TLSEngine {
    let root = try Self.root.get()
    let client = try TLSContext(
      client: TLSClientConfiguration(
        maximumVersion: version, anchors: .certificates([Certificate(der: root.der)]),
        verification: verification))
    let identity = try TLSIdentity(chainPEM: Array(leaf.pem.utf8), keyPEM: Array(leaf.keyPEM.utf8))
    let server = try TLSContext(
      server: TLSServerConfiguration(identity: identity, stapledResponse: staple))
    let pair = try EnginePair(client: client, server: server)
    try pair.handshake()
    return pair.client
  }

  @Test(arguments: [TLSVersion.tls12, .tls13]) func isAskedForAndKept(_ version: TLSVersion) throws {
    let root = try Self.root.get()
    let leaf = try root.server()
    let response = try root.response(about: leaf)
    let trust = try #require(try handshake(leaf, staple: response, version: version).serverTrust)
    #expect(trust.stapled == .response(response))
    #expect(trust.failure == nil)
    let bare = try #require(try handshake(leaf, staple: nil, version: version).serverTrust)
    #expect(bare.stapled == .missing)
    #expect(bare.failure == nil)
  }

  /// Without a promise a staple may be missing or useless; one that says revoked counts all the same.
  @Test func withoutAPromiseOnlyRevokedCounts() throws {
    let root = try Self.root.get()
    let leaf = try root.server()
    let revoked = TestAnswer(.revoked(reason: 1))
    for staple in [
      nil, [1, 2, 3], try root.response(about: leaf, TestAnswer(.unknown)),
      try root.response(about: leaf, revoked.with { ($0.thisUpdate, $0.nextUpdate) = (-9_000, -4_000) }),
      try StatusAuthority("Other").response(about: leaf, revoked),
    ] {
      #expect(try handshake(leaf, staple: staple).serverTrust?.failure == nil)
    }
    let failure = try handshake(leaf, staple: root.response(about: leaf, revoked)).serverTrust?.failure
    #expect(failure?.reason == .revoked)
  }

  @Test(arguments: [TLSVersion.tls12, .tls13]) func aPromiseIsHeld(_ version: TLSVersion) throws {
    let root = try Self.root.get()
    let leaf = try root.server(extensions: [.mustStaple])
    let rows: [(staple: [UInt8]?, reason: TrustFailure.Reason?)] = [
      (try root.response(about: leaf), nil), (nil, .unstapled), ([], .unstapled), ([1, 2, 3], .unstapled),
      (try root.response(about: leaf, TestAnswer(.revoked(reason: 1))), .revoked),
      (try root.response(about: leaf, TestAnswer(.unknown)), .unstapled),
      (
        try root.response(
          about: leaf, TestAnswer().with { ($0.thisUpdate, $0.nextUpdate) = (-9_000, -4_000) }), .unstapled
      ),
      (try StatusAuthority("Other").response(about: leaf), .unstapled),
      (try StatusAuthority.refusal(3), .unstapled),
    ]
    for (index, row) in rows.enumerated() {
      let client = try handshake(leaf, staple: row.staple, version: version)
      #expect(client.serverTrust?.failure?.reason == row.reason, "row \(index)")
      #expect(client.verificationFailure?.reason == row.reason, "row \(index)")
      #expect((client.serverTrust?.verified == nil) == (row.reason != nil), "row \(index)")
    }
  }

  @Test func anAutomaticHandshakeFails() throws {
    let root = try Self.root.get()
    let leaf = try root.server(extensions: [.mustStaple])
    _ = try handshake(leaf, staple: root.response(about: leaf), verification: .automatic)
    let error = #expect(throws: TLSError.self) {
      try handshake(leaf, staple: nil, verification: .automatic)
    }
    guard case .certificateRejected(let failure)? = error?.code else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.text.contains("RFC 7633"))
  }

  /// Who is an anchor itself is trusted as it is, like everywhere where revocation is asked about.
  @Test func anAnchorPromisesNothing() throws {
    let leaf = try Self.root.get().server(extensions: [.mustStaple])
    let client = try TLSContext(
      client: TLSClientConfiguration(anchors: .certificates([Certificate(der: leaf.der)])))
    let identity = try TLSIdentity(chainPEM: Array(leaf.pem.utf8), keyPEM: Array(leaf.keyPEM.utf8))
    let server = try TLSContext(server: TLSServerConfiguration(identity: identity))
    try EnginePair(client: client, server: server).handshake()
  }

  @Test func whereToAsk() throws {
    let root = try Self.root.get()
    let leaf = try Certificate(
      der: root.server(extensions: [
        .mustStaple, .responders("http://ocsp.test/a", "https://ocsp.test/b", "HTTP://ocsp.test/c"),
        .lists("ldap://list.test/x", "http://list.test/y"),
      ]).der)
    #expect(leaf.responders == ["http://ocsp.test/a", "HTTP://ocsp.test/c"])
    #expect(leaf.listLocations == ["http://list.test/y"])
    #expect(leaf.demandsStapling)
    let many = try Certificate(
      der: root.server(extensions: [.lists("http://1/", "http://2/", "http://3/", "http://4/")]).der)
    #expect(many.listLocations.count == 3)
    let bare = try Certificate(der: root.server().der)
    #expect(bare.responders.isEmpty && bare.listLocations.isEmpty && !bare.demandsStapling)
  }
}
