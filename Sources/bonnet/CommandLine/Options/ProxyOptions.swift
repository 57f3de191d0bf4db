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
    .value("socks4", nil, "host[:port]", [.proxy], "Goes through a SOCKS4 proxy") {
      $0.address = "socks4://" + $1
    },
    .value("socks4a", nil, "host[:port]", [.proxy], "… which looks names up") {
      $0.address = "socks4a://" + $1
    },
    .value("socks5", nil, "host[:port]", [.proxy], "Goes through a SOCKS5 proxy") {
      $0.address = "socks5://" + $1
    },
    .value("socks5-hostname", nil, "host[:port]", [.proxy], "… which looks names up") {
      $0.address = "socks5h://" + $1
    },
    .value("proxy-user", "U", "user:password", [.proxy, .auth], "User name and password for the proxy") {
      $0.user = $1
    },
    .value("noproxy", nil, "hosts", [.proxy], "Hosts that are reached directly; * for all") {
      $0.exceptions = $1
    },
    .flag("proxytunnel", "p", [.proxy], "Goes through the proxy by CONNECT for http, too") {
      $0.tunnels = $1
    },
    .valueInContext(
      "proxy-header", nil, "field", [.proxy], "A field for the proxy, as -H has it for the server"
    ) {
      options, text, context throws(CommandError) in
      options.fields += try FieldLine.texts(of: text, read: context.files.read)
    },
    .flag("proxy-basic", nil, [.proxy, .auth], "Basic authentication at the proxy") {
      $0.methods.set(.basic, $1)
    },
    .flag("proxy-digest", nil, [.proxy, .auth, .tls], "Digest authentication at the proxy") {
      $0.methods.set(.digest, $1)
    },
    .flag("proxy-ntlm", nil, [.proxy, .auth], "NTLM authentication at the proxy") {
      $0.methods.set(.ntlm, $1)
    },
    .flag("proxy-negotiate", nil, [.proxy, .auth], "Negotiate authentication at the proxy") {
      $0.methods.set(.negotiate, $1)
    },
    .act("proxy-anyauth", nil, [.proxy, .auth], "The strongest that the proxy offers") { $0.methods = .any },
    .flag("proxy-insecure", nil, [.proxy, .tls], "Accepts any certificate of the proxy's") {
      $0.acceptsAnyCertificate = $1
    },
    .value(
      "proxy-cacert", nil, "file", [.proxy, .tls], "Trusts these authorities where the proxy is concerned"
    ) { $0.authorities = $1 },
    .flag("suppress-connect-headers", nil, [.proxy], "Does not show what the proxy answered to CONNECT") {
      $0.hidesConnectHeads = $1
    },
  ]
}
