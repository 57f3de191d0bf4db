import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetLocks
import BluebonnetProxies
import BluebonnetSemantics
import BluebonnetTransport

/// Finds the proxy for each request of a session, under the session's settings.
struct ProxyChooser: Sendable {
  private enum Rule: Sendable {
    case one(Result<ProxyHop, RefusedSetting>, except: NoProxyList)
    /// By scheme.
    case dictionary(
      ProxyDictionary, plain: Result<ProxyHop, RefusedSetting>?, secure: Result<ProxyHop, RefusedSetting>?)
    case environment(
      NoProxyList, plain: Result<ProxyHop, RefusedSetting>?, secure: Result<ProxyHop, RefusedSetting>?)
    case function(@Sendable (URL) throws -> URLSessionConfiguration.Proxy?)
  }

  private let rule: Rule

  /// Nil for sessions without proxies, which are nearly all.
  init?(_ settings: URLSessionConfiguration.Values) {
    // Who speaks for the origin is named already.
    if settings.unixSocketPath != nil { return nil }
    switch settings.proxySelection.rule {
    case .none:
      guard let dictionary = settings.connectionProxyDictionary.map(ProxyDictionary.init), !dictionary.isEmpty
      else { return nil }
      rule = .dictionary(
        dictionary, plain: dictionary.plain.map { $0.flatMap(Self.hop) },
        secure: dictionary.secure.map { $0.flatMap(Self.hop) })
    case .proxy(let proxy, let exceptions):
      rule = .one(
        Result { () throws(RefusedSetting) in try proxy.server() }.flatMap(Self.hop),
        except: NoProxyList(exceptions))
    case .environment(let variables):
      let read: (String) -> String? = { name in
        guard let variables else { return URLSessionConfiguration.ProxySelection.variable(name) }
        return variables[name]
      }
      let environment = ProxyEnvironment(read) { try CanonicalHost($0).name }
      if environment.plain == nil, environment.secure == nil { return nil }
      rule = .environment(
        environment.exceptions, plain: environment.plain.map(Self.hop),
        secure: environment.secure.map(Self.hop))
    case .function(let function): rule = .function(function)
    }
  }

  /// The proxy for a request; nil for none.
  ///
  /// - Throws: `URLError` if the settings, or the caller's function, have none that could be used. It is never gone without a
  ///   proxy instead.
  func hop(for target: TargetURI, _ url: URL) throws(URLError) -> ProxyHop? {
    let (host, isSecure) = (target.origin.host, target.origin.isSecure)
    do throws(RefusedSetting) {
      switch rule {
      case .one(let hop, let exceptions): return exceptions.contains(host) ? nil : try hop.get()
      case .dictionary(let dictionary, let plain, let secure):
        guard let hop = isSecure ? secure : plain, !dictionary.exceptions.contains(host) else { return nil }
        return try hop.get()
      case .environment(let exceptions, let plain, let secure):
        guard let hop = isSecure ? secure : plain, !exceptions.contains(host) else { return nil }
        return try hop.get()
      case .function(let function): return try Self.ask(function, url)?.get()
      }
    } catch {
      throw error.error(for: url)
    }
  }

  private static func ask(
    _ function: @Sendable (URL) throws -> URLSessionConfiguration.Proxy?, _ url: URL
  ) throws(RefusedSetting) -> Result<ProxyHop, RefusedSetting>? {
    let found: URLSessionConfiguration.Proxy?
    do {
      found = try function(url)
    } catch {
      throw RefusedSetting(
        "URLSessionConfiguration.proxySelection", "found no proxy: \(error)",
        instead: "return nil where none is to be used")
    }
    guard let found else { return nil }
    return hop(try found.server())
  }

  private static func hop(_ server: ProxyServer) -> Result<ProxyHop, RefusedSetting> {
    Result { () throws(HTTP1Error) in try ProxyHop(server) }.mapError { error in
      RefusedSetting(
        "URLSessionConfiguration.Proxy.additionalHeaders", "cannot be sent: \(error.rule)",
        instead: "use a token as a name, and no control characters in a value")
    }
  }

  private static func hop(_ found: Result<ProxyServer, InvalidProxy>) -> Result<ProxyHop, RefusedSetting> {
    found.mapError { error in
      RefusedSetting(
        "URLSessionConfiguration.proxySelection", "found no proxy in the environment: \(error)",
        instead: "set http_proxy, https_proxy or all_proxy to something like http://proxy.example.com:3128")
    }.flatMap(hop)
  }
}
