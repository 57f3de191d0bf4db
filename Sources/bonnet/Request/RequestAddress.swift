// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetSemantics

/// A URL as curl takes it: so close to the typed text that the server gets exactly that.
struct RequestAddress: Equatable, Sendable {
  /// The parts that are asked for beside the URL itself.
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
  /// The parts for the user alone: the spelling of the path and the query where the request has another one, and the fragment.
  private var typedPath: String?
  private var typedQuery: String?
  private var fragment: String?

  init(_ typed: String, rules: Rules = Rules()) throws(CommandError) {
    // As in curl: characters that would have to be escaped are the user's to escape, except outside ASCII.
    guard !typed.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) else {
      throw CommandError(
        .badURL, "a URL holds neither spaces nor control characters: \(RedactedURL(unparsed: typed).short)")
    }
    // By scalars, as all that follows: a combining mark behind a slash makes another character of it, and a path of a host.
    var rest = typed.unicodeScalars[...]
    scheme = try Self.scheme(&rest, typed, rules)
    // Without the fragment: that is for the user only.
    if let mark = rest.firstIndex(of: "#") {
      let text = rest[rest.index(after: mark)...]
      fragment = text.isEmpty ? nil : String(text)
      rest = rest[..<mark]
    }
    let authority = String(rest.prefix { $0 != "/" && $0 != "?" })
    rest = rest.drop { $0 != "/" && $0 != "?" }
    let fault = CommandError(.badURL, "this is not a URL: \(RedactedURL(unparsed: typed).short)")
    guard let place = Self.place(of: authority), let host = Self.host(place.host) else { throw fault }
    (user, password, self.host) = (place.user, place.password, host)
    // Of the control characters that no name has (RFC 7617 §2), this one ends a text for readers in C; curl takes
    // the others.
    guard ![user, password].contains(where: { $0.map(Self.decoded)?.utf8.contains(0) == true }) else {
      throw CommandError(
        .badURL, "the URL has a user or a password with %00 in it: \(RedactedURL(unparsed: typed).short)")
    }
    if let digits = place.port {
      guard let number = UInt16(digits) else {
        throw CommandError(
          .badURL, "the port is out of range, the largest is 65535: \(RedactedURL(unparsed: typed).short)")
      }
      guard number > 0 else {
        throw CommandError(.refused, "there is no port 0: \(RedactedURL(unparsed: typed).short)")
      }
      port = String(number)
    }
    if rules.refusesUsers, user != nil {
      throw CommandError(.loginDenied, "the URL has a user in it: \(RedactedURL(unparsed: typed).short)")
    }
    let path = String(rest.prefix { $0 != "?" })
    if let mark = rest.firstIndex(of: "?") {
      let typed = String(rest[rest.index(after: mark)...])
      query = Self.escaped(typed)
      if query != typed { typedQuery = typed }
    }
    let typedPath = path.isEmpty ? "/" : rules.keepsDots ? path : Self.withoutDotSegments(path)
    self.path = Self.escaped(typedPath)
    if self.path != typedPath { self.typedPath = typedPath }
    guard URL(string: "http://\(authority)/")?.host()?.isEmpty == false else { throw fault }
  }

  /// The spelling of a host: names keep their letters, and the dot at their end; others get the usual one. Nil if it is none.
  private static func host(_ typed: String) -> String? {
    guard !typed.isEmpty, let canonical = RawRequestOptions.Host.canonical(typed) else { return nil }
    if canonical.contains(":") { return "[\(canonical.replacing("%", with: "%25"))]" }
    let isName = typed.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "%") }
    return isName && !canonical.split(separator: ".").allSatisfy { UInt8($0) != nil } ? typed : canonical
  }

  /// With escapes outside ASCII.
  private static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    return ByteText.bytes(text).map { byte in
      byte < 0x80 ? String(Unicode.Scalar(byte)) : "%" + String(byte, radix: 16)
    }.joined()
  }

  /// The target of a `Location` that came from here (RFC 3986 §5.2). Spaces in it are escaped: as `+` in a query.
  func following(_ location: String, rules: Rules) throws(CommandError) -> RequestAddress {
    var text = ""
    var isQuery = false
    for scalar in location.unicodeScalars {
      if scalar == "?" { isQuery = true }
      if scalar == " " { text += isQuery ? "+" : "%20" } else { text.unicodeScalars.append(scalar) }
    }
    let reference = text.unicodeScalars.prefix { $0 != "#" }
    let whole: String
    var keepsAuthority = false
    if let scheme = Self.scheme(of: reference) {
      guard SchemeSet.web.contains(scheme) else {
        throw CommandError(
          .unsupportedScheme, "the scheme \"\(scheme)\" is not supported; http and https are")
      }
      whole = text
    } else if reference.starts(with: "//".unicodeScalars) {
      whole = "\(scheme):\(text)"
    } else {
      let start = "\(scheme)://\(authority)"
      keepsAuthority = true
      if reference.isEmpty {
        whole = start + target + text
      } else if reference.first == "/" {
        whole = start + text
      } else if reference.first == "?" {
        whole = start + path + text
      } else {
        // Dots that are kept are names like others; those of the reference lead away from them (RFC 3986 §5.2.3).
        var base = path.unicodeScalars[...(path.unicodeScalars.lastIndex(of: "/") ?? path.startIndex)]
        var rest = text.unicodeScalars[...]
        while rules.keepsDots, rest.starts(with: "../".unicodeScalars) {
          rest = rest.dropFirst(3)
          let before = base.dropLast()
          if let slash = before.lastIndex(of: "/") { base = before[...slash] }
        }
        whole = start + String(base) + String(rest)
      }
    }
    var next = try RequestAddress(whole, rules: rules)
    // It is a server's spelling, not the user's.
    (next.typedPath, next.typedQuery) = (nil, nil)
    if keepsAuthority { (next.user, next.password) = (user, password) }
    return next
  }

  /// The scheme of an absolute reference (RFC 3986 §3.1); nil for a relative one.
  private static func scheme(of reference: Substring.UnicodeScalarView) -> String? {
    guard let colon = reference.firstIndex(of: ":") else { return nil }
    let name = String(reference[..<colon])
    guard let first = name.utf8.first, Character(Unicode.Scalar(first)).isLetter, first < 0x80,
      name.utf8.allSatisfy({
        $0 < 0x80 && (Character(Unicode.Scalar($0)).isLetter || "0123456789+-.".utf8.contains($0))
      })
    else { return nil }
    return name.lowercased()
  }

  /// `http://`, `http:/` and `http:///` are all taken for the first; without any, the host's name may tell.
  private static func scheme(
    _ rest: inout Substring.UnicodeScalarView, _ typed: String, _ rules: Rules
  ) throws(CommandError) -> String {
    var scheme = rules.usualScheme ?? "http"
    if let colon = rest.firstIndex(of: ":"), rest[colon...].starts(with: ":/".unicodeScalars),
      isScheme(String(rest[..<colon]))
    {
      scheme = String(rest[..<colon]).lowercased()
      let slashes = rest[rest.index(after: colon)...].prefix { $0 == "/" }
      guard slashes.count <= 3 else {
        throw CommandError(.badURL, "this is not a URL: \(RedactedURL(unparsed: typed).short)")
      }
      rest = rest[slashes.endIndex...]
    } else if rules.usualScheme == nil, let dot = rest.firstIndex(of: "."),
      ["ftp", "dict", "ldap", "imap", "smtp", "pop3"].contains(String(rest[..<dot]).lowercased())
    {
      scheme = String(rest[..<dot]).lowercased()
    }
    guard SchemeSet.all.contains(scheme) else {
      throw CommandError(
        .unsupportedScheme, "the scheme \"\(scheme)\" is not supported; http and https are")
    }
    guard rules.schemes.contains(scheme) else {
      throw CommandError(.unsupportedScheme, "the scheme \"\(scheme)\" was ruled out by --proto")
    }
    return scheme
  }

  private static func isScheme(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isLetter || "0123456789+-.".utf8.contains($0) }
      // A host and a port, as in localhost:/.
      && !text.contains(".")
  }

  private typealias Place = (user: String?, password: String?, host: String, port: String?)

  private static func place(of authority: String) -> Place? {
    var host = authority.unicodeScalars[...]
    var user: String?
    var password: String?
    // The text after the first one is the host, and that is empty.
    if let (who, rest) = ByteText.halves(authority, at: "@") {
      let halves = ByteText.halves(who, at: ":")
      user = halves?.before ?? who
      password = halves?.after
      // An empty one is as good as none.
      if user?.isEmpty != false, password == nil { user = nil }
      host = rest.unicodeScalars[...]
      guard !host.contains("@") else { return nil }
    }
    var port: String?
    let hostEnd = host.first == "[" ? host.firstIndex(of: "]") : host.startIndex
    guard let hostEnd else { return nil }
    if let colon = host[hostEnd...].lastIndex(of: ":") {
      let digits = String(host[host.index(after: colon)...])
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      port = digits.isEmpty ? nil : digits
      host = host[..<colon]
    }
    return (user, password, String(host), port)
  }

  /// RFC 3986 §5.2.4.
  private static func withoutDotSegments(_ path: String) -> String {
    var kept: [String] = []
    let segments = ByteText.split(path, at: "/")
    for (index, segment) in segments.enumerated() {
      let isDots = segment == "." || segment == ".."
      // The first one is the emptiness before the first slash.
      if segment == "..", kept.count > 1 { kept.removeLast() }
      if !isDots { kept.append(segment) } else if index == segments.count - 1 { kept.append("") }
    }
    return kept.joined(separator: "/")
  }

  // MARK: Its forms

  var authority: String { host + (port.map { ":" + $0 } ?? "") }

  /// The whole of it, without user information and fragment.
  var text: String { "\(scheme)://\(authority)\(target)" }

  /// As it was typed: with user information and fragment, but without dots in its path.
  var shown: String {
    let named = user.map { $0 + (password.map { ":" + $0 } ?? "") + "@" } ?? ""
    let shownQuery = (typedQuery ?? query).flatMap { $0.isEmpty ? nil : "?" + $0 } ?? ""
    return "\(scheme)://\(named)\(authority)\(shownPath)\(shownQuery)"
      + (fragment.map { "#" + $0 } ?? "")
  }

  /// The path as it was typed, but without dots.
  var shownPath: String { typedPath ?? path }

  /// The target in the request line.
  var target: String { path + (query.map { "?" + $0 } ?? "") }

  /// The URL in Foundation's form, perhaps with the path in another spelling; its host was tried when this was made. One that only
  /// a proxy fetches is asked for over HTTP, too: the request line has its own address (``proxyForm(as:)``).
  var url: URL? {
    let place = needsProxy ? "http://\(host):\(effectivePort)" : "\(scheme)://\(authority)"
    return URL(string: place + target) ?? URL(string: place + "/")
  }

  /// Whether it is spoken to by an HTTP proxy only.
  var needsProxy: Bool { !SchemeSet.web.contains(scheme) }

  /// The target in the request line in place of a URL's own.
  var statedTarget: String? { target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? target : nil }

  /// The host and the port as `Host` has them: with the user's letters and dots.
  var hostField: String {
    // A zone means something on this machine only (RFC 6874 §3).
    let shown = host.hasPrefix("[") ? host.prefix { $0 != "%" && $0 != "]" } + "]" : host
    return isUsualPort ? shown : "\(shown):\(effectivePort)"
  }

  /// Whether the host is spelled in another way than the one in which it is connected to.
  var isSpelledUnusually: Bool { host != host.lowercased() || host.hasSuffix(".") }

  /// The absolute form that a proxy is asked by.
  var absoluteForm: String { "\(scheme)://\(hostField)\(target)" }

  /// The absolute form of a URL that only a proxy fetches: with the credentials in it, since the server's protocol has no fields.
  func proxyForm(as credentials: (user: String, password: String)?) -> String {
    func escaped(_ text: String) -> String {
      Self.lowercasingEscapes(String(decoding: PercentCoding.encoded(ByteText.bytes(text)), as: UTF8.self))
    }
    let who = credentials.map { "\(escaped($0.user)):\(escaped($0.password))@" } ?? ""
    return "\(scheme)://\(who)\(authority)\(target)"
  }

  /// One that `Host` does not have: the request is one of HTTP, whatever is asked for.
  private var isUsualPort: Bool { effectivePort == (scheme == "https" ? 443 : 80) }

  var effectivePort: Int {
    port.flatMap { Int($0) } ?? (scheme == "https" ? 443 : scheme == "ftp" ? 21 : 80)
  }

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
    ByteText.text(PercentCoding.decoded(ByteText.bytes(text)))
  }

  /// Adds to the query; escapes in the addition are written in lower case, as in curl. Characters outside ASCII are escaped,
  /// where curl lets it out as it is (RFC 9112 §3.2).
  mutating func addQuery(_ added: String) throws(CommandError) {
    guard !added.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) else {
      throw CommandError(.badURL, "a query holds neither spaces nor control characters; see --data-urlencode")
    }
    let typed = Self.lowercasingEscapes(added)
    let text = Self.escaped(typed)
    let before = query ?? ""
    let separator = before.isEmpty || before.hasSuffix("&") ? "" : "&"
    if typedQuery != nil || typed != text { typedQuery = (typedQuery ?? before) + separator + typed }
    query = before + separator + text
  }

  private static func lowercasingEscapes(_ text: String) -> String {
    var bytes = ByteText.bytes(text)
    for index in bytes.indices where bytes[index] == UInt8(ascii: "%") {
      let digits = index + 1..<min(index + 3, bytes.count)
      guard digits.count == 2, bytes[digits].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
        continue
      }
      // Of the digits it makes nothing else.
      for digit in digits { bytes[digit] |= 0x20 }
    }
    return ByteText.text(bytes)
  }

  /// A path that ends with a slash gets the name of the file uploaded there.
  mutating func addFileName(_ path: String) {
    guard self.path.hasSuffix("/"), let name = ByteText.split(path, at: "/").last(where: { !$0.isEmpty }),
      name != "-", name != "."
    else { return }
    let added = Self.lowercasingEscapes(
      String(decoding: PercentCoding.encoded(ByteText.bytes(name)), as: UTF8.self))
    self.path += added
    typedPath? += added
  }
}
