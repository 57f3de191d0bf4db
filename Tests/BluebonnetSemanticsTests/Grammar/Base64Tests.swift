// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

@Suite struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg", "foob"),
    ("dXNlcjpwYXNz", "user:pass"),
  ])
  func base64IsDecoded(encoded: String, decoded: String) {
    #expect(Base64.decode(encoded) == Array(decoded.utf8))
  }

  @Test(arguments: ["Z", "Zm9v!", "Zg==Zg", "Zm9vY", "===="])
  func otherTextIsNone(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  /// RFC 4648 §10, and bytes of every value.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func bytesAreEncoded(_ text: String, _ encoded: String) {
    #expect(Base64.encode(text.utf8) == encoded)
  }

  @Test func whatIsEncodedIsDecodedAgain() {
    for count in 0...300 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) }
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
  }
}
