// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetLibc
import BluebonnetSemantics

/// The proxy that transfers go through, and the credentials for it.
struct ProxyChoice: Hashable, Sendable {
  let address: String
  /// Hosts that go without, as in `no_proxy`.
  let exceptions: String
  let user: String?
  let tunnels: Bool
  let isOld: Bool
  let methods: AuthenticationOptions.Methods
  let fields: [String: String]

  /// Nil where there is none: what the options say goes before what the environment says.
  init?(
    _ operation: Operation, address target: RequestAddress,
    variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }
  ) throws(CommandError) {
    func value(_ names: String...) -> String? {
      names.lazy.compactMap(variable).first { !$0.isEmpty }
    }
    let options = operation.proxy
    // In lower case only: what runs for a web server may have a field of a request under the other name.
    let stated =
      switch target.scheme {
      case "https": value("https_proxy", "HTTPS_PROXY")
      case "ftp": value("ftp_proxy", "FTP_PROXY")
      default: value("http_proxy")
      }
    guard let address = options.address ?? stated ?? value("all_proxy", "ALL_PROXY"), !address.isEmpty else {
      return nil
    }
    let exceptions = options.exceptions ?? value("no_proxy", "NO_PROXY") ?? ""
    if URLSessionConfiguration.ProxySelection.isException(target.host, in: exceptions) { return nil }
    self.address = address
    self.exceptions = exceptions
    user = options.user
    tunnels = options.tunnels
    isOld = options.address != nil && options.isOld
    methods = options.methods
    var fields: [String: String] = [:]
    let own = operation.request.fields.compactMap { FieldLine($0) }
    if !own.contains(where: { $0.name.lowercased() == "proxy-connection" }) {
      fields["Proxy-Connection"] = "Keep-Alive"
    }
    // A tunnel is asked for by the program that sends the request in it.
    if tunnels || target.scheme == "https", operation.request.agent != "" {
      fields["User-Agent"] = operation.request.agent ?? VersionText.product
    }
    var spellings: [String: String] = [:]
    for line in options.fields.compactMap({ FieldLine($0) }) {
      let name = line.name.lowercased()
      if spellings[name] == nil {
        for usual in fields.keys where usual.lowercased() == name { fields[usual] = nil }
      }
      guard let value = line.value else { continue }
      // Lines of one name are a list (RFC 9110 §5.2), but of these the first counts, as that of Host with -H.
      if let before = spellings[name].flatMap({ fields[$0] }) {
        if !["host", "proxy-authorization", "user-agent"].contains(name) {
          fields[spellings[name] ?? line.name] = before + (name == "cookie" ? "; " : ", ") + value
        }
      } else {
        (spellings[name], fields[line.name]) = (line.name, value)
      }
    }
    self.fields = fields
  }

  /// The value of `-U`, taken apart and without escapes.
  static func credentials(_ text: String) -> (user: String, password: String) {
    func plain(_ part: String) -> String {
      String(decoding: PercentCoding.decoded(part.utf8), as: UTF8.self)
    }
    let halves = ByteText.halves(text, at: ":")
    return (plain(halves?.before ?? text), plain(halves?.after ?? ""))
  }

  /// Whether resources, but for those of https, are asked for by the absolute form, and not through a tunnel.
  var takesAbsoluteForm: Bool { !tunnels && !address.lowercased().hasPrefix("socks") }

  func selection() throws(CommandError) -> URLSessionConfiguration.ProxySelection {
    var proxy: URLSessionConfiguration.Proxy
    do {
      proxy = try URLSessionConfiguration.Proxy(address)
    } catch {
      // A proxy of an unknown kind cannot be reached; otherwise it cannot be found.
      let isStrange = address.contains("://") && !address.hasPrefix("http") && !address.hasPrefix("socks")
      throw CommandError(
        isStrange ? .refused : .unresolvedProxy,
        "this is no proxy: \(RedactedURL(unparsed: address).short): \(error)")
    }
    if let user, proxy.user == nil { (proxy.user, proxy.password) = Self.credentials(user) }
    // As of an origin's URL.
    guard ![proxy.user, proxy.password].contains(where: { $0?.utf8.contains(0) == true }) else {
      throw CommandError(.badURL, "the proxy's user or password has %00 in it")
    }
    proxy.provesPath = true
    proxy.authenticationSchemes = .init(methods)
    proxy.sendsBasicAtOnce = methods == .basic
    proxy.sendsNTLMAtOnce = methods == .ntlm
    proxy.tunnelsPlainRequests = tunnels
    proxy.tunnelVersion = isOld ? .http10 : .http11
    proxy.additionalHeaders = fields
    return .proxy(proxy, except: exceptions)
  }
}

extension URLSessionConfiguration.AuthenticationSchemes {
  init(_ methods: AuthenticationOptions.Methods) { self.init(rawValue: methods.rawValue) }
}
