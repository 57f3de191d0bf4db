// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL
import Testing

@testable import BluebonnetTLS

/// Diffie-Hellman over finite fields is not spoken: the server chooses how large the group is, and with 8192 bits one
/// handshake takes the client more than a second.
@Suite struct KeyExchangeTests {
  private func refuses(_ client: TLSContext, _ server: TLSContext) throws -> TLSError? {
    let pair = try EnginePair(client: client, server: server)
    return #expect(throws: TLSError.self) { try pair.handshake() }
  }

  @Test func notWithTLS12() throws {
    let identity = try Shared.authority.get().issue(
      names: [.dns("localhost")], algorithm: .rsa(bits: 2048))
    let server = try Shared.server(identity) { $0.maximumVersion = .tls12 }
    try #require(SSL_CTX_set_cipher_list(server.pointer, "kDHE") == 1)
    SSL_CTX_ctrl(server.pointer, SSL_CTRL_SET_DH_AUTO, 1, nil)
    #expect(try refuses(Shared.client(), server)?.code == .handshakeFailed)
  }

  @Test(arguments: ["ffdhe2048", "ffdhe3072", "ffdhe4096", "ffdhe6144", "ffdhe8192"])
  func notWithTLS13(group: String) throws {
    let server = try Shared.server { $0.minimumVersion = .tls13 }
    try #require(server.offer(groups: group))
    #expect(try refuses(Shared.client(), server)?.code == .handshakeFailed)
    // Nor as a server, whom clients could keep busy in the same way.
    let client = try Shared.client { $0.minimumVersion = .tls13 }
    try #require(client.offer(groups: group))
    #expect(try refuses(client, Shared.server())?.code == .handshakeFailed)
  }

  @Test(arguments: ["X25519", "P-256", "P-384", "P-521", "X448"], [TLSVersion.tls12, .tls13])
  func curvesAre(group: String, version: TLSVersion) throws {
    let server = try Shared.server { $0.maximumVersion = version }
    try #require(server.offer(groups: group))
    let pair = try EnginePair(client: Shared.client(), server: server)
    // With TLS 1.2 the certificate's curve has to be among them, too.
    if version == .tls13 || group == "P-256" { try pair.handshake() }
  }
}

extension TLSContext {
  /// Offers these groups only, in OpenSSL's syntax.
  fileprivate func offer(groups: String) -> Bool {
    groups.withCString {
      SSL_CTX_ctrl(pointer, SSL_CTRL_SET_GROUPS_LIST, 0, UnsafeMutableRawPointer(mutating: $0)) == 1
    }
  }
}
