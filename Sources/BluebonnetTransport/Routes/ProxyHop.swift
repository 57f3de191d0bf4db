import BluebonnetHTTP1
import BluebonnetProxies

/// A proxy as a part of routes: who is asked, as whom, and what it is sent. An object, so that routes without one carry
/// nothing of it; two are the same if they say the same.
package final class ProxyHop: Hashable, Sendable {
  package let server: ProxyServer
  /// Whether it is asked for http resources by their absolute form. Kept apart, because asking the server for it copies it.
  package let takesAbsoluteForm: Bool
  /// What requests by their absolute form carry for the proxy, but for who is asking.
  package let fields: EncodedFields
  /// What they say of that before the proxy wants to know; nil for nothing.
  package let authorization: EncodedFields?

  /// - Throws: If a field must not be sent.
  package init(_ server: ProxyServer) throws(HTTP1Error) {
    self.server = server
    takesAbsoluteForm = !server.tunnels(isSecure: false, isWebSocket: false)
    // The request has its own Host, which is not the proxy's.
    let own = server.fields.filter { !$0.name.equalsIgnoringASCIICase("Host") }
    fields = try EncodedFields(own.map { ($0.name, $0.value) })
    if let value = server.authorizationAtOnce {
      authorization = try EncodedFields([("Proxy-Authorization", value)])
    } else {
      authorization = nil
    }
  }

  package static func == (left: ProxyHop, right: ProxyHop) -> Bool {
    left === right || left.server == right.server
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(server.host)
    hasher.combine(server.port)
  }
}
