import BluebonnetTransport

/// The HTTP proxy that a load's request goes to by the absolute form. Loads without one have none.
struct LoadProxy {
  let hop: ProxyHop
  /// Whether the caller's own field has credentials: nothing is added to it, and there is no challenge to the delegate.
  var isStated: Bool
  /// Once it has asked, or is known to.
  var challenges: ChallengeDriver?

  init(_ hop: ProxyHop, isStated: Bool) {
    (self.hop, self.isStated) = (hop, isStated)
  }
}
