// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetHTTP1
import BluebonnetProxies
import BluebonnetSemantics

/// A proxy as a part of routes: its address, the credentials, and the fields it is sent. An object, so that routes without one
/// carry nothing of it; two are the same if they say the same.
package final class ProxyHop: Hashable, Sendable {
  package let server: ProxyServer
  /// Whether it is asked for http resources by their absolute form. Kept apart, because asking the server for it copies it.
  package let takesAbsoluteForm: Bool
  /// The fields for the proxy of requests by their absolute form, without credentials.
  package let fields: EncodedFields
  /// The credentials in them before the proxy requires any; nil for none.
  package let authorization: EncodedFields?

  /// - Throws: If a field must not be sent.
  package init(_ server: ProxyServer) throws(HTTP1Error) {
    self.server = server
    takesAbsoluteForm = !server.tunnels(isSecure: false, isWebSocket: false)
    // The request has its own Host, and it is not the proxy's.
    let own = server.fields.filter { !$0.name.equalsIgnoringASCIICase("Host") }
    fields = try EncodedFields(own.map { ($0.name, $0.value) })
    if let value = server.authorizationAtOnce {
      authorization = try EncodedFields([("Proxy-Authorization", value)])
    } else {
      authorization = nil
    }
  }

  /// The proxy as if it were an origin, for its protection spaces.
  package var place: WebOrigin {
    WebOrigin(isSecure: server.scheme == .https, host: server.host, port: server.port)
  }

  /// The login that the proxy is known to accept from a request; nil for none.
  package func knownSpace(in cache: borrowing AuthenticationCache) -> AuthenticationCache.Space? {
    // One that is shared is for requests without a login of their own.
    cache.space(of: place, .proxy, for: "", login: server.login, isShared: server.login == nil)
  }

  package static func == (left: ProxyHop, right: ProxyHop) -> Bool {
    left === right || left.server == right.server
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(server.host)
    hasher.combine(server.port)
  }
}
