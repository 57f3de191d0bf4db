extension ServerTrust {
  /// Judges the presented chain again, by other rules than the handshake's.
  ///
  /// - Parameters:
  ///   - host: The name the leaf must be for; `nil` leaves the name unchecked.
  ///   - anchors: Certificates to trust; each is enough by itself, whether self-signed or not.
  ///   - anchorsOnly: Whether `anchors` replace those of the context instead of joining them.
  ///   - validatesDates: Whether certificates outside of their validity are refused.
  /// - Returns: The chain from the leaf to its anchor, or the first reason against it.
  package func evaluate(
    host: String?, anchors: [Certificate]? = nil, anchorsOnly: Bool = false, validatesDates: Bool = true
  ) -> Result<[Certificate], TrustFailure> {
    let evaluation = TrustEvaluation(host: host, validatesDates: validatesDates)
    guard let anchors else { return evaluation.run(presented, in: store) }
    let named: Result<[Certificate], TrustFailure>
    do {
      named = try evaluation.run(presented, in: TrustStore.store(for: .certificates(anchors)))
    } catch {
      named = .failure(.unspecified)
    }
    guard !anchorsOnly, case .failure(let failure) = named else { return named }
    let ordinary = evaluation.run(presented, in: store)
    // Whichever store knew the issuer has the more telling reason.
    if case .failure = ordinary, failure.reason != .unknownIssuer, failure.reason != .selfSigned {
      return named
    }
    return ordinary
  }
}
