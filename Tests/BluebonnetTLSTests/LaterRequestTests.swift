// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL
import Testing

@testable import BluebonnetTLS

/// A server of TLS 1.3 may ask for a certificate in the middle of a connection (RFC 8446 §4.6.2) where the client says so.
@Suite struct LaterRequestTests {
  /// A server that did not ask in the handshake, and asks now.
  private func asked(_ answers: Bool, as identity: TLSIdentity?) throws -> EnginePair {
    let anchors = [try Shared.authority.get().certificate]
    let pair = try EnginePair(
      client: Shared.client {
        $0.verification = .manual
        $0.settings.answersPostHandshake = answers
      }, server: Shared.server { $0.clientCertificates = .required(anchors: anchors) }, as: identity)
    SSL_set_verify(
      pair.server.ssl, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT | SSL_VERIFY_POST_HANDSHAKE, nil)
    try pair.handshake()
    #expect(pair.client.certificateRequest == nil)
    _ = try pair.deliver(from: pair.server, to: pair.client)
    try pair.client.mayBeAskedLater()
    return pair
  }

  @Test func itIsToldWhatWasKnown() throws {
    let identity = try Shared.authority.get().issue(commonName: "later", names: [.dns("later.test")])
    let pair = try asked(true, as: identity)
    #expect(SSL_verify_client_post_handshake(pair.server.ssl) == 1)
    #expect(SSL_do_handshake(pair.server.ssl) == 1)
    _ = try pair.deliver(from: pair.server, to: pair.client)
    _ = try pair.deliver(from: pair.client, to: pair.server)
    #expect(pair.server.peerCertificate == identity.certificate)
  }

  /// Then OpenSSL does not let the server ask at all.
  @Test func withoutAWordTheServerMayNot() throws {
    let pair = try asked(false, as: nil)
    #expect(SSL_verify_client_post_handshake(pair.server.ssl) == 0)
    ERR_clear_error()
  }

  @Test func nobodyIsRefused() throws {
    let pair = try asked(true, as: nil)
    #expect(SSL_verify_client_post_handshake(pair.server.ssl) == 1)
    #expect(SSL_do_handshake(pair.server.ssl) == 1)
    _ = try pair.deliver(from: pair.server, to: pair.client)
    #expect(throws: TLSError.self) { try pair.deliver(from: pair.client, to: pair.server) }
    let error = #expect(throws: TLSError.self) { try pair.deliver(from: pair.server, to: pair.client) }
    #expect(error?.code == .clientCertificateRequired)
  }
}
