// SPDX-License-Identifier: MIT
import BluebonnetTLS
import CBluebonnetOpenSSL

/// An authority that also says what has become of its certificates, as real ones do: with any extensions, OCSP responses and
/// revocation lists, good and bad.
package struct StatusAuthority: Sendable {
  let certificate: TestCertificate
  let key: TestKey

  /// A root, or with an issuer one below it.
  package init(
    _ name: String = "Status Root", below issuer: StatusAuthority? = nil,
    extensions: [TestExtension] = [.authority, .keyUsage("keyCertSign,cRLSign,digitalSignature")],
    key algorithm: PrivateKey.Algorithm = .ellipticP256
  ) throws {
    key = try TestKey(algorithm)
    certificate = try TestCertificate(
      name, key: key, issuer: issuer, extensions: [.subjectKey] + extensions)
  }

  package var pem: String { certificate.pem }
  package var der: [UInt8] { certificate.der }

  /// A certificate of this authority's.
  ///
  /// - Parameters:
  ///   - serial: Its number.
  ///   - days: When it holds, counted from now.
  package func issue(
    _ name: String = "leaf", serial: Int = 4_711, _ extensions: [TestExtension] = [],
    days: ClosedRange<Int> = -1...90
  ) throws -> StatusLeaf {
    let key = try TestKey()
    let made = try TestCertificate(
      name, serial: serial, key: key, issuer: self, extensions: extensions, days: days)
    return StatusLeaf(certificate: made, key: key)
  }

  /// A server's certificate for these names.
  package func server(
    _ names: String = "DNS:localhost,IP:127.0.0.1", serial: Int = 4_711, extensions: [TestExtension] = []
  ) throws -> StatusLeaf {
    try issue(
      "server", serial: serial,
      [.names(names), .keyUsage("digitalSignature"), .extendedKeyUsage("serverAuth")] + extensions)
  }

  /// Somebody who answers in this authority's place.
  package func responder(
    _ extensions: [TestExtension] = [.extendedKeyUsage("OCSPSigning")], days: ClosedRange<Int> = -1...90
  ) throws -> StatusLeaf {
    try issue("responder", serial: 99, [.keyUsage("digitalSignature")] + extensions, days: days)
  }
}

/// A certificate with its key.
package struct StatusLeaf: Sendable {
  package let certificate: TestCertificate
  package let key: TestKey

  package var pem: String { certificate.pem }
  package var der: [UInt8] { certificate.der }
  package var keyPEM: String { key.pem }
}
