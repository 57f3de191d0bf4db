import BluebonnetFoundation
import BluebonnetTLS
import BluebonnetLocks

/// The certificates of a peer, to be judged by policies and anchors that may be changed first.
public final class SecTrust: Sendable, Hashable {
  struct Rules: Sendable {
    var policies: [SecPolicy]
    var anchors: [SecCertificate]?
    var anchorsOnly = true
    /// The chain that the last successful evaluation built, anchor included.
    var verifiedChain: [SecCertificate]?
  }

  /// What the handshake found.
  package let serverTrust: ServerTrust
  let rules: Locked<Rules>

  /// Takes what the handshake found; judged as a server's, by the host it was made for.
  package convenience init(_ serverTrust: ServerTrust) {
    self.init(serverTrust, policies: [SecPolicyCreateSSL(true, serverTrust.host)])
  }

  init(_ serverTrust: ServerTrust, policies: [SecPolicy]) {
    self.serverTrust = serverTrust
    rules = Locked(Rules(policies: policies))
  }

  /// The chain, from the peer's own certificate up: as verified, once it is, because a pin must not be met by a
  /// certificate that the peer merely sent along.
  package var certificates: [SecCertificate] {
    rules.withLock { $0.verifiedChain } ?? serverTrust.chain.map(SecCertificate.init)
  }

  /// Judges by all policies; the first objection counts.
  package func evaluate() throws(SecTrustError) {
    let rules = self.rules.withLock { $0 }
    for policy in rules.policies.isEmpty ? [SecPolicyCreateBasicX509()] : rules.policies {
      let host: String?
      switch policy.rule {
      case .server(let name): host = name
      case .basicX509: host = nil
      case .revocation:
        throw SecTrustError(
          status: errSecIncompleteCertRevocationCheck, reason: "revocation cannot be asked about")
      }
      let verdict = serverTrust.evaluate(
        host: host, anchors: rules.anchors?.map(\.certificate), anchorsOnly: rules.anchorsOnly)
      switch verdict {
      case .success(let chain):
        let verified = chain.map(SecCertificate.init)
        self.rules.withLock { $0.verifiedChain = verified }
      case .failure(let failure): throw SecTrustError(failure)
      }
    }
  }

  /// Trusts are equal if they are the same.
  public static func == (left: SecTrust, right: SecTrust) -> Bool { left === right }

  /// Feeds the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
