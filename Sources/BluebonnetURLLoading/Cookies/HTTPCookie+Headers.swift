import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics

extension HTTPCookie {
  /// The cookies of a response's fields, as far as `url` may set them.
  public class func cookies(withResponseHeaderFields headerFields: [String: String], for url: URL)
    -> [HTTPCookie]
  {
    guard let line = headerFields.first(where: { $0.key.equalsIgnoringASCIICase("Set-Cookie") })?.value,
      let target = try? TargetURI.of(url)
    else { return [] }
    let now = Date().timeIntervalSince1970
    return Cookie.split(line).compactMap {
      HTTPCookie(setCookie: FieldValue(String($0)), from: target, now: now)
    }
  }

  /// The `Cookie` field with these cookies, in their order; no field for none (RFC 6265bis §4.2). It is not checked where
  /// they may be sent.
  public class func requestHeaderFields(with cookies: [HTTPCookie]) -> [String: String] {
    header(of: cookies).map { ["Cookie": $0.text] } ?? [:]
  }

  /// The value of `Cookie` (RFC 6265bis §5.8.3), or `nil` for no cookies.
  package static func header(of cookies: [HTTPCookie]) -> FieldValue? {
    Cookie.header(of: cookies.map(\.cookie))
  }
}
