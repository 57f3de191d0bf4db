import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics

extension HTTPCookieStorage {
  /// Whether no request can find a cookie here, the usual case; a subclass may keep its own elsewhere.
  var holdsNothing: Bool { type(of: self) == HTTPCookieStorage.self && isEmpty }

  /// The value of `Cookie` for a request, or `nil` for none.
  ///
  /// - Parameter mainDocumentURL: The document that the request is made for. Where that is another site, cookies not to go
  ///   along with other sites' requests stay here (RFC 6265bis §5.8.3).
  /// - Parameter target: `url`, taken apart; nil where that is still to be done.
  /// - Parameter now: Seconds since 1970 by the clock of the request's loop.
  package func header(
    for url: URL, at target: TargetURI? = nil, mainDocumentURL: URL? = nil, now: Double
  ) -> FieldValue? {
    if holdsNothing { return nil }
    guard var found = cookies(for: url, at: target, now: now), !found.isEmpty else { return nil }
    if let mainDocumentURL, found.contains(where: { !$0.cookie.goesAcrossSites }),
      !Self.isFirstParty(url, to: mainDocumentURL, suffixes: PublicSuffixList.atHand)
    {
      found.removeAll { !$0.cookie.goesAcrossSites }
    }
    return HTTPCookie.header(of: found)
  }

  /// Stores the `Set-Cookie` lines of a response, under the policy of a session if that has one of its own.
  ///
  /// - Parameter now: Seconds since 1970 by the clock of the response's loop.
  package func store(
    setCookieLines lines: [FieldValue], from url: URL, mainDocumentURL: URL?,
    policy: HTTPCookie.AcceptPolicy? = nil, now: Double
  ) {
    guard policy != .never, let target = try? TargetURI.of(url) else { return }
    var cookies = lines.compactMap { HTTPCookie(setCookie: $0, from: target, now: now) }
    if cookies.isEmpty { return }
    let isFirstParty = mainDocumentURL == nil || Self.isFirstParty(url, to: mainDocumentURL)
    // Step 18 of §5.7: cookies kept from other sites' requests are not set by them either.
    if !isFirstParty { cookies.removeAll { !$0.cookie.goesAcrossSites } }
    if policy == .onlyFromMainDocumentDomain, !isFirstParty { return }
    // Where all are accepted, a storage that compares with the document has nothing to compare with, and accepts.
    guard type(of: self) == HTTPCookieStorage.self else {
      return setCookies(cookies, for: url, mainDocumentURL: policy == .always ? nil : mainDocumentURL)
    }
    store(cookies, from: target, now: now) { own in
      own == .always || own == .onlyFromMainDocumentDomain && (isFirstParty || policy == .always)
    }
  }

  /// Whether these lines, or their site, can only be judged by a list that has not been read yet.
  static func needsSuffixes(_ lines: [FieldValue], mainDocumentURL: URL?) -> Bool {
    if PublicSuffixList.isLoaded { return false }
    return mainDocumentURL != nil || lines.contains { Cookie.namesDomain($0.bytes.span) }
  }
}
