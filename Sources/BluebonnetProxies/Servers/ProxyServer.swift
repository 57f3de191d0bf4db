// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetSemantics

/// A proxy: its address, its protocol, and the credentials for it.
package struct ProxyServer: Hashable, Sendable {
  /// The protocol of a proxy, by the schemes of its URL.
  package enum Scheme: String, Hashable, Sendable, CaseIterable {
    /// HTTP/1.1 in plain (RFC 9110 §3.7).
    case http
    /// HTTP/1.1 over TLS.
    case https
    /// SOCKS 4: names are looked up here, and have to lead to an IPv4 address.
    case socks4
    /// SOCKS 4a: the proxy looks names up.
    case socks4a
    /// SOCKS 5 (RFC 1928): names are looked up here.
    case socks5
    /// SOCKS 5 (RFC 1928): the proxy looks names up.
    case socks5h

    /// HTTP, with or without TLS.
    package var isHTTP: Bool { self == .http || self == .https }

    /// As curl has them: 443 for https, and 1080 for everything else.
    package var defaultPort: UInt16 { self == .https ? 443 : 1080 }

    /// Whether the proxy is told addresses only.
    package var looksUpHere: Bool { self == .socks4 || self == .socks5 }
  }

  /// A name, and what proves it.
  package struct Credentials: Hashable, Sendable {
    package var user: String
    package var password: String

    package init(user: String, password: String) {
      self.user = user
      self.password = password
    }
  }

  /// A field that is sent to the proxy only.
  package struct Field: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  package var scheme: Scheme
  /// In its canonical form, without brackets.
  package var host: String
  package var port: UInt16
  /// The user's credentials; nil for none.
  package var credentials: Credentials?
  /// The authentication schemes that an HTTP proxy may ask for.
  package var authentication = AuthenticationSchemes.all
  /// Whether an HTTP proxy is sent user and password by Basic before it has asked; otherwise it has to ask, and the
  /// strongest of the ways that it offers is taken.
  package var sendsBasicAtOnce = true
  /// Whether NTLM begins before an HTTP proxy has asked for it.
  package var sendsNTLMAtOnce = false
  /// Whether a Digest answer to a proxy that is asked by the absolute form speaks of the path alone, as curl's does. RFC 7616
  /// §3.4.6 wants what stands in the request line.
  package var provesPath = false
  /// Whether http resources, too, are asked for through a tunnel. They are in any case where the proxy speaks SOCKS.
  package var tunnelsPlain = false
  /// Whether it is asked for tunnels in HTTP/1.0.
  package var isOld = false
  /// Further fields for an HTTP proxy: with CONNECT, and with requests by their absolute form.
  package var fields: [Field] = []

  /// - Parameter host: In its canonical form.
  package init(_ scheme: Scheme, host: String, port: UInt16, credentials: Credentials? = nil) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.credentials = credentials
  }

  /// Whether its fields have credentials: none are added to them (RFC 9110 §11.7.2), and a 407 is an answer like any other.
  package var statesAuthorization: Bool {
    fields.contains { $0.name.equalsIgnoringASCIICase("Proxy-Authorization") }
  }

  /// The credentials for an HTTP proxy before a challenge; nil for none.
  package var authorizationAtOnce: String? {
    guard sendsBasicAtOnce, authentication.contains(.basic), let credentials, scheme.isHTTP,
      !statesAuthorization
    else { return nil }
    // A ticket needs no password.
    if case .ticket = login { return nil }
    return BasicCredentials.authorization(user: credentials.user.utf8, password: credentials.password.utf8)
  }

  /// The login that answers an HTTP proxy's challenge without a question to the caller; nil for none. Where only a ticket
  /// would do, that of the caller is taken.
  package var login: Login? {
    if statesAuthorization { return nil }
    if let credentials, !credentials.user.isEmpty || !credentials.password.isEmpty {
      return .password(user: credentials.user, password: credentials.password)
    }
    return authentication == .negotiate || credentials != nil && authentication.contains(.negotiate)
      ? .ticket : nil
  }

  /// The login with which NTLM begins before a challenge of an HTTP proxy; nil where the challenge has to come first.
  package var loginAtOnce: Login? {
    guard sendsNTLMAtOnce, authentication.contains(.ntlm), scheme.isHTTP, case .password? = login else {
      return nil
    }
    return login
  }

  /// Whether a request goes through a tunnel, rather than by its absolute form.
  ///
  /// - Parameters:
  ///   - isSecure: Its scheme is https or wss.
  ///   - isWebSocket: It opens a WebSocket, which proxies are asked for by CONNECT also in plain (RFC 6455 §4.1).
  package func tunnels(isSecure: Bool, isWebSocket: Bool) -> Bool {
    isSecure || isWebSocket || tunnelsPlain || !scheme.isHTTP
  }
}

extension ProxyServer: CustomStringConvertible {
  /// As a URL without credentials, for errors.
  package var description: String {
    let shown = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    return "\(scheme.rawValue)://\(shown):\(port)"
  }
}
