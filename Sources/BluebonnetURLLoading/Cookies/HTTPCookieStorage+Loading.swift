import BluebonnetFoundation

extension HTTPCookieStorage {
  /// The value of `Cookie` for a request, or `nil` for none.
  package func header(for url: URL) -> String? {
    // Most loads find no cookie at all; a subclass may keep its own elsewhere.
    if type(of: self) == HTTPCookieStorage.self, isEmpty { return nil }
    return cookies(for: url).flatMap(HTTPCookie.header)
  }

  /// Stores the `Set-Cookie` lines of a response, under the policy of a session if that has one of its own.
  package func store(
    setCookieLines lines: [String], from url: URL, mainDocumentURL: URL?,
    policy: HTTPCookie.AcceptPolicy? = nil, now: Date = Date()
  ) {
    let cookies = lines.compactMap { HTTPCookie(setCookie: $0, from: url, now: now) }
    if cookies.isEmpty { return }
    switch policy {
    case .never: return
    case .onlyFromMainDocumentDomain:
      guard Self.isFirstParty(url, to: mainDocumentURL) else { return }
      setCookies(cookies, for: url, mainDocumentURL: mainDocumentURL)
    // A storage that compares with the document has nothing to compare with, and accepts.
    case .always: setCookies(cookies, for: url, mainDocumentURL: nil)
    case nil: setCookies(cookies, for: url, mainDocumentURL: mainDocumentURL)
    }
  }
}
