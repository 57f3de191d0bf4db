import BluebonnetFoundation
import BluebonnetTLS
import BluebonnetLocks

/// The certificates of a peer, to be evaluated by policies and anchors that may be changed first.
public final class SecTrust: Sendable, Hashable {
  struct Rules: Sendable {
    var policies: [SecPolicy]
    var anchors: [SecCertificate]?
    var anchorsOnly = false
    /// When the certificates have to be valid, in seconds since 1970; `nil` for the time of the evaluation.
    var verifyTime: Int64?
    /// What the latest evaluation under these rules found; `.invalid` as long as there was none.
    fileprivate(set) var result = SecTrustResultType.invalid
    /// The chain that is known under these rules: verified, anchor included, if they hold, otherwise as far as
    /// signatures lead; `nil` as long as nobody has looked.
    fileprivate(set) var chain: [SecCertificate]?
    /// Counts the changes, so that what was found under older rules is not kept under newer ones.
    fileprivate var version = 0

    /// The anchors beside the system's, or instead of them.
    fileprivate var ownAnchors: [Certificate]? {
      anchors?.map(\.certificate) ?? (anchorsOnly ? [] : nil)
    }
  }

  /// What the handshake found.
  package let serverTrust: ServerTrust
  /// What counts as long as there are no others: an empty list must not drop the check of the host.
  private let ownPolicies: [SecPolicy]
  private let rules: Locked<Rules>

  /// Takes what the handshake found; evaluated as a server's, by the host it was made for.
  package convenience init(_ serverTrust: ServerTrust) {
    self.init(serverTrust, policies: [SecPolicyCreateSSL(true, serverTrust.host)])
  }

  init(_ serverTrust: ServerTrust, policies: [SecPolicy]) {
    self.serverTrust = serverTrust
    ownPolicies = policies
    var rules = Rules(policies: policies)
    rules.chain = serverTrust.verified?.map(SecCertificate.init)
    self.rules = Locked(rules)
  }

  /// Changes policies or anchors, and takes back what was found under those before.
  func change(_ body: (inout Rules) -> Void) {
    rules.withLock { rules in
      body(&rules)
      rules.version += 1
      rules.chain = nil
      rules.result = .invalid
    }
  }

  /// What the latest evaluation found; `.invalid` if there was none since anything was changed.
  var result: SecTrustResultType { rules.withLock { $0.result } }

  /// The chain, from the peer's own certificate up, each signed by the next; as verified, if it is. A pin must not be
  /// met by a certificate that the peer merely sent along.
  package var certificates: [SecCertificate] {
    let rules = self.rules.withLock { $0 }
    if let chain = rules.chain { return chain }
    let path = serverTrust.path(anchors: rules.ownAnchors, anchorsOnly: rules.anchorsOnly)
      .map(SecCertificate.init)
    // Not over what an evaluation has found meanwhile.
    self.rules.withLock { if $0.version == rules.version, $0.chain == nil { $0.chain = path } }
    return path
  }

  /// Evaluates by all policies; the first objection counts.
  package func evaluate() throws(SecTrustError) {
    let rules = self.rules.withLock { $0 }
    var found: (result: SecTrustResultType, chain: [SecCertificate]?) = (.recoverableTrustFailure, nil)
    // Unless all of them agree, an earlier result is taken back.
    defer {
      self.rules.withLock { if $0.version == rules.version { ($0.result, $0.chain) = found } }
    }
    var chain: [Certificate] = []
    for policy in rules.policies.isEmpty ? ownPolicies : rules.policies {
      do {
        chain = try evaluate(by: policy, under: rules)
      } catch {
        if error.status == errSecCertificateRevoked { found.result = .fatalTrustFailure }
        throw error
      }
    }
    found = (.unspecified, chain.map(SecCertificate.init))
  }

  private func evaluate(by policy: SecPolicy, under rules: Rules) throws(SecTrustError) -> [Certificate] {
    let (host, purpose): (String?, CertificatePurpose)
    switch policy.rule {
    case .server(let name): (host, purpose) = (name, .server)
    case .client(let name): (host, purpose) = (name, .client)
    case .basicX509: (host, purpose) = (nil, .any)
    case .revocation:
      throw SecTrustError(
        status: errSecIncompleteCertRevocationCheck, reason: "revocation cannot be asked about")
    }
    let result = serverTrust.evaluate(
      host: host, anchors: rules.ownAnchors, anchorsOnly: rules.anchorsOnly, at: rules.verifyTime,
      for: purpose)
    switch result {
    case .success(let chain): return chain
    case .failure(let failure): throw SecTrustError(failure)
    }
  }

  /// Trusts are equal if they are the same.
  public static func == (left: SecTrust, right: SecTrust) -> Bool { left === right }

  /// Hashes the identity: two are equal only if they are the same object.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
