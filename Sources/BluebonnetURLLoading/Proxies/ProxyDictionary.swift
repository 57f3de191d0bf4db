// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetProxies
import BluebonnetSemantics
import BluebonnetTransport

/// The rules of a dictionary of proxies, under CFNetwork's keys.
///
/// A group of keys without a switch of its own is taken to be switched on, and an unknown key to concern
/// everything: a caller that meant to hide behind a proxy must not be shown to the network.
struct ProxyDictionary: Sendable {
  /// For http; nil for none.
  private(set) var plain: Result<ProxyServer, RefusedSetting>?
  /// For https; nil for none.
  private(set) var secure: Result<ProxyServer, RefusedSetting>?
  /// The hosts that go without.
  let exceptions: ProxyExceptions

  /// The subject of a key. HTTPS comes before HTTP, because its name begins with it.
  private enum Group: String, CaseIterable {
    case secure = "HTTPS"
    case plain = "HTTP"
    case socks = "SOCKS"
    case script = "ProxyAutoConfig"
    case discovery = "ProxyAutoDiscovery"
  }

  /// Keys that concern a proxy's use rather than its choice.
  private static let common = [
    "ExceptionsList", "ExcludeSimpleHostnames", "kCFProxyUsernameKey", "kCFProxyPasswordKey",
  ]
  /// The beginnings of keys that concern neither http nor https.
  private static let others = ["FTP", "Gopher", "RTSP"]

  var isEmpty: Bool { plain == nil && secure == nil }

  init(_ dictionary: [AnyHashable: Any]) {
    var values: [String: Any] = [:]
    for (key, value) in dictionary { values[key.base as? String ?? "\(key.base)"] = value }
    let listed = values["ExceptionsList"].map { $0 as? [String] } ?? []
    let excludesSimple = values["ExcludeSimpleHostnames"].map(Self.truth) ?? false
    exceptions = ProxyExceptions(listed ?? [], includesSimpleNames: excludesSimple ?? false)
    if listed == nil || excludesSimple == nil {
      let refusal =
        listed == nil
        ? RefusedSetting.proxies(
          "has something other than a list of strings under ExceptionsList", "make it an array of strings")
        : RefusedSetting.proxies(
          "has something other than a truth value under ExcludeSimpleHostnames", "set it to true or false")
      (plain, secure) = (.failure(refusal), .failure(refusal))
      return
    }
    var asked: [Group: Bool] = [:]
    for name in values.keys.sorted()
    where !Self.common.contains(name) && !Self.others.contains(where: name.hasPrefix) {
      guard let group = Group.allCases.first(where: { name.hasPrefix($0.rawValue) }), Self.knows(name, group)
      else {
        let refusal = RefusedSetting.proxies("has the key \"\(name)\", which is unknown", Self.remedy)
        (plain, secure) = (.failure(refusal), .failure(refusal))
        return
      }
      asked[group] = values[group.rawValue + "Enable"].map(Self.isOn) ?? true
    }
    if asked[.script] == true || asked[.discovery] == true {
      let refusal = RefusedSetting.proxies(
        "asks for a proxy auto-configuration script, and scripts are not run here",
        "name the proxy, or choose one by URLSessionConfiguration.proxySelection")
      (plain, secure) = (.failure(refusal), .failure(refusal))
      return
    }
    if asked[.socks] == true {
      plain = Self.proxy(.socks, values)
      secure = plain
    }
    if asked[.plain] == true { plain = Self.proxy(.plain, values) }
    if asked[.secure] == true { secure = Self.proxy(.secure, values) }
  }

  private static let remedy =
    "use the keys HTTP…, HTTPS… and SOCKS… (Enable, Proxy, Port), ExceptionsList and "
    + "ExcludeSimpleHostnames"

  private static func knows(_ name: String, _ group: Group) -> Bool {
    let rest = name.dropFirst(group.rawValue.count)
    return switch group {
    case .secure, .plain: ["Enable", "Proxy", "Port", "User", "Password"].contains(rest)
    case .socks: ["Enable", "Proxy", "Port", "User", "Password", "Version"].contains(rest)
    case .script: ["Enable", "URLString", "JavaScript"].contains(rest)
    case .discovery: rest == "Enable"
    }
  }

  private static func proxy(_ group: Group, _ values: [String: Any]) -> Result<ProxyServer, RefusedSetting> {
    Result { () throws(RefusedSetting) in
      let key = { (name: String) in group.rawValue + name }
      guard let host = values[key("Proxy")] as? String, !host.isEmpty else {
        throw .proxies("has no host under \(key("Proxy"))", "name one, or set \(key("Enable")) to 0")
      }
      let kind = group == .socks ? try socks(values[key("Version")], key("Version")) : .http
      let port =
        try port(values[key("Port")], key("Port")) ?? (group == .socks ? 1080 : group == .plain ? 80 : 443)
      var proxy = URLSessionConfiguration.Proxy(kind, host: host, port: port)
      proxy.user = try text(values, key("User"), or: "kCFProxyUsernameKey")
      proxy.password = try text(values, key("Password"), or: "kCFProxyPasswordKey")
      do throws(RefusedSetting) {
        return try proxy.server()
      } catch {
        throw .proxies("names no proxy: \(error.member) \(error.reason)", error.remedy)
      }
    }
  }

  /// Version 5 where none is named. An unknown version must not be taken for one that does without a password.
  private static func socks(
    _ version: Any?, _ key: String
  ) throws(RefusedSetting) -> URLSessionConfiguration.Proxy.Kind {
    switch version.map({ "\($0)" }) ?? "5" {
    case "5", "5.0", "kCFStreamSocketSOCKSVersion5": return .socks5h
    case "4", "4.0", "kCFStreamSocketSOCKSVersion4": return .socks4a
    default: throw .proxies("names no version of SOCKS under \(key)", "set it to 4 or 5")
    }
  }

  /// The text under the first of two keys that is there; nil where neither is.
  private static func text(
    _ values: [String: Any], _ first: String, or second: String
  ) throws(RefusedSetting) -> String? {
    guard let (key, value) = [first, second].lazy.compactMap({ key in values[key].map { (key, $0) } }).first
    else { return nil }
    guard let text = value as? String else {
      throw .proxies("has something other than a string under \(key)", "make it a string")
    }
    return text
  }

  /// A number, or its text, whatever type it came in; nil where there is none.
  private static func port(_ value: Any?, _ key: String) throws(RefusedSetting) -> Int? {
    guard let value else { return nil }
    guard let port = Int("\(value)") else {
      throw .proxies("has no number under \(key)", "set it to 1 to 65535")
    }
    return port
  }

  /// Whether a proxy is to be used. What is no truth value counts as one that is on, and then the proxy has to be named: the
  /// network must not be told without it.
  private static func isOn(_ value: Any) -> Bool { truth(value) ?? true }

  /// Numbers, truth values and their texts, whatever type they came in; nil for anything else.
  private static func truth(_ value: Any) -> Bool? {
    switch "\(value)".asciiLowercased {
    case "0", "0.0", "false", "no", "": false
    case "1", "1.0", "true", "yes": true
    default: nil
    }
  }
}

extension RefusedSetting {
  fileprivate static func proxies(_ reason: String, _ remedy: String) -> RefusedSetting {
    RefusedSetting("URLSessionConfiguration.connectionProxyDictionary", reason, instead: remedy)
  }

  static let twoWaysToProxies = RefusedSetting(
    "URLSessionConfiguration.proxySelection",
    "is set beside connectionProxyDictionary, and only one can be kept to",
    instead: "leave one of them alone")
}
