import Bluebonnet
import BluebonnetSemantics

/// A URL as curl takes it: near enough to what was typed that the server gets exactly that.
struct RequestAddress: Equatable, Sendable {
  /// What is asked for beside the URL itself.
  struct Rules: Equatable, Sendable {
    var usualScheme: String?
    var keepsDots = false
    var refusesUsers = false
    var schemes = SchemeSet.all
  }

  var scheme: String
  /// With percent escapes, as they were typed.
  var user: String?
  var password: String?
  /// With brackets, if it is an IPv6 address.
  var host: String
  var port: String?
  /// Begins with a slash.
  var path: String
  var query: String?

  init(_ typed: String, rules: Rules = Rules()) throws(CommandError) {
    // As curl: what would have to be escaped is the user's to escape.
    guard !typed.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) else {
      throw CommandError(
        .badURL, "a URL holds neither spaces nor control characters: \(ShownAddress(unparsed: typed).short)")
    }
    var rest = typed[...]
    scheme = try Self.scheme(&rest, typed, rules)
    // Without the fragment, which is nobody's but the user's.
    rest = rest.prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    rest = rest[authority.endIndex...]
    let fault = CommandError(.badURL, "this is not a URL: \(ShownAddress(unparsed: typed).short)")
    guard let place = Self.place(of: authority), !place.host.isEmpty else { throw fault }
    (user, password, host, port) = place
    if rules.refusesUsers, user != nil {
      throw CommandError(.loginDenied, "the URL has a user in it: \(ShownAddress(unparsed: typed).short)")
    }
    let path = rest.prefix { $0 != "?" }
    if path.endIndex < rest.endIndex { query = String(rest[rest.index(after: path.endIndex)...]) }
    self.path = path.isEmpty ? "/" : rules.keepsDots ? String(path) : Self.withoutDotSegments(path)
    guard URL(string: text)?.host()?.isEmpty == false else { throw fault }
  }

  /// `http://`, `http:/` and `http:///` are all taken for the first; without any, the host's name may tell.
  private static func scheme(
    _ rest: inout Substring, _ typed: String, _ rules: Rules
  ) throws(CommandError) -> String {
    var scheme = rules.usualScheme ?? "http"
    if let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix(":/"), isScheme(rest[..<colon]) {
      scheme = rest[..<colon].lowercased()
      let slashes = rest[rest.index(after: colon)...].prefix { $0 == "/" }
      guard slashes.count <= 3 else {
        throw CommandError(.badURL, "this is not a URL: \(ShownAddress(unparsed: typed).short)")
      }
      rest = rest[slashes.endIndex...]
    } else if rules.usualScheme == nil, let dot = rest.firstIndex(of: "."),
      ["ftp", "dict", "ldap", "imap", "smtp", "pop3"].contains(rest[..<dot].lowercased())
    {
      scheme = rest[..<dot].lowercased()
    }
    guard SchemeSet.web.contains(scheme) else {
      throw CommandError(
        .unsupportedScheme, "the scheme \"\(scheme)\" is not supported; http and https are")
    }
    guard rules.schemes.contains(scheme) else {
      throw CommandError(.unsupportedScheme, "the scheme \"\(scheme)\" was ruled out by --proto")
    }
    return scheme
  }

  private static func isScheme(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isLetter || "0123456789+-.".utf8.contains($0) }
      // A host and a port, as in localhost:/.
      && !text.contains(".")
  }

  private typealias Place = (user: String?, password: String?, host: String, port: String?)

  private static func place(of authority: Substring) -> Place? {
    var host = authority
    var user: String?
    var password: String?
    if let at = authority.lastIndex(of: "@") {
      let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      user = parts.first.map(String.init)
      password = parts.count > 1 ? String(parts[1]) : nil
      // An empty one is as good as none.
      if user?.isEmpty != false, password == nil { user = nil }
      host = authority[authority.index(after: at)...]
    }
    var port: String?
    let hostEnd = host.first == "[" ? host.firstIndex(of: "]") : host.startIndex
    guard let hostEnd else { return nil }
    if let colon = host[hostEnd...].lastIndex(of: ":") {
      let digits = host[host.index(after: colon)...]
      guard digits.isEmpty || UInt16(digits) != nil else { return nil }
      port = digits.isEmpty ? nil : String(digits)
      host = host[..<colon]
    }
    return (user, password, String(host), port)
  }

  /// RFC 3986 §5.2.4.
  private static func withoutDotSegments(_ path: Substring) -> String {
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let plain = segment.lowercased().replacing("%2e", with: ".")
      let isDots = plain == "." || plain == ".."
      // The first one is the emptiness before the first slash.
      if plain == "..", kept.count > 1 { kept.removeLast() }
      if !isDots { kept.append(segment) } else if index == segments.count - 1 { kept.append("") }
    }
    return kept.joined(separator: "/")
  }

  // MARK: What is made of it

  var authority: String { host + (port.map { ":" + $0 } ?? "") }

  /// The whole of it, but for who asks and for the fragment.
  var text: String { "\(scheme)://\(authority)\(target)" }

  /// What stands in the request line.
  var target: String { path + (query.map { "?" + $0 } ?? "") }

  /// The URL as Foundation has it; it was tried when this was made.
  var url: URL? { URL(string: text) }

  /// The target where the URL's would be spelled in another way.
  var unusualTarget: String? {
    guard target.utf8.contains(where: { Self.escaped.contains($0) }) else { return nil }
    return target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? target : nil
  }

  /// What a URL writes as an escape, though servers are sent it as it is.
  private static let escaped = Set("[]{}|\\^\"<>`".utf8)

  var effectivePort: Int { port.flatMap { Int($0) } ?? (scheme == "https" ? 443 : 80) }

  /// Whether both lead to the same server.
  func isSameOrigin(as other: RequestAddress) -> Bool {
    scheme == other.scheme && host.lowercased() == other.host.lowercased()
      && effectivePort == other.effectivePort
  }

  /// `user:password` of a URL that holds them.
  var credentials: (user: String, password: String)? {
    user.map { (Self.decoded($0), Self.decoded(password ?? "")) }
  }

  private static func decoded(_ text: String) -> String {
    String(decoding: PercentCoding.decoded(text.utf8), as: UTF8.self)
  }

  mutating func addQuery(_ text: String) {
    guard let query, !query.isEmpty else { return query = text }
    self.query = query + (query.hasSuffix("&") ? "" : "&") + text
  }

  /// A path that ends with a slash gets the name of what is uploaded there.
  mutating func addFileName(_ path: String) {
    guard self.path.hasSuffix("/"), let name = path.split(separator: "/").last, name != "-", name != "."
    else {
      return
    }
    self.path += String(decoding: PercentCoding.encoded(name.utf8), as: UTF8.self)
  }
}
