// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import BluebonnetTLS

/// Revocation lists beside the authorities of a file are used.
@Suite struct RevocationListTests {
  /// A case of x509-limbo: one anchor with its list, one certificate.
  private struct Scene {
    let anchor: String
    let list: String
    let leaf: TLSIdentity
    let host: String

    init(_ id: String) throws {
      let row = try #require(LimboTests.cases.first { $0.id == id })
      anchor = try #require(row.trusted_certs.first)
      list = try #require(row.crls.first)
      leaf = try TLSIdentity(
        chainPEM: Array(row.peer_certificate.utf8), keyPEM: Array(#require(row.peer_certificate_key).utf8))
      host = try #require(row.expected_peer_name?.value)
    }
  }

  private func trust(_ leaf: TLSIdentity, host: String, in texts: [String]) throws -> ServerTrust {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).pem")
    try Data(texts.joined(separator: "\n").utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let client = try TLSContext(
      client: TLSClientConfiguration(anchors: .file(file.path), verification: .manual))
    let pair = try EnginePair(client: client, server: Shared.server(leaf), host: host)
    try pair.handshake()
    return try #require(pair.client.serverTrust)
  }

  @Test func whatIsRevokedIsRefused() throws {
    let scene = try Scene("crl::revoked-certificate-with-crl")
    let listed = try trust(scene.leaf, host: scene.host, in: [scene.anchor, scene.list])
    #expect(listed.failure?.reason == .revoked)
    #expect(throws: TrustFailure.self) { try listed.evaluate(host: nil).get() }
    // Also by anchors of an evaluator's.
    let anchor = try Certificate(pem: scene.anchor)
    for anchorsOnly in [true, false] {
      let verdict = listed.evaluate(host: nil, anchors: [anchor], anchorsOnly: anchorsOnly)
      let failure = #expect(throws: TrustFailure.self) { try verdict.get() }
      #expect(failure?.reason == .revoked)
    }
    // Without the list nobody can know.
    #expect(try trust(scene.leaf, host: scene.host, in: [scene.anchor]).failure == nil)
  }

  @Test func whatIsNotOnTheListIsGood() throws {
    let scene = try Scene("crl::certificate-not-on-crl")
    #expect(try trust(scene.leaf, host: scene.host, in: [scene.anchor, scene.list]).failure == nil)
  }

  @Test func issuersWithoutAListAreNotAffected() throws {
    let scene = try Scene("crl::certificate-not-on-crl")
    let authority = try Shared.authority.get()
    let texts = [scene.anchor, scene.list, authority.certificate.pem]
    #expect(try trust(Shared.identity.get(), host: "localhost", in: texts).failure == nil)
    let below = try authority.issueAuthority().issue(names: [.dns("localhost")])
    #expect(try trust(below, host: "localhost", in: texts).failure == nil)
  }

  /// Whom somebody names as an anchor is trusted, whatever its issuer's list would say.
  @Test func anAnchorIsNotAskedAbout() throws {
    let scene = try Scene("crl::certificate-not-on-crl")
    let listed = try trust(scene.leaf, host: scene.host, in: [scene.anchor, scene.list])
    let chain = try listed.evaluate(
      host: scene.host, anchors: [scene.leaf.certificate], anchorsOnly: true
    ).get()
    #expect(chain == [scene.leaf.certificate])
  }

  @Test func aListOfAnotherKeyIsNoList() throws {
    let scene = try Scene("crl::certificate-not-on-crl")
    let other = try Scene("crl::issuer-missing-crlsign")
    // Same issuer's name, another's signature: it cannot be found out what is revoked.
    #expect(try trust(scene.leaf, host: scene.host, in: [scene.anchor, other.list]).failure != nil)
  }
}
