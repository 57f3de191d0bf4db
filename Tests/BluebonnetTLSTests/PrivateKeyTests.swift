// SPDX-License-Identifier: MIT
import BluebonnetTLS
import Testing

@Suite struct PrivateKeyTests {
  @Test(arguments: [PrivateKey.Algorithm.ellipticP256, .rsa(bits: 2048)])
  func encodingsRoundTrip(algorithm: PrivateKey.Algorithm) throws {
    let key = try PrivateKey(generating: algorithm)
    #expect(try PrivateKey(pem: key.pem) == key)
    #expect(try PrivateKey(der: key.der) == key)
    #expect(try PrivateKey(pem: key.pem).der == key.der)
    #expect(Set([key, try PrivateKey(pem: key.pem)]).count == 1)
    #expect(key.description == "PrivateKey", "no description may show the secret")
  }

  @Test func twoKeysDiffer() throws {
    #expect(try PrivateKey(generating: .ellipticP256) != PrivateKey(generating: .ellipticP256))
  }

  @Test(arguments: ["", "nonsense", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
  func brokenKeysAreRefused(text: String) {
    let error = #expect(throws: TLSError.self) { try PrivateKey(pem: text) }
    #expect(error?.code == .invalidKey)
    #expect(throws: TLSError.self) { try PrivateKey(der: Array(text.utf8)) }
  }

  /// `openssl pkcs8 -topk8 -v2 aes-128-cbc -passout pass:bluebonnet` of a P-256 key.
  private let encrypted = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAi9ss/PvHRxuAICCAAw
    DAYIKoZIhvcNAgkFADAdBglghkgBZQMEAQIEEKTe+/Cn8mdOxwkU/csvdS0EgZAZ
    mA68RAbyNGmDZolu00RcK7CMgYFFkhlg4eMxKrlxTgHUQFTRFzRVNImGuXKgp63Z
    6iOMyB6UsRqZ0zdo6QLiSF0bkq8OICNCUDhoGDKGbN+jt0r1ehZ2PrUUi/K43DTi
    X8cInCDhFdkkqzLFcUWRGISi4Lvs8BTpZFQoLOMRavzOiaK9SC4CZ8127u09r4A=
    -----END ENCRYPTED PRIVATE KEY-----
    """

  @Test func anEncryptedKeyOpensWithItsPasswordOnly() throws {
    #expect(try PrivateKey(pem: encrypted, password: "bluebonnet").der.isEmpty == false)
    let error = #expect(throws: TLSError.self) {
      try PrivateKey(encoded: Array(encrypted.utf8), password: "bluebonne")
    }
    #expect(error?.code == .wrongPassword)
    #expect(error?.description == "the password does not open the key")
    // Without one it fails at once, instead of asking on the terminal.
    #expect(throws: TLSError.self) { try PrivateKey(pem: encrypted) }
    #expect(throws: TLSError.self) {
      try PrivateKey(pem: encrypted, password: String(repeating: "x", count: 5000))
    }
  }
}
