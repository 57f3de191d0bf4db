// SPDX-License-Identifier: MIT
import BluebonnetTLS

/// The answer to servers that ask for a certificate: an identity, or that there is none. An object, so that routes to
/// servers that do not ask carry nothing of it; two are the same if they say the same, and both were asked for, or neither: a
/// connection over which an identity was shown is not for requests that have not been asked yet.
package final class CertificateAnswer: Hashable, Sendable {
  /// Nil for no certificate.
  package let identity: TLSIdentity?
  /// Whether the client has not been asked yet: it is for a server that asks when it is too late for that, behind the handshake.
  let isForeseen: Bool
  /// Made once: an identity is hashed by its certificates.
  private let digest: Int

  package init(_ identity: TLSIdentity?, isForeseen: Bool = false) {
    self.identity = identity
    self.isForeseen = isForeseen
    digest = identity.hashValue
  }

  package static func == (left: CertificateAnswer, right: CertificateAnswer) -> Bool {
    left === right
      || left.digest == right.digest && left.isForeseen == right.isForeseen && left.identity == right.identity
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
