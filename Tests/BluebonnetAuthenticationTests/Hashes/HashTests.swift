// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetAuthentication

@Suite struct HashTests {
  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// RFC 1320, appendix A.5.
  @Test(arguments: [
    ("", "31d6cfe0d16ae931b73c59d7e0c089c0"), ("a", "bde52cb31de33e46245e05fbdbd6fb24"),
    ("abc", "a448017aaf21d8525fc10ae87aa6729d"), ("message digest", "d9130a8164549fe818874806e1c7014b"),
    ("abcdefghijklmnopqrstuvwxyz", "d79e1c308aa5bbcdeea8ed63df412da9"),
    (
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "043f8582f241db351ce627e153e7f0e4"
    ),
    (
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "e33b4ddc9c38f2199c3e7b164fcc0536"
    ),
  ])
  func md4(_ text: String, _ digest: String) {
    #expect(hexadecimal(MD4.digest(Array(text.utf8))) == digest)
  }

  /// RFC 2202 §2, the first three cases.
  @Test(arguments: [
    ([UInt8](repeating: 0x0B, count: 16), Array("Hi There".utf8), "9294727a3638bb1c13f48ef8158bfc9d"),
    (Array("Jefe".utf8), Array("what do ya want for nothing?".utf8), "750c783e6ab0b503eaa86e310a5db738"),
    (
      [UInt8](repeating: 0xAA, count: 16), [UInt8](repeating: 0xDD, count: 50),
      "56be34521d144c88dbb8c733f0e8b3f6"
    ),
  ])
  func hmacMD5(_ key: [UInt8], _ bytes: [UInt8], _ code: String) {
    #expect(HMACMD5.code(bytes, key: key).map(hexadecimal) == code)
  }

  @Test(arguments: [
    (HashFunction.md5, "900150983cd24fb0d6963f7d28e17f72"),
    (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (.sha512Half, "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
  ])
  func hashesOfABC(_ function: HashFunction, _ digest: String) {
    #expect(function.hexadecimal(Array("abc".utf8)) == Array(digest.utf8))
  }
}
