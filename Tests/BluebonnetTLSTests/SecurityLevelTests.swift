// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL
import Testing

@testable import BluebonnetTLS

/// How strong keys and signatures must be is the context's to say, and never less than OpenSSL's level 2.
@Suite struct SecurityLevelTests {
  private func trust(of identity: TLSIdentity, level: Int32) throws -> ServerTrust {
    let client = try Shared.client { $0.verification = .manual }
    SSL_CTX_set_security_level(client.pointer, level)
    let pair = try EnginePair(client: client, server: Shared.server(identity))
    try pair.handshake()
    return try #require(pair.client.serverTrust)
  }

  private func isGood(_ trust: ServerTrust) -> Bool {
    if case .success = trust.evaluate(host: "localhost") { true } else { false }
  }

  @Test func anEvaluationDemandsWhatTheHandshakeDoes() throws {
    let identity = try Shared.authority.get().issue(names: [.dns("localhost")], algorithm: .rsa(bits: 2048))
    let ordinary = try trust(of: identity, level: 2)
    #expect(ordinary.failure == nil)
    #expect(isGood(ordinary))
    // 128 bits, which RSA has with 3072.
    let strict = try trust(of: identity, level: 3)
    #expect(strict.failure != nil)
    #expect(!isGood(strict))
    #expect(isGood(try trust(of: Shared.identity.get(), level: 3)))
  }

  @Test func contextsBeginAtTwo() throws {
    let client = try Shared.client()
    withExtendedLifetime(client) { #expect(SSL_CTX_get_security_level(client.pointer) >= 2) }
  }

  @Test func belowTwoNothingIsBelieved() throws {
    let weak = try Shared.authority.get().issue(names: [.dns("localhost")], algorithm: .rsa(bits: 1024))
    let chain = try ServerTrust(
      host: "localhost", chain: weak.chain, anchors: .certificates([Shared.authority.get().certificate]))
    #expect(chain.failure != nil)
    #expect(!isGood(chain))
  }
}
