import BluebonnetFoundation
import BluebonnetTLS
import Synchronization

/// The certificates of a peer, to be judged.
public final class SecTrust: Sendable, Hashable {
  private struct Rules {
    var anchors: [SecCertificate]?
    var anchorsOnly = false
    var policies: [SecPolicy]?
  }

  package let trust: ServerTrust
  private let rules = Mutex(Rules())

  package init(_ trust: ServerTrust) {
    self.trust = trust
  }

  /// The chain, the server's own certificate first: down to its anchor if it held when the connection was
  /// made, otherwise as the server sent it.
  public var certificates: [SecCertificate] { trust.chain.map(SecCertificate.init) }

  /// The public key of the server's own certificate.
  public var publicKey: SecKey? { trust.leaf.map { SecKey($0.publicKey) } }

  /// Certificates to trust from here on, instead of the session's or beside them.
  public func setAnchorCertificates(_ anchors: [SecCertificate], only: Bool) {
    rules.withLock {
      $0.anchors = anchors
      $0.anchorsOnly = only
    }
  }

  /// The rules to judge by; without any, the host name that the connection was made for counts.
  public func setPolicies(_ policies: [SecPolicy]) {
    rules.withLock { $0.policies = policies }
  }

  /// Judges the chain by the anchors and policies that were set.
  ///
  /// - Throws: the first reason against the chain.
  public func evaluate() throws(SecTrustFailure) {
    let rules = self.rules.withLock { $0 }
    let anchors = rules.anchors?.map(\.certificate)
    let hosts = rules.policies?.compactMap(\.demandedHost) ?? [trust.host]
    // No host name demanded: the chain alone is judged.
    for host in hosts.isEmpty ? [nil] : hosts.map(Optional.some) {
      let judgement = trust.evaluate(host: host, anchors: anchors, anchorsOnly: rules.anchorsOnly)
      if case .failure(let failure) = judgement { throw SecTrustFailure(failure) }
    }
  }

  /// Trusts are equal if they are the same.
  public static func == (left: SecTrust, right: SecTrust) -> Bool { left === right }

  /// Feeds the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The code of a Security call.
public typealias OSStatus = Int32
