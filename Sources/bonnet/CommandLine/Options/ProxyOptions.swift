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
  var usesHTTP10 = false
  var acceptsAnyCertificate = false
  var authorities: String?
}

extension ProxyOptions {
  /// The words of the command line that set them.
  static let entries: [OptionEntry<ProxyOptions>] = [
    .value(
      "proxy", "x", "[scheme://]host[:port]", [.proxy],
      "Goes through this proxy, for ftp: URLs, too; an empty one stands for none"
    ) {
      ($0.address, $0.isOld) = ($1, false)
    },
    .value(
      "proxy1.0", nil, "[scheme://]host[:port]", [.proxy], "HTTP proxy for tunnels in HTTP/1.0"
    ) {
      ($0.address, $0.isOld) = ($1, true)
    },
    socks("socks4", "Goes through a SOCKS4 proxy", scheme: "socks4"),
    socks("socks4a", "… which looks names up", scheme: "socks4a"),
    socks("socks5", "Goes through a SOCKS5 proxy", scheme: "socks5"),
    socks("socks5-hostname", "… which looks names up", scheme: "socks5h"),
    .value(
      "proxy-user", "U", "user:password", [.proxy, .auth], "User name and password for the proxy",
      sets: \.user),
    .value(
      "noproxy", nil, "hosts", [.proxy], "Hosts that are reached directly; * for all", sets: \.exceptions),
    .flag("proxytunnel", "p", [.proxy], "Goes through the proxy by CONNECT for http, too", sets: \.tunnels),
    .valueInContext(
      "proxy-header", nil, "field", [.proxy], "A field for the proxy, as -H has it for the server"
    ) {
      options, text, context throws(CommandError) in
      options.fields += try FieldLine.texts(of: text, read: context.files.read)
    },
    method("proxy-basic", .basic, [.proxy, .auth], "Basic authentication at the proxy"),
    method("proxy-digest", .digest, [.proxy, .auth, .tls], "Digest authentication at the proxy"),
    method("proxy-ntlm", .ntlm, [.proxy, .auth], "NTLM authentication at the proxy"),
    method("proxy-negotiate", .negotiate, [.proxy, .auth], "Negotiate authentication at the proxy"),
    .act("proxy-anyauth", nil, [.proxy, .auth], "The strongest that the proxy offers") { $0.methods = .any },
    .flag(
      "proxy-insecure", nil, [.proxy, .tls], "Accepts any certificate of the proxy's",
      sets: \.acceptsAnyCertificate),
    .value(
      "proxy-cacert", nil, "file", [.proxy, .tls], "Trusts these authorities where the proxy is concerned",
      sets: \.authorities),
    .flag(
      "suppress-connect-headers", nil, [.proxy], "Does not show what the proxy answered to CONNECT",
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
