import BluebonnetTLS

/// What servers are told that ask for a certificate: an identity, or that there is none. An object, so that routes to
/// servers that do not ask carry nothing of it; two are the same if they say the same.
package final class CertificateAnswer: Hashable, Sendable {
  /// Nil for nobody.
  package let identity: TLSIdentity?
  /// Made once: an identity is hashed by its certificates.
  private let digest: Int

  package init(_ identity: TLSIdentity?) {
    self.identity = identity
    digest = identity.hashValue
  }

  package static func == (left: CertificateAnswer, right: CertificateAnswer) -> Bool {
    left === right || left.digest == right.digest && left.identity == right.identity
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
