// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetProxies
import BluebonnetTransport

extension URLSessionConfiguration {
  /// A proxy: its address, its protocol, and the credentials for it.
  ///
  /// ```swift
  /// var proxy = URLSessionConfiguration.Proxy(.http, host: "proxy.example.com", port: 3128)
  /// (proxy.user, proxy.password) = ("me", "secret")
  /// configuration.proxySelection = .proxy(proxy, except: "localhost,.example.com,10.0.0.0/8")
  /// ```
  public struct Proxy: Sendable, Hashable {
    /// The protocol of a proxy.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// HTTP in plain. It is asked for http resources by their URL, and for a tunnel (CONNECT, RFC 9110 §9.3.6) to
      /// everything else.
      case http
      /// The same over TLS; see ``URLSessionConfiguration/Settings/proxyTrustAnchors``. Inside a tunnel, https is TLS in TLS.
      case https
      /// SOCKS 4. Names are looked up by this machine, and must have an IPv4 address. Only the user is sent.
      case socks4
      /// SOCKS 4A. Names are looked up by the proxy. Only the user is sent.
      case socks4a
      /// SOCKS 5 (RFC 1928). Names are looked up by this machine.
      case socks5
      /// SOCKS 5 (RFC 1928). Names are looked up by the proxy.
      case socks5h
    }

    /// The protocol of the proxy.
    public var kind: Kind
    /// Its name or address; of an IPv6 address with or without brackets.
    public var host: String
    /// Its port, from 1 to 65535.
    public var port: Int
    /// The user's name; nil, the default, for none.
    public var user: String?
    /// The password of ``user``; nil, the default, for an empty one.
    public var password: String?
    /// The permitted authentication schemes; all by default. Of those that an HTTP proxy offers the strongest
    /// is taken. SOCKS has ways of its own.
    public var authenticationSchemes = AuthenticationSchemes.all
    /// Whether ``user`` and ``password`` are sent to an HTTP proxy by Basic before it has asked, which saves a round trip.
    /// On by default; off, the proxy has to ask. Without `.basic` among ``authenticationSchemes`` it means nothing.
    public var sendsBasicAtOnce = true
    /// Whether NTLM's first message is sent to an HTTP proxy before it has asked, for one that is known to want NTLM. Off by
    /// default; without ``user`` and `.ntlm` among ``authenticationSchemes`` it means nothing.
    public var sendsNTLMAtOnce = false
    /// Whether a Digest answer speaks of the path alone where the request line has the absolute form, as curl's does; RFC
    /// 7616 §3.4.6 wants what stands in the request line. False by default.
    public var provesPath = false
    /// Whether an HTTP proxy is asked for a tunnel to http resources, too, rather than for the resources. Off by default.
    public var tunnelsPlainRequests = false
    /// The version in which an HTTP proxy is asked for a tunnel; `.http11` by default. Requests that it gets by their absolute
    /// form go by the configuration's ``URLSessionConfiguration/Settings/requestVersion``.
    public var tunnelVersion = RequestVersion.http11
    /// Fields for an HTTP proxy only, by name: with CONNECT, and with requests for http resources. Empty
    /// by default. One that must not be sent fails the request.
    public var additionalHeaders: [String: String] = [:]

    /// A proxy without credentials.
    ///
    /// - Parameters:
    ///   - kind: Its protocol.
    ///   - host: Its name or address.
    ///   - port: Its port, from 1 to 65535.
    public init(_ kind: Kind, host: String, port: Int) {
      (self.kind, self.host, self.port) = (kind, host, port)
    }

    /// Reads a proxy as curl and the environment spell it: `[scheme://][user[:password]@]host[:port]`.
    ///
    /// - Parameter text: The scheme is one of ``Kind``, `http` if there is none. User and password may be
    ///   percent-encoded. The port is 443 for https and 1080 for all others if there is none, as curl has it.
    /// - Throws: `RefusedSetting` if it names no proxy. No password is in it.
    public init(_ text: String) throws {
      do throws(InvalidProxy) {
        self.init(try ProxyServer(text) { try CanonicalHost($0).name })
      } catch {
        throw RefusedSetting(
          "URLSessionConfiguration.Proxy", "cannot be made: \(error)", instead: Self.remedy)
      }
    }

    init(_ server: ProxyServer) {
      self.init(Kind(server.scheme), host: server.host, port: Int(server.port))
      user = server.credentials?.user
      password = server.credentials?.password
    }

    private static let remedy = "name it as in socks5h://user:password@host:1080"

    /// As routes know it.
    func server() throws(RefusedSetting) -> ProxyServer {
      guard let port = UInt16(exactly: port), port > 0 else {
        throw RefusedSetting(
          "URLSessionConfiguration.Proxy.port", "is \(port)", instead: "set it to 1 to 65535")
      }
      let name: String
      do {
        name = try CanonicalHost(host).name
      } catch {
        throw RefusedSetting(
          "URLSessionConfiguration.Proxy.host", "cannot be one: \(error)",
          instead: "name a host or an address")
      }
      var server = ProxyServer(ProxyServer.Scheme(kind), host: name, port: port)
      if user != nil || password != nil {
        server.credentials = ProxyServer.Credentials(user: user ?? "", password: password ?? "")
      }
      server.authentication = .init(authenticationSchemes)
      server.sendsBasicAtOnce = sendsBasicAtOnce
      server.sendsNTLMAtOnce = sendsNTLMAtOnce
      server.provesPath = provesPath
      server.tunnelsPlain = tunnelsPlainRequests
      server.isOld = tunnelVersion == .http10
      server.fields = additionalHeaders.sorted { $0.key < $1.key }
        .map { ProxyServer.Field(name: $0.key, value: $0.value) }
      return server
    }
  }
}

extension URLSessionConfiguration.Proxy.Kind {
  fileprivate init(_ scheme: ProxyServer.Scheme) {
    self =
      switch scheme {
      case .http: .http
      case .https: .https
      case .socks4: .socks4
      case .socks4a: .socks4a
      case .socks5: .socks5
      case .socks5h: .socks5h
      }
  }
}

extension ProxyServer.Scheme {
  fileprivate init(_ kind: URLSessionConfiguration.Proxy.Kind) {
    self =
      switch kind {
      case .http: .http
      case .https: .https
      case .socks4: .socks4
      case .socks4a: .socks4a
      case .socks5: .socks5
      case .socks5h: .socks5h
      }
  }
}
