import BluebonnetFoundation

extension HTTPCookie {
  /// The cookies of a response's fields, as far as `url` may set them.
  public class func cookies(withResponseHeaderFields headerFields: [String: String], for url: URL)
    -> [HTTPCookie]
  {
    guard let line = headerFields.first(where: { $0.key.equalsIgnoringASCIICase("Set-Cookie") })?.value,
      let target = try? RequestTarget.of(url)
    else { return [] }
    let now = Date()
    return split(line).compactMap { HTTPCookie(setCookie: $0, from: target, now: now) }
  }

  /// The fields that send the cookies.
  public class func requestHeaderFields(with cookies: [HTTPCookie]) -> [String: String] {
    header(of: cookies).map { ["Cookie": $0] } ?? [:]
  }

  /// The value of `Cookie` (RFC 6265 §4.2.1), or `nil` for no cookies.
  package static func header(of cookies: [HTTPCookie]) -> String? {
    guard !cookies.isEmpty else { return nil }
    return cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }

  /// A dictionary has joined the lines with commas, which dates contain as well (RFC 6265 §3 warns of it). A comma
  /// separates cookies if a name and an equals sign follow it before the next semicolon or comma.
  static func split(_ line: String) -> [Substring] {
    var result: [Substring] = []
    let bytes = line.utf8
    var start = bytes.startIndex
    var search = start
    while let comma = bytes[search...].firstIndex(of: UInt8(ascii: ",")) {
      let next = bytes.index(after: comma)
      let upcoming = bytes[next...].prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
      if let equals = upcoming.firstIndex(of: UInt8(ascii: "=")),
        isToken(Substring(upcoming[..<equals]).trimmingOptionalWhitespace)
      {
        result.append(line[start..<comma])
        start = next
      }
      search = next
    }
    result.append(line[start...])
    return result
  }

  private static func isToken(_ name: Substring) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }
}
