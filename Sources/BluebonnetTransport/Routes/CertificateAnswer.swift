import BluebonnetTLS

/// What servers are told that ask for a certificate: an identity, or that there is none. An object, so that routes to
/// servers that do not ask carry nothing of it; two are the same if they say the same, and both were asked for, or neither: a
/// connection over which somebody was shown is for nobody who has not been asked yet.
package final class CertificateAnswer: Hashable, Sendable {
  /// Nil for nobody.
  package let identity: TLSIdentity?
  /// Whether nobody has been asked yet: it is for a server that asks when nobody can be asked any more, behind the handshake.
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
