// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLibc
import BluebonnetProxies

extension URLSessionConfiguration {
  /// The rule by which requests go through proxies.
  public struct ProxySelection: Sendable {
    enum Rule: Sendable {
      case none
      case proxy(Proxy, exceptions: String)
      /// Nil for the process's own, read when a session is made.
      case environment([String: String]?)
      case function(@Sendable (URL) throws -> Proxy?)
    }

    let rule: Rule

    /// No proxy, unless ``URLSessionConfiguration/connectionProxyDictionary`` names one.
    public static let none = ProxySelection(rule: .none)

    /// The rule of the environment when the session is made, as curl reads it: `http_proxy` (in lower case only, for a
    /// field `Proxy` of a request would set `HTTP_PROXY` in programs that a server runs by CGI), `https_proxy`, `all_proxy`
    /// and `no_proxy`, those three also in upper case. `ws` goes by `http_proxy`, `wss` by `https_proxy`.
    ///
    /// A variable that names no proxy fails the requests that would go by it.
    public static let environment = ProxySelection(rule: .environment(nil))

    /// The same with the variables that are given, and none of the process's.
    public static func environment(_ variables: [String: String]) -> ProxySelection {
      ProxySelection(rule: .environment(variables))
    }

    /// One proxy for everything.
    ///
    /// - Parameters:
    ///   - proxy: The proxy.
    ///   - exceptions: The hosts that go without, as in `no_proxy`: names that stand for themselves and everything below them,
    ///     addresses and networks (`10.0.0.0/8`), separated by commas or blanks; `*` alone for all. None by default.
    public static func proxy(_ proxy: Proxy, except exceptions: String = "") -> ProxySelection {
      ProxySelection(rule: .proxy(proxy, exceptions: exceptions))
    }

    /// Asks a function for each request, redirects included.
    ///
    /// - Parameter function: The proxy for a URL (its scheme may be `ws` or `wss`); nil for none. It is called on a queue of
    ///   the session's, one request at a time, and should not take long. What it throws fails the request.
    public static func select(_ function: @escaping @Sendable (URL) throws -> Proxy?) -> ProxySelection {
      ProxySelection(rule: .function(function))
    }

    /// Whether a host is reached without the proxy that ``proxy(_:except:)`` was given these exceptions for.
    ///
    /// - Parameters:
    ///   - host: In any spelling, an IPv6 address with or without brackets.
    ///   - exceptions: As in `no_proxy`.
    public static func isException(_ host: String, in exceptions: String) -> Bool {
      var name = host[...]
      if name.first == "[", name.last == "]" { name = name.dropFirst().dropLast() }
      return NoProxyList(exceptions).contains((try? HostName.canonical(String(name))) ?? String(name))
    }
  }
}

extension URLSessionConfiguration.ProxySelection {
  var isNone: Bool { if case .none = rule { true } else { false } }

  /// It is the caller's code, which does not run in loop context.
  var isFunction: Bool { if case .function = rule { true } else { false } }

  /// The same, with what the process's environment says at the moment.
  var asOfNow: URLSessionConfiguration.ProxySelection {
    guard case .environment(nil) = rule else { return self }
    let names = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"]
    let variables = (names + names.map { $0.uppercased() }).compactMap { name in
      Self.variable(name).map { (name, $0) }
    }
    return .environment(Dictionary(uniqueKeysWithValues: variables))
  }

  /// The value of a variable of the process's environment.
  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
