// SPDX-License-Identifier: MIT
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
    // Nearly always the field alone is wanted, and none of the objects.
    if mainDocumentURL == nil, type(of: self) == HTTPCookieStorage.self {
      if let target { return storedHeader(for: target, now: now) }
      return (try? TargetURI.of(url)).flatMap { storedHeader(for: $0, now: now) }
    }
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
    setCookiesOf fields: FieldBlock, from url: URL, mainDocumentURL: URL?,
    policy: HTTPCookie.AcceptPolicy? = nil, now: Double
  ) {
    guard policy != .never, let target = try? TargetURI.of(url) else { return }
    var cookies: [Cookie] = []
    fields.forEachValue(of: .setCookie) { line, encoding in
      if let cookie = Cookie(setCookie: line, encoding, from: target, now: now) { cookies.append(cookie) }
    }
    store(cookies, from: url, target, mainDocumentURL: mainDocumentURL, policy: policy, now: now)
  }

  private func store(
    _ cookies: consuming [Cookie], from url: URL, _ target: TargetURI, mainDocumentURL: URL?,
    policy: HTTPCookie.AcceptPolicy?, now: Double
  ) {
    if cookies.isEmpty { return }
    let isFirstParty = mainDocumentURL == nil || Self.isFirstParty(url, to: mainDocumentURL)
    // Step 18 of §5.7: cookies kept from other sites' requests are not set by them either.
    if !isFirstParty { cookies.removeAll { !$0.goesAcrossSites } }
    if policy == .onlyFromMainDocumentDomain, !isFirstParty { return }
    // Where all are accepted, a storage that compares with the document has nothing to compare with, and accepts.
    guard type(of: self) == HTTPCookieStorage.self else {
      return setCookies(
        cookies.map { HTTPCookie($0) }, for: url, mainDocumentURL: policy == .always ? nil : mainDocumentURL)
    }
    store(cookies, from: target, now: now) { own in
      own == .always || own == .onlyFromMainDocumentDomain && (isFirstParty || policy == .always)
    }
  }

  /// Whether these lines, or their site, can only be judged by a list that has not been read yet.
  static func needsSuffixes(_ fields: FieldBlock, mainDocumentURL: URL?) -> Bool {
    if PublicSuffixList.isLoaded { return false }
    if mainDocumentURL != nil { return true }
    var next = fields.index(of: .setCookie)
    while let index = next {
      if fields.withValue(at: index, Cookie.namesDomain) { return true }
      next = fields.index(of: .setCookie, from: index + 1)
    }
    return false
  }
}
