// SPDX-License-Identifier: MIT
import BluebonnetTLS
import Testing

@Suite struct ServerTrustTests {
  private func trust(_ identity: TLSIdentity? = nil, host: String = "localhost") throws -> ServerTrust {
    let pair = try EnginePair(
      client: Shared.client { $0.verification = .manual }, server: Shared.server(identity), host: host)
    try pair.handshake()
    return try #require(pair.client.serverTrust)
  }

  private func reason(_ result: Result<[Certificate], TrustFailure>) -> TrustFailure.Reason? {
    if case .failure(let failure) = result { failure.reason } else { nil }
  }

  @Test func theHostIsCheckedOnlyIfOneIsGiven() throws {
    let trust = try trust()
    #expect(reason(trust.evaluate(host: "localhost")) == nil)
    #expect(reason(trust.evaluate(host: "elsewhere.test")) == .wrongHost)
    #expect(reason(trust.evaluate(host: nil)) == nil)
    #expect(reason(trust.evaluate(host: "")) == .other)
  }

  /// To OpenSSL a name that begins with a dot stands for all names below it; to RFC 9525 §6.3 it is none.
  @Test func aDotInFrontIsNoWildcard() throws {
    let identity = try Shared.authority.get().issue(names: [.dns("a.example.test"), .dns("b.a.example.test")])
    let trust = try trust(identity, host: "a.example.test")
    #expect(reason(trust.evaluate(host: "a.example.test")) == nil)
    for host in [".example.test", ".a.example.test", ".test", "."] {
      #expect(reason(trust.evaluate(host: host)) == .other, "\(host)")
    }
  }

  @Test func namedAnchorsJoinTheContextsOrReplaceThem() throws {
    let stranger = try CertificateAuthority(commonName: "Stranger")
    let own = try trust()
    #expect(reason(own.evaluate(host: nil, anchors: [stranger.certificate])) == nil)
    #expect(
      reason(own.evaluate(host: nil, anchors: [stranger.certificate], anchorsOnly: true)) == .unknownIssuer)
    #expect(reason(own.evaluate(host: nil, anchors: [], anchorsOnly: true)) == .unknownIssuer)
    let foreign = try trust(stranger.issue(names: [.dns("localhost")]))
    #expect(reason(foreign.evaluate(host: nil)) == .unknownIssuer)
    #expect(reason(foreign.evaluate(host: nil, anchors: [stranger.certificate])) == nil)
    #expect(reason(foreign.evaluate(host: "x.test", anchors: [stranger.certificate])) == .wrongHost)
  }

  @Test func aLeafAndASelfSignedCertificateCanBeAnchors() throws {
    let leaf = try Shared.identity.get().certificate
    #expect(try trust().evaluate(host: "localhost", anchors: [leaf], anchorsOnly: true).get() == [leaf])
    let alone = try CertificateAuthority.selfSigned(names: [.dns("localhost")])
    let lonely = try trust(alone)
    #expect(reason(lonely.evaluate(host: "localhost")) == .selfSigned)
    let chain = try lonely.evaluate(
      host: "localhost", anchors: [alone.certificate], anchorsOnly: true
    ).get()
    #expect(chain == [alone.certificate])
    #expect(
      reason(lonely.evaluate(host: "x.test", anchors: [alone.certificate], anchorsOnly: true)) == .wrongHost)
  }

  @Test func datesCanBeLeftOut() throws {
    let old = try trust(Shared.authority.get().issue(names: [.dns("localhost")], validity: .expired))
    #expect(reason(old.evaluate(host: "localhost")) == .expired)
    #expect(reason(old.evaluate(host: "localhost", validatesDates: false)) == nil)
  }

  @Test func theChainIsAsPresentedUnlessItHeld() throws {
    let stranger = try CertificateAuthority(commonName: "Stranger").issueAuthority()
    let identity = try stranger.issue(names: [.dns("localhost")])
    #expect(try trust(identity).chain == identity.chain)
    #expect(try trust().chain.count == 2)
  }

  @Test func aChainFromElsewhereIsEvaluatedToo() throws {
    let authority = try Shared.authority.get()
    let leaf = try Shared.identity.get().certificate
    let good = try ServerTrust(
      host: "localhost", chain: [leaf], anchors: .certificates([authority.certificate]))
    #expect(good.failure == nil)
    #expect(good.chain == [leaf, authority.certificate])
    let bad = try ServerTrust(host: "localhost", chain: [leaf], anchors: .certificates([]))
    #expect(bad.failure?.reason == .unknownIssuer)
    let empty = try ServerTrust(host: "localhost", chain: [], anchors: .certificates([]))
    #expect(empty.failure?.reason == .other)
    #expect(empty.leaf == nil)
  }
}
