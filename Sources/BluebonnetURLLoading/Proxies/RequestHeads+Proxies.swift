import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetProxies
import BluebonnetSemantics
import BluebonnetTransport

extension RequestHeads {
  /// The way of a request where there are proxies.
  struct Way {
    var nextHop: Route.NextHop
    /// What the request itself carries for the proxy that it goes to.
    var fields: EncodedFields?
    /// The request goes to a proxy, and says to it who asks.
    var statesAuthorization = false
  }

  /// Finds the way.
  ///
  /// - Parameter stated: The `Proxy-Authorization` of the caller's.
  func way(
    through proxies: ProxyChooser, to target: TargetURI, _ url: URL, stated: String?, otherwise: Route.NextHop
  ) throws(URLError) -> Way {
    guard let hop = try proxies.hop(for: target, url) else { return Way(nextHop: otherwise) }
    if hop.takesAbsoluteForm, !target.origin.isSecure, !target.isWebSocket {
      return Way(nextHop: .proxy(hop), fields: hop.fields, statesAuthorization: stated != nil)
    }
    guard hop.server.scheme.isHTTP, let stated else { return Way(nextHop: .tunnel(hop)) }
    var server = hop.server
    server.sendsBasicAtOnce = false
    server.fields.append(ProxyServer.Field(name: "Proxy-Authorization", value: stated))
    do throws(HTTP1Error) {
      return Way(nextHop: .tunnel(try ProxyHop(server)))
    } catch {
      throw .refusal(.badURL, url, "its Proxy-Authorization cannot be sent")
    }
  }

  /// Whether a field is meant for the proxy alone.
  static func isForProxy(_ name: String) -> Bool { name.equalsIgnoringASCIICase("Proxy-Authorization") }
}
