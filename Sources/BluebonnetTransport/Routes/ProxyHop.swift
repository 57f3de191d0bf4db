import BluebonnetHTTP1
import BluebonnetProxies

/// A proxy as a part of routes: who is asked, as whom, and what it is sent. An object, so that routes without one carry
/// nothing of it; two are the same if they say the same.
package final class ProxyHop: Hashable, Sendable {
  package let server: ProxyServer
  /// What requests by their absolute form carry for the proxy, but for who is asking.
  package let fields: EncodedFields
  /// The same with what is said of that before the proxy wants to know.
  package let authorizedFields: EncodedFields

  /// - Throws: If a field must not be sent.
  package init(_ server: ProxyServer) throws(HTTP1Error) {
    self.server = server
    var named = server.fields.map { ($0.name, $0.value) }
    fields = try EncodedFields(named)
    if let value = server.authorizationAtOnce { named.append(("Proxy-Authorization", value)) }
    authorizedFields = try EncodedFields(named)
  }

  package static func == (left: ProxyHop, right: ProxyHop) -> Bool {
    left === right || left.server == right.server
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(server.host)
    hasher.combine(server.port)
  }
}
