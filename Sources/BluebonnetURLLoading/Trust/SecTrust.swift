// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetTLS
import BluebonnetLocks

/// The certificates of a peer, to be evaluated by policies and anchors that may be changed first.
public final class SecTrust: Sendable, Hashable {
  struct Rules: Sendable {
    var policies: [SecPolicy]
    var anchors: [SecCertificate]?
    var anchorsOnly = false
    /// The time at which the certificates have to be valid, in seconds since 1970; `nil` for that of the evaluation.
    var verifyTime: Int64?
    /// The result of the latest evaluation under these rules; `.invalid` as long as there was none.
    fileprivate(set) var result = SecTrustResultType.invalid
    /// In the place of what the server has stapled.
    var ownStaple: [UInt8]?
    /// Seconds that asking about revocation may take in all.
    var revocationPatience = RevocationEvaluation.patience
    /// The chain that is known under these rules: verified, anchor included, if they hold, otherwise as far as
    /// signatures lead; `nil` as long as it was not asked for.
    fileprivate(set) var chain: [SecCertificate]?
    /// Counts the changes, so that results under older rules are not kept under newer ones.
    fileprivate var version = 0

    /// The anchors beside the system's, or instead of them.
    fileprivate var ownAnchors: [Certificate]? {
      anchors?.map(\.certificate) ?? (anchorsOnly ? [] : nil)
    }
  }

  /// The handshake's findings.
  package let serverTrust: ServerTrust
  /// The policies that count as long as there are no others: an empty list must not drop the check of the host.
  private let ownPolicies: [SecPolicy]
  private let rules: Locked<Rules>
  /// Whether questions about revocation may go into private networks.
  private let mayStayPrivate: Bool
  /// The service for questions about revocation.
  private let revocation: RevocationService

  /// Takes the handshake's findings; evaluated as a server's, by the host it was made for.
  ///
  /// - Parameters:
  ///   - serverTrust: The handshake's findings.
  ///   - peer: The address that the server was reached at; nil through a proxy.
  ///   - revocation: The service for questions about revocation.
  package convenience init(
    _ serverTrust: ServerTrust, peer: SocketAddress? = nil, revocation: RevocationService = .shared
  ) {
    self.init(
      serverTrust, policies: [SecPolicyCreateSSL(true, serverTrust.host)], peer: peer, revocation: revocation)
  }

  init(
    _ serverTrust: ServerTrust, policies: [SecPolicy], peer: SocketAddress? = nil,
    revocation: RevocationService = .shared
  ) {
    mayStayPrivate = RevocationReach.includesPrivateNetworks(host: serverTrust.host, peer: peer)
    self.revocation = revocation
    self.serverTrust = serverTrust
    ownPolicies = policies
    var rules = Rules(policies: policies)
    rules.chain = serverTrust.verified?.map(SecCertificate.init)
    self.rules = Locked(rules)
  }

  /// Changes policies or anchors, and takes back the results under those before.
  func change(_ body: (inout Rules) -> Void) {
    rules.withLock { rules in
      body(&rules)
      rules.version += 1
      rules.chain = nil
      rules.result = .invalid
    }
  }

  /// The result of the latest evaluation; `.invalid` if there was none since anything was changed.
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

  /// The known facts about the server's own certificate, without a fetch.
  var stapled: StapledResponse { stapled(under: rules.withLock { $0 }) }

  /// The moment of the evaluation, in seconds since 1970.
  var evaluationTime: Int64 {
    rules.withLock { $0.verifyTime } ?? Int64(Date().timeIntervalSince1970)
  }

  private func stapled(under rules: Rules) -> StapledResponse {
    rules.ownStaple.map(StapledResponse.response) ?? serverTrust.stapled
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
    case .revocation: (host, purpose) = (nil, ownPurpose)
    }
    let result = serverTrust.evaluate(
      host: host, anchors: rules.ownAnchors, anchorsOnly: rules.anchorsOnly, at: rules.verifyTime,
      for: purpose)
    let chain: [Certificate]
    switch result {
    case .success(let found): chain = found
    case .failure(let failure): throw SecTrustError(failure)
    }
    let evaluation = revocationEvaluation(under: rules)
    switch policy.rule {
    case .server: try evaluation.checkPromise(of: chain)
    case .revocation(let flags): try evaluation.run(chain, RevocationOptions(rawValue: flags))
    case .client, .basicX509: break
    }
    return chain
  }

  private func revocationEvaluation(under rules: Rules) -> RevocationEvaluation {
    var evaluation = RevocationEvaluation(
      trust: serverTrust, stapled: stapled(under: rules), mayStayPrivate: mayStayPrivate,
      service: revocation, patience: rules.revocationPatience)
    if let verifyTime = rules.verifyTime {
      evaluation.now = verifyTime
      // The known result is as of the present.
      evaluation.service = revocation.withoutAnswers()
    }
    return evaluation
  }

  /// The purpose of a chain where a policy does not say so: for a server, unless the trust is about something else.
  private var ownPurpose: CertificatePurpose {
    let isServers = ownPolicies.contains { if case .server = $0.rule { true } else { false } }
    return isServers ? .server : .any
  }

  /// Trusts are equal if they are the same.
  public static func == (left: SecTrust, right: SecTrust) -> Bool { left === right }

  /// Hashes the identity: two are equal only if they are the same object.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
