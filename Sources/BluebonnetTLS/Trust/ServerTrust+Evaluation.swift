// SPDX-License-Identifier: MIT
extension ServerTrust {
  /// Evaluates the presented chain again, by other rules than the handshake's.
  ///
  /// - Parameters:
  ///   - host: The name the leaf must be for; `nil` leaves the name unchecked.
  ///   - anchors: Certificates to trust; each is enough by itself, whether self-signed or not.
  ///   - anchorsOnly: Whether `anchors` replace those of the context instead of joining them.
  ///   - validatesDates: Whether certificates outside of their validity are refused.
  ///   - time: The moment they have to be valid at, in seconds since 1970; `nil` for now.
  ///   - purpose: What the leaf has to be good for.
  /// - Returns: The chain from the leaf to its anchor, or the first reason against it.
  package func evaluate(
    host: String?, anchors: [Certificate]? = nil, anchorsOnly: Bool = false, validatesDates: Bool = true,
    at time: Int64? = nil, for purpose: CertificatePurpose = .server
  ) -> Result<[Certificate], TrustFailure> {
    let evaluation = TrustEvaluation(
      host: host, validatesDates: validatesDates, time: time, securityLevel: rules.securityLevel,
      purpose: purpose)
    guard let anchors else { return evaluation.run(presented, in: store) }
    let named: Result<[Certificate], TrustFailure>
    do {
      named = try evaluation.run(presented, in: ownStore(anchors))
    } catch {
      named = .failure(.unspecified)
    }
    guard !anchorsOnly, case .failure(let failure) = named else { return named }
    let ordinary = evaluation.run(presented, in: store)
    // Whichever store knew the issuer has the more telling reason.
    if case .failure = ordinary, !failure.isLackOfAnchor { return named }
    return ordinary
  }

  /// The certificates from the leaf up, each signed by the next, as far as they lead among those that the server sent
  /// and the anchors. Nothing is evaluated: neither names nor dates nor whether it ends at an anchor.
  ///
  /// - Parameters:
  ///   - anchors: Certificates that are looked at beside those of the context, or `nil`.
  ///   - anchorsOnly: Whether `anchors` replace those of the context instead of joining them.
  package func path(anchors: [Certificate]? = nil, anchorsOnly: Bool = false) -> [Certificate] {
    guard let leaf else { return [] }
    var stores: [TrustStore] = []
    if let anchors, let own = try? ownStore(anchors) { stores.append(own) }
    if anchors == nil || !anchorsOnly { stores += store.all }
    return CertificatePath(presented: presented.certificates, anchors: stores).from(leaf)
  }

  /// The context's revocation lists hold whichever anchors are named.
  private func ownStore(_ anchors: [Certificate]) throws(TLSError) -> TrustStore {
    try TrustStore(anchors, isStrict: rules.evaluatesOwnAnchorsStrictly, listsOf: store)
  }
}
