// SPDX-License-Identifier: MIT
import BluebonnetTLS
import Testing

/// Keys that OpenSSL finds by an address, and identities in the ways that they are written.
@Suite struct KeyAddressTests {
  private static let folder = "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")

  private func path(_ name: String) -> String { "/\(Self.folder)/Fixtures/tls/\(name)" }

  @Test func aFileHasAnAddress() throws {
    let key = try PrivateKey(uri: "file:\(path("client.key"))")
    #expect(try key == PrivateKey(uri: "file:\(path("client.key"))", password: "not needed"))
    #expect(try key == PrivateKey(uri: "file:\(path("client.p12"))", password: "bluebonnet"))
    #expect(try key != PrivateKey(uri: "file:\(path("server.key"))"))
  }

  /// Nothing of an address is repeated: it may hold a PIN.
  @Test(
    arguments: [
      ("pkcs11:token=a;pin-value=1234", "\"pkcs11:\""), ("nothing:1234", "\"nothing:\""), ("1234", ""),
      ("file:/nowhere/1234", "file"), ("org.openssl.engine:1234:1234", "\"org.openssl.engine:\""), ("", ""),
    ]) func whatCannotBeLoadedIsSaid(uri: String, words: String)
  {
    let error = #expect(throws: TLSError.self) { try PrivateKey(uri: uri) }
    #expect(error?.code == .invalidKey && error?.fault == .caller)
    #expect(error?.reason.contains("1234") == false)
    #expect(words.isEmpty || error?.reason.contains(words) == true)
  }

  @Test func aCertificateIsNoKey() {
    let error = #expect(throws: TLSError.self) { try PrivateKey(uri: "file:\(path("client.pem"))") }
    #expect(error?.code == .invalidKey)
  }

  @Test func formsOfOneIdentity() throws {
    let identity = try Shared.identity.get()
    let (chain, key) = (Array(identity.chainPEM.utf8), Array(identity.privateKey.pem.utf8))
    #expect(try TLSIdentity(certificates: chain, key: key) == identity)
    #expect(try TLSIdentity(certificates: chain + key, key: chain + key, password: "unneeded") == identity)
    let der = identity.privateKey.der
    #expect(try TLSIdentity(certificates: identity.certificate.der, key: der) == identity)
    #expect(try TLSIdentity(certificates: chain, key: der, password: "unneeded") == identity)
    for (certificates, key) in [([], key), (chain, []), (key, chain), (chain, chain), (der, der)] {
      let error = #expect(throws: TLSError.self) { try TLSIdentity(certificates: certificates, key: key) }
      #expect(error?.fault == .caller)
    }
  }

  @Test func sessionsAreBoundedInBytes() throws {
    let pair = try EnginePair(
      client: Shared.client { $0.maximumVersion = .tls12 }, server: Shared.server())
    try pair.handshake()
    let session = try #require(pair.client.takeSessions().last)
    let one = TLSSessionCache<Int>()
    one.insert(session, for: 0)
    let size = one.byteCount
    #expect(size > 512)
    let cache = TLSSessionCache<Int>(byteLimit: 3 * size)
    for origin in 0..<5 { cache.insert(session, for: origin) }
    #expect(cache.originCount == 3 && cache.byteCount == 3 * size)
    #expect(cache.session(for: 1) == nil && cache.session(for: 2) != nil)
    cache.remove(2)
    #expect(cache.byteCount == 2 * size)
    cache.removeAll()
    #expect(cache.byteCount == 0)
    let none = TLSSessionCache<Int>(byteLimit: size - 1)
    none.insert(session, for: 0)
    #expect(none.originCount == 0)
  }
}
