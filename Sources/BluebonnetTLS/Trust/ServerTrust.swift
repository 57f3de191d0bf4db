import CBluebonnetOpenSSL

/// The chain a server presented, and the means to judge it.
// Sendable: the stack is never changed after `init`, its members and the store are shared safely by OpenSSL.
package final class ServerTrust: @unchecked Sendable {
  /// The host the connection was made for.
  package let host: String
  /// The chain down to its anchor if it held, otherwise as the server sent it; the server's own first.
  package let chain: [Certificate]
  /// What the handshake found: `nil` if the chain, the host and the dates are good by the context's anchors.
  package let failure: TrustFailure?

  let presented: CertificateStack
  let store: TrustStore

  init(
    host: String, presented: CertificateStack, verified: [Certificate]?, failure: TrustFailure?,
    store: TrustStore
  ) {
    self.host = host
    self.presented = presented
    self.failure = failure
    self.store = store
    chain = verified ?? presented.certificates
  }

  /// A trust object for a chain that came by another way, judged at once against `anchors`.
  package convenience init(host: String, chain: [Certificate], anchors: TrustAnchors) throws(TLSError) {
    let presented = CertificateStack(chain)
    let store = try TrustStore.store(for: anchors)
    let judgement = TrustEvaluation(host: host).run(presented, in: store)
    let found: (verified: [Certificate]?, failure: TrustFailure?)
    switch judgement {
    case .success(let verified): found = (verified, nil)
    case .failure(let failure): found = (nil, failure)
    }
    self.init(
      host: host, presented: presented, verified: found.verified, failure: found.failure, store: store)
  }

  /// The server's own certificate.
  package var leaf: Certificate? { chain.first }
}
