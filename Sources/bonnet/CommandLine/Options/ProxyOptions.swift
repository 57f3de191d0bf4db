// SPDX-License-Identifier: MIT

/// The way around.
struct ProxyOptions: Equatable, Sendable {
  /// The proxy as it was typed, with its scheme; an empty one stands for none at all, nil for what the environment says.
  var address: String?
  var user: String?
  /// Hosts that are reached directly; nil for what the environment says.
  var exceptions: String?
  var tunnels = false
  /// It is asked for tunnels in HTTP/1.0.
  var isOld = false
  var fields: [String] = []
  var methods = AuthenticationOptions.Methods.basic
  /// Heads of answers to CONNECT are not shown.
  var hidesConnectHeads = false
  var acceptsAnyCertificate = false
  var authorities: String?
}

extension ProxyOptions {
  /// The words of the command line that set them.
  static let entries: [OptionEntry<ProxyOptions>] = [
    .value(
      "proxy", "x", "[scheme://]host[:port]", [.proxy],
      "Uses this proxy, for ftp: URLs, too; '' for no proxy"
    ) {
      ($0.address, $0.isOld) = ($1, false)
    },
    .value(
      "proxy1.0", nil, "[scheme://]host[:port]", [.proxy], "Uses this HTTP proxy, with HTTP/1.0 for tunnels"
    ) {
      ($0.address, $0.isOld) = ($1, true)
    },
    socks("socks4", "Uses this SOCKS4 proxy", scheme: "socks4"),
    socks("socks4a", "Uses this SOCKS4a proxy, which resolves names", scheme: "socks4a"),
    socks("socks5", "Uses this SOCKS5 proxy", scheme: "socks5"),
    socks("socks5-hostname", "Uses this SOCKS5 proxy, which resolves names", scheme: "socks5h"),
    .value(
      "proxy-user", "U", "user:password", [.proxy, .auth], "User and password for the proxy",
      sets: \.user),
    .value(
      "noproxy", nil, "hosts", [.proxy], "Hosts to reach without the proxy; * for all", sets: \.exceptions),
    .flag("proxytunnel", "p", [.proxy], "Tunnels http: through the proxy, too (CONNECT)", sets: \.tunnels),
    .valueInContext(
      "proxy-header", nil, "field", [.proxy], "Sends this header field to the proxy"
    ) {
      options, text, context throws(CommandError) in
      options.fields += try FieldLine.texts(of: text, read: context.files.read)
    },
    method("proxy-basic", .basic, [.proxy, .auth], "Uses Basic authentication with the proxy"),
    method("proxy-digest", .digest, [.proxy, .auth, .tls], "Uses Digest authentication with the proxy"),
    method("proxy-ntlm", .ntlm, [.proxy, .auth], "Uses NTLM authentication with the proxy"),
    method("proxy-negotiate", .negotiate, [.proxy, .auth], "Uses Negotiate authentication with the proxy"),
    .act("proxy-anyauth", nil, [.proxy, .auth], "Uses the strongest scheme that the proxy offers") {
      $0.methods = .any
    },
    .flag(
      "proxy-insecure", nil, [.proxy, .tls], "Accepts any certificate of the proxy",
      sets: \.acceptsAnyCertificate),
    .value(
      "proxy-cacert", nil, "file", [.proxy, .tls], "CA certificates to trust for the proxy (PEM)",
      sets: \.authorities),
    .flag(
      "suppress-connect-headers", nil, [.proxy], "Hides the proxy's response to CONNECT",
      sets: \.hidesConnectHeads),
  ]

  private static func socks(_ name: String, _ help: String, scheme: String) -> OptionEntry<ProxyOptions> {
    .value(name, nil, "host[:port]", [.proxy], help) { $0.address = "\(scheme)://" + $1 }
  }

  private static func method(
    _ name: String, _ method: AuthenticationOptions.Methods, _ categories: Set<OptionCategory>, _ help: String
  ) -> OptionEntry<ProxyOptions> {
    .flag(name, nil, categories, help) { $0.methods.set(method, $1) }
  }
}
