// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetLocks
import BluebonnetProxies
import BluebonnetSemantics
import BluebonnetTransport

/// Finds the proxy for each request of a session, under the session's settings. An object, so that nothing of it is copied to ask it.
final class ProxyChooser: Sendable {
  private typealias Hop = Result<ProxyHop, RefusedSetting>

  private enum Exceptions {
    case list(NoProxyList)
    /// Those of a `connectionProxyDictionary`.
    case patterns(ProxyExceptions)

    func contains(_ host: String) -> Bool {
      switch self {
      case .list(let list): list.contains(host)
      case .patterns(let patterns): patterns.contains(host)
      }
    }
  }

  /// For requests by http and by https; nil for no proxy.
  private let plain: Hop?
  private let secure: Hop?
  /// The hosts that go without; nil for none.
  private let exceptions: Exceptions?
  /// The caller's, in the place of all others.
  private let function: (@Sendable (URL) throws -> URLSessionConfiguration.Proxy?)?

  /// Nil for sessions without proxies, nearly all of them.
  init?(_ settings: URLSessionConfiguration.Settings) {
    // The peer that speaks for the origin is named already.
    if settings.unixSocketPath != nil { return nil }
    switch settings.proxySelection.rule {
    case .none:
      guard let dictionary = settings.connectionProxyDictionary.map(ProxyDictionary.init), !dictionary.isEmpty
      else { return nil }
      plain = dictionary.plain.map { $0.flatMap(Self.hop) }
      secure = dictionary.secure.map { $0.flatMap(Self.hop) }
      (exceptions, function) = (.patterns(dictionary.exceptions), nil)
    case .proxy(let proxy, let exceptions):
      let hop = Result { () throws(RefusedSetting) in try proxy.server() }.flatMap(Self.hop)
      (plain, secure, function) = (hop, hop, nil)
      self.exceptions = Self.exceptions(NoProxyList(exceptions))
    case .environment(let variables):
      let read: (String) -> String? = { name in
        guard let variables else { return URLSessionConfiguration.ProxySelection.variable(name) }
        return variables[name]
      }
      let environment = ProxyEnvironment(read) { try CanonicalHost($0).name }
      if environment.plain == nil, environment.secure == nil { return nil }
      plain = environment.plain.map(Self.hop)
      secure = environment.secure.map(Self.hop)
      (exceptions, function) = (Self.exceptions(environment.exceptions), nil)
    case .function(let function):
      (plain, secure, exceptions) = (nil, nil, nil)
      self.function = function
    }
  }

  /// Whether it may have a request fail, or wants to be asked by each.
  var mayRefuse: Bool {
    if function != nil { return true }
    return [plain, secure].contains { if case .failure? = $0 { true } else { false } }
  }

  /// The proxy for a request; nil for none.
  ///
  /// - Throws: `URLError` if the settings, or the caller's function, have none that could be used. It is never gone without a
  ///   proxy instead.
  func hop(for target: TargetURI, _ url: URL) throws(URLError) -> ProxyHop? {
    do throws(RefusedSetting) {
      if let function { return try Self.ask(function, url)?.get() }
      guard let hop = target.origin.isSecure ? secure : plain else { return nil }
      if let exceptions, exceptions.contains(target.origin.host) { return nil }
      return try hop.get()
    } catch {
      throw error.error(for: url)
    }
  }

  private static func exceptions(_ list: NoProxyList) -> Exceptions? { list.isEmpty ? nil : .list(list) }

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
