/// A public key as its SubjectPublicKeyInfo, algorithm included (RFC 5280 §4.1.2.7).
package struct PublicKey: Sendable, Hashable {
  package let der: [UInt8]

  package init(der: [UInt8]) {
    self.der = der
  }
}
