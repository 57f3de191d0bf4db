// SPDX-License-Identifier: MIT
import Foundation
import CBluebonnetOpenSSL
import Testing

@testable import BluebonnetTLS

@Suite struct TLSIdentityTests {
  @Test func aKeyOfAnotherCertificateIsRefused() throws {
    let certificate = try Shared.identity.get().certificate
    let stranger = try PrivateKey(generating: .ellipticP256)
    let error = #expect(throws: TLSError.self) {
      try TLSIdentity(chain: [certificate], privateKey: stranger)
    }
    #expect(error?.code == .invalidKey)
    #expect(throws: TLSError.self) { try TLSIdentity(chain: [], privateKey: stranger) }
  }

  @Test func readsWhatServersKeepInFiles() throws {
    let identity = try Shared.authority.get().issueAuthority().issue(names: [.dns("localhost")])
    let read = try TLSIdentity(
      chainPEM: Array(identity.chainPEM.utf8), keyPEM: Array(identity.privateKey.pem.utf8))
    #expect(read == identity)
    #expect(read.chain.count == 2)
  }

  /// Who has written a file may ask for as many rounds as fit into a number: it is refused before any is made.
  @Test func roundsOfHashingAreLimited() throws {
    let identity = try Shared.identity.get()
    let archive = PKCS12_create(
      "secret", nil, identity.privateKey.key, identity.certificate.x509, nil, 0, 0, 65_536, 65_536, 0)
    let bytes = derBytes { i2d_PKCS12(archive, $0) } ?? []
    PKCS12_free(archive)
    #expect(try TLSIdentity(pkcs12: bytes, password: "secret") == identity)
    // Of the certificates, of the key and of the whole.
    let places = bytes.places(of: [2, 3, 1, 0, 0])
    #expect(places.count == 3)
    for place in places {
      let error = #expect(throws: TLSError.self) {
        try TLSIdentity(pkcs12: bytes.asking(for: [0x7F, 0xFF, 0xFF], at: place), password: "secret")
      }
      #expect(error?.reason.contains("rounds") == true)
    }
  }

  @Test func norDoesAKeyAskForTooMany() throws {
    let key = try Shared.identity.get().privateKey
    let plain = EVP_PKEY2PKCS8(key.key)
    let sealed = PKCS8_encrypt(-1, EVP_aes_256_cbc(), "secret", 6, nil, 0, 65_536, plain)
    PKCS8_PRIV_KEY_INFO_free(plain)
    let bytes = derBytes { i2d_X509_SIG(sealed, $0) } ?? []
    X509_SIG_free(sealed)
    #expect(try PrivateKey(der: bytes, password: "secret") == key)
    let place = try #require(bytes.places(of: [2, 3, 1, 0, 0]).first)
    let greedy = bytes.asking(for: [0x7F, 0xFF, 0xFF], at: place)
    let text = Data(greedy).base64EncodedString(options: .lineLength64Characters)
    let pem = "-----BEGIN ENCRYPTED PRIVATE KEY-----\n\(text)\n-----END ENCRYPTED PRIVATE KEY-----\n"
    // OpenSSL goes on to the next where one does not open.
    let other = try #require(
      MemoryBIO.writing {
        PEM_write_bio_PKCS8PrivateKey($0, key.key, EVP_aes_256_cbc(), "other", 5, nil, nil) == 1
      })
    for form in [greedy, Array(pem.utf8), other + Array(pem.utf8)] {
      let error = #expect(throws: TLSError.self) { try PrivateKey(encoded: form, password: "secret") }
      #expect(error?.reason.contains("rounds") == true)
    }
    let folder = try AnchorFolder()
    for (name, bytes) in [("key.der", Data(greedy)), ("key.pem", Data(pem.utf8))] {
      try bytes.write(to: URL(fileURLWithPath: folder.path(of: name)))
      for uri in ["", "file:", "file://", "file://localhost"].map({ $0 + folder.path(of: name) }) {
        let error = #expect(throws: TLSError.self) { try PrivateKey(uri: uri, password: "secret") }
        #expect(error?.reason.contains("rounds") == true, "\(uri)")
      }
    }
  }

  /// RFC 7914: OpenSSL limits the memory that scrypt takes, and not how often it goes through it.
  @Test func norDoesScrypt() throws {
    let key = try Shared.identity.get().privateKey
    let plain = EVP_PKEY2PKCS8(key.key)
    let derivation = PKCS5_pbe2_set_scrypt(EVP_aes_256_cbc(), nil, 0, nil, 256, 1, 257)
    let sealed = PKCS8_set0_pbe("secret", 6, plain, derivation)
    PKCS8_PRIV_KEY_INFO_free(plain)
    let bytes = derBytes { i2d_X509_SIG(sealed, $0) } ?? []
    X509_SIG_free(sealed)
    #expect(try PrivateKey(der: bytes, password: "secret") == key)
    let place = try #require(bytes.places(of: [2, 2, 1, 0, 2, 1, 1, 2, 2, 1, 1]).first)
    var greedy = bytes
    greedy.replaceSubrange(place..<(place + 11), with: [2, 2, 0x40, 0, 2, 1, 1, 2, 2, 0x3E, 0x80])
    let error = #expect(throws: TLSError.self) { try PrivateKey(der: greedy, password: "secret") }
    #expect(error?.reason.contains("rounds") == true)
  }

  /// RFC 9579: what proves an archive whole may be derived like a key.
  @Test func norDoesTheProofOfAnArchive() throws {
    func der(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
      let content = parts.flatMap(\.self)
      return [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    }
    let null: [UInt8] = [5, 0]
    let hmac = der(0x30, [6, 8, 42, 134, 72, 134, 247, 13, 2, 9], null)
    let derivation = der(
      0x30, [6, 9, 42, 134, 72, 134, 247, 13, 1, 5, 12],
      der(0x30, [4, 1, 7], [2, 4, 0x7F, 0xFF, 0xFF, 0xFF], [2, 1, 32], hmac))
    let algorithm = der(0x30, [6, 9, 42, 134, 72, 134, 247, 13, 1, 5, 14], der(0x30, derivation, hmac))
    let safes = der(
      0x30, [6, 9, 42, 134, 72, 134, 247, 13, 1, 7, 1], der(0xA0, der(4, der(0x30))))
    let archive = der(
      0x30, [2, 1, 3], safes,
      der(0x30, der(0x30, algorithm, der(4, [UInt8](repeating: 1, count: 32))), [4, 1, 7], [2, 1, 1]))
    let error = #expect(throws: TLSError.self) { try TLSIdentity(pkcs12: archive, password: "secret") }
    #expect(error?.reason.contains("rounds") == true)
  }

  @Test func brokenArchivesAreRefused() throws {
    let error = #expect(throws: TLSError.self) { try TLSIdentity(pkcs12: [1, 2, 3], password: "") }
    #expect(error?.code == .invalidCertificate)
  }
}

extension [UInt8] {
  fileprivate func places(of pattern: [UInt8]) -> [Int] {
    indices.filter { self[$0...].starts(with: pattern) }
  }

  /// With another number behind the two bytes that say that there is one.
  fileprivate func asking(for rounds: [UInt8], at place: Int) -> [UInt8] {
    var copy = self
    copy.replaceSubrange((place + 2)..<(place + 2 + rounds.count), with: rounds)
    return copy
  }
}
