import Bluebonnet

/// The URL of a request, made of what was typed.
struct RequestAddress: Equatable {
  let url: URL

  /// - Parameter query: What `-G` adds to the query.
  init(_ typed: String, adding query: [UInt8]? = nil) throws(CommandError) {
    var text = typed
    if let query { Self.add(String(decoding: query, as: UTF8.self), to: &text) }
    // As curl: what would have to be escaped is the user's to escape.
    guard !text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) else {
      throw CommandError(
        .badURL, "a URL holds neither spaces nor control characters: \(ShownAddress(unparsed: text).short)")
    }
    let scheme = Self.scheme(of: text)
    guard ["http", "https", nil].contains(scheme) else {
      throw CommandError(
        .unsupportedScheme, "the scheme \"\(scheme ?? "")\" is not supported; http and https are")
    }
    if scheme == nil { text = "http://" + text }
    guard let url = URL(string: Self.withoutDotSegments(text)), url.host()?.isEmpty == false else {
      throw CommandError(.badURL, "this is not a URL: \(ShownAddress(unparsed: text).short)")
    }
    self.url = url
  }

  /// `user:password` of a URL that holds them.
  var credentials: String? {
    url.user(percentEncoded: false).map { "\($0):\(url.password(percentEncoded: false) ?? "")" }
  }

  /// Nil if there is none: a `://` in a query is part of no scheme.
  private static func scheme(of text: String) -> String? {
    guard let end = text.firstRange(of: "://")?.lowerBound else { return nil }
    let scheme = text[..<end]
    let isScheme =
      !scheme.isEmpty
      && scheme.utf8.allSatisfy {
        Character(Unicode.Scalar($0)).isLetter || "0123456789+-.".utf8.contains($0)
      }
    return isScheme ? scheme.lowercased() : nil
  }

  private static func add(_ data: String, to text: inout String) {
    let end = text.firstIndex(of: "#") ?? text.endIndex
    let separator = !text[..<end].contains("?") ? "?" : text[..<end].last == "?" ? "" : "&"
    text.insert(contentsOf: separator + data, at: end)
  }

  /// RFC 3986 §5.2.4, which curl applies to what was typed, too.
  private static func withoutDotSegments(_ text: String) -> String {
    guard let authority = text.firstRange(of: "://")?.upperBound,
      let start = text[authority...].firstIndex(where: { "/?#".contains($0) }), text[start] == "/"
    else { return text }
    let end = text[start...].firstIndex { "?#".contains($0) } ?? text.endIndex
    var kept: [Substring] = []
    let segments = text[start..<end].split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isDots = segment == "." || segment == ".."
      // The first one is the emptiness before the first slash.
      if segment == "..", kept.count > 1 { kept.removeLast() }
      if !isDots { kept.append(segment) } else if index == segments.count - 1 { kept.append("") }
    }
    return text[..<start] + kept.joined(separator: "/") + text[end...]
  }
}
