// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetProxies
import BluebonnetSemantics
import BluebonnetTransport

extension RequestBuilder {
  /// The way of a request where there are proxies.
  struct ResolvedRoute {
    var nextHop: Route.NextHop
    /// The fields for the proxy that the request itself goes to.
    var fields: EncodedFields?
    /// Whether the request goes to a proxy, with credentials for it.
    var statesAuthorization = false
  }

  /// Finds the way.
  ///
  /// - Parameter stated: The `Proxy-Authorization` of the caller's.
  func resolvedRoute(
    through proxies: ProxyChooser, to target: TargetURI, _ url: URL, stated: String?, otherwise: Route.NextHop
  ) throws(URLError) -> ResolvedRoute {
    guard let hop = try proxies.hop(for: target, url) else { return ResolvedRoute(nextHop: otherwise) }
    let takesAbsoluteForm = hop.takesAbsoluteForm && !target.origin.isSecure && !target.isWebSocket
    guard let stated, hop.server.scheme.isHTTP else {
      if takesAbsoluteForm { return ResolvedRoute(nextHop: .proxy(hop), fields: hop.fields) }
      return ResolvedRoute(nextHop: .tunnel(hop))
    }
    if takesAbsoluteForm, !hop.server.statesAuthorization {
      return ResolvedRoute(nextHop: .proxy(hop), fields: hop.fields, statesAuthorization: true)
    }
    // The request's own takes the place of that of all requests.
    var server = hop.server
    server.fields.removeAll { Self.isForProxy($0.name) }
    if !takesAbsoluteForm {
      server.fields.append(ProxyServer.Field(name: "Proxy-Authorization", value: stated))
    }
    do throws(HTTP1Error) {
      let hop = try ProxyHop(server)
      guard takesAbsoluteForm else { return ResolvedRoute(nextHop: .tunnel(hop)) }
      return ResolvedRoute(nextHop: .proxy(hop), fields: hop.fields, statesAuthorization: true)
    } catch {
      throw .refusal(.badURL, url, "its Proxy-Authorization cannot be sent")
    }
  }

  /// Whether a field is meant for the proxy alone.
  static func isForProxy(_ name: String) -> Bool { name.equalsIgnoringASCIICase("Proxy-Authorization") }
}
