import BluebonnetAuthentication
import BluebonnetSemantics
import BluebonnetTransport

/// A load's dealings with the HTTP proxy that its request goes to by the absolute form. Loads without one have none.
struct LoadProxy {
  let hop: ProxyHop
  /// Whether the caller's own field has credentials: nothing is added to it, and there is no challenge to the delegate.
  var isStated: Bool
  /// Once it has asked, or is known to.
  var authentication: LoadAuthentication?

  init(_ hop: ProxyHop, isStated: Bool) {
    (self.hop, self.isStated) = (hop, isStated)
  }

  /// The proxy as an origin.
  var place: WebOrigin {
    WebOrigin(isSecure: hop.server.scheme == .https, host: hop.server.host, port: hop.server.port)
  }

  /// Begins it, unless it has begun.
  mutating func makeAuthentication() -> LoadAuthentication {
    if let authentication { return authentication }
    let made = LoadAuthentication(
      HTTPAuthentication(
        .proxy, of: place, allowing: hop.server.authentication, login: hop.server.login))
    authentication = made
    return made
  }
}
