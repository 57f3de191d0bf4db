// SPDX-License-Identifier: MIT

// A file with certificates and a key may hold anything. Nobody is asked for a password, and what is read is the same when it is
// written again.

@testable import BluebonnetTLS

enum PEMInvariant {
  static func violation(_ input: [UInt8]) -> String? {
    if let certificates = try? Certificate.bundle(pem: input) {
      let text = certificates.map(\.pem).joined()
      guard (try? Certificate.bundle(pem: Array(text.utf8))) == certificates else {
        return "\(certificates.count) certificates are not read again"
      }
    }
    // Without a password, an encrypted key stays shut.
    if let key = try? PrivateKey(encoded: input), !key.pem.isEmpty,
      (try? PrivateKey(pem: key.pem)) != key
    {
      return "the key is not read again"
    }
    guard let identity = try? TLSIdentity(certificates: input, key: input) else { return nil }
    return problem(of: identity)
  }

  static func problem(of identity: TLSIdentity) -> String? {
    // What is too strange to be written is not compared.
    guard !identity.privateKey.pem.isEmpty, identity.chain.allSatisfy({ !$0.der.isEmpty }) else { return nil }
    do {
      let again = try TLSIdentity(
        chainPEM: Array(identity.chainPEM.utf8), keyPEM: Array(identity.privateKey.pem.utf8))
      return again == identity ? nil : "\(identity.certificate) is read again as \(again.certificate)"
    } catch {
      return "\(identity.certificate) is not read again: \(error)"
    }
  }
}
