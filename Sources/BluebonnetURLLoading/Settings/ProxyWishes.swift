import BluebonnetSemantics

/// Whether a dictionary of proxies, under CFNetwork's keys, asks for one.
///
/// A group of keys that has no switch of its own is taken to be switched on, and a key that nobody knows to concern
/// everything: whoever meant to hide behind a proxy must not be shown to the network.
struct ProxyWishes {
  private(set) var concernPlain = false
  private(set) var concernSecure = false

  /// What a key is about. HTTPS comes before HTTP, of whose name it is a continuation.
  private enum Group: String, CaseIterable {
    case secure = "HTTPS"
    case plain = "HTTP"
    case socks = "SOCKS"
    case script = "ProxyAutoConfig"
    case discovery = "ProxyAutoDiscovery"
  }

  /// What says nothing of http or https, or only where a proxy is not wanted.
  private static let harmless = ["ExceptionsList", "ExcludeSimpleHostnames", "FTP", "Gopher", "RTSP"]

  init(_ dictionary: [AnyHashable: Any]) {
    var asked: [Group: Bool] = [:]
    for (key, value) in dictionary {
      let name = key.base as? String ?? "\(key.base)"
      if Self.harmless.contains(where: name.hasPrefix) { continue }
      guard let group = Group.allCases.first(where: { name.hasPrefix($0.rawValue) }) else {
        (concernPlain, concernSecure) = (true, true)
        continue
      }
      if name == group.rawValue + "Enable" {
        asked[group] = Self.isOn(value)
      } else if asked[group] == nil, dictionary[group.rawValue + "Enable"] == nil {
        asked[group] = true
      }
    }
    for (group, isAsked) in asked where isAsked {
      concernPlain = concernPlain || group != .secure
      concernSecure = concernSecure || group != .plain
    }
  }

  /// Numbers, truth values and their texts, whatever type they came in.
  private static func isOn(_ value: Any) -> Bool {
    !["0", "0.0", "false", "no", ""].contains("\(value)".asciiLowercased)
  }
}
