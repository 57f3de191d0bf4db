import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics

extension HTTPCookieStorage {
  /// Whether no request can find a cookie here, which is so for most; a subclass may keep its own elsewhere.
  var holdsNothing: Bool { type(of: self) == HTTPCookieStorage.self && isEmpty }

  /// The value of `Cookie` for a request, or `nil` for none.
  ///
  /// - Parameter mainDocumentURL: For whom the request is made. Where that is another site, cookies that are not to go
  ///   along with other sites' requests stay here (RFC 6265bis §5.8.3).
  /// - Parameter now: Seconds since 1970 by the clock of the request's loop.
  package func header(for url: URL, mainDocumentURL: URL? = nil, now: Double) -> FieldValue? {
    if holdsNothing { return nil }
    guard var found = cookies(for: url, now: now), !found.isEmpty else { return nil }
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
    let date = Date(timeIntervalSince1970: now)
    var cookies = lines.compactMap { HTTPCookie(setCookie: $0, from: url, now: date) }
    if cookies.isEmpty { return }
    let isFirstParty = mainDocumentURL == nil || Self.isFirstParty(url, to: mainDocumentURL)
    // Step 18 of §5.7: what is kept from other sites' requests is not set by them either.
    if !isFirstParty { cookies.removeAll { !$0.cookie.goesAcrossSites } }
    switch policy {
    case .never: return
    case .onlyFromMainDocumentDomain:
      if isFirstParty { setCookies(cookies, for: url, mainDocumentURL: mainDocumentURL, now: now) }
    // A storage that compares with the document has nothing to compare with, and accepts.
    case .always: setCookies(cookies, for: url, mainDocumentURL: nil, now: now)
    case nil: setCookies(cookies, for: url, mainDocumentURL: mainDocumentURL, now: now)
    }
  }

  /// Whether what these lines set, or for whom, can only be judged by a list that has not been read yet.
  static func needsSuffixes(_ lines: [FieldValue], mainDocumentURL: URL?) -> Bool {
    guard !PublicSuffixList.isLoaded else { return false }
    return mainDocumentURL != nil
      || lines.contains { line in
        line.text.utf8.split(separator: UInt8(ascii: ";")).dropFirst().contains { part in
          Substring(part).trimmingOptionalWhitespace.asciiLowercased.hasPrefix("domain")
        }
      }
  }
}
