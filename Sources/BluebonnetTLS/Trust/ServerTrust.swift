// SPDX-License-Identifier: MIT
import CBluebonnetOpenSSL

/// The chain a server presented, and the means to evaluate it.
package final class ServerTrust: Sendable {
  /// The host the connection was made for.
  package let host: String
  /// The chain down to its anchor as the handshake verified it; `nil` if it did not hold.
  package let verified: [Certificate]?
  /// The handshake's verdict: `nil` if the chain, the host and the dates are good by the context's anchors, and no staple says otherwise.
  package let failure: TrustFailure?
  /// The server's statement about its certificate's status.
  package let stapled: StapledResponse

  let presented: CertificateStack
  let store: TrustStore
  let rules: TrustRules

  init(
    host: String, presented: CertificateStack, verified: [Certificate]?, failure: TrustFailure?,
    store: TrustStore, rules: TrustRules, stapled: StapledResponse = .notAsked
  ) {
    self.stapled = stapled
    self.host = host
    self.presented = presented
    self.failure = failure
    self.verified = failure == nil ? verified : nil
    self.store = store
    self.rules = rules
  }

  /// A trust object for a chain that came by another way.
  ///
  /// - Parameters:
  ///   - host: The host it is to be good for.
  ///   - chain: The certificates, the server's own first.
  ///   - anchors: The trusted authorities.
  ///   - isEvaluated: Whether it is evaluated at once. If not, nothing speaks for the chain until it is evaluated.
  package convenience init(
    host: String, chain: [Certificate], anchors: TrustAnchors, isEvaluated: Bool = true
  ) throws(TLSError) {
    let presented = CertificateStack(chain)
    let store = try TrustStore.store(for: anchors)
    let rules = TrustRules()
    let result =
      isEvaluated
      ? TrustEvaluation(host: host, securityLevel: rules.securityLevel).run(presented, in: store)
      : .failure(.unspecified)
    let found: (verified: [Certificate]?, failure: TrustFailure?)
    switch result {
    case .success(let verified): found = (verified, nil)
    case .failure(let failure): found = (nil, failure)
    }
    self.init(
      host: host, presented: presented, verified: found.verified, failure: found.failure, store: store,
      rules: rules)
  }

  /// Its approximate size in memory: OpenSSL needs some three times a certificate's length once parsed. The anchor
  /// belongs to the store.
  var byteCount: Int {
    presented.certificates.reduce(stapled.bytes?.count ?? 0) { $0 + 4 * max(Int(i2d_X509($1.x509, nil)), 0) }
  }

  /// The certificates that the server sent, in its order.
  package var sent: [Certificate] { presented.certificates }

  /// The server's own certificate.
  package var leaf: Certificate? { presented.certificates.first }

  /// The chain: as verified if it held, otherwise as far as signatures lead; the server's own first. A certificate merely
  /// sent along is never in it.
  package var chain: [Certificate] { verified ?? path() }
}

/// The rules of an evaluation beside anchors, host and dates: those of the context of its handshake.
struct TrustRules: Sendable {
  /// OpenSSL's security level.
  var securityLevel = TLSContext.securityLevel
  /// Whether chains to anchors that are not the system's must follow RFC 5280 to the letter.
  var evaluatesOwnAnchorsStrictly = false
}
