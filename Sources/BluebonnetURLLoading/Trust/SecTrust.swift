import BluebonnetFoundation
import BluebonnetTLS
import Synchronization

/// The certificates of a peer, to be judged by policies and anchors that may be changed first.
public final class SecTrust: Sendable, Hashable {
  struct Rules: Sendable {
    var policies: [SecPolicy]
    var anchors: [SecCertificate]?
    var anchorsOnly = true
  }

  /// What the handshake found.
  package let serverTrust: ServerTrust
  let rules: Mutex<Rules>

  /// Takes what the handshake found; judged as a server's, by the host it was made for.
  package convenience init(_ serverTrust: ServerTrust) {
    self.init(serverTrust, policies: [SecPolicyCreateSSL(true, serverTrust.host)])
  }

  init(_ serverTrust: ServerTrust, policies: [SecPolicy]) {
    self.serverTrust = serverTrust
    rules = Mutex(Rules(policies: policies))
  }

  /// The chain, from the peer's own certificate up.
  package var certificates: [SecCertificate] { serverTrust.chain.map(SecCertificate.init) }

  /// Judges by all policies; the first objection counts.
  package func evaluate() throws(SecTrustError) {
    let rules = rules.withLock { $0 }
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
      if case .failure(let failure) = verdict { throw SecTrustError(failure) }
    }
  }

  /// Trusts are equal if they are the same.
  public static func == (left: SecTrust, right: SecTrust) -> Bool { left === right }

  /// Feeds the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
