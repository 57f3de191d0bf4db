/// The fields this client or its origin looks at, recognised while a head is parsed.
///
/// The raw value is the row in the table of names; ``FieldBlock/first(_:)-(KnownField)`` and the framing rules
/// test it instead of comparing strings.
public enum KnownField: UInt8, Sendable, CaseIterable {
  case connection, contentLength, transferEncoding, keepAlive, proxyConnection, upgrade, trailer, te
  case via, expect, contentType, contentEncoding, contentLanguage, contentLocation, contentRange
  case contentDisposition, date, server, location, setCookie, cacheControl, expires, etag
  case lastModified, vary, age, pragma, acceptRanges, wwwAuthenticate, authorization
  case proxyAuthenticate, proxyAuthorization, retryAfter, allow, link, altSvc, warning
  case strictTransportSecurity, contentSecurityPolicy, xContentTypeOptions, xFrameOptions
  case xXssProtection, referrerPolicy, accessControlAllowOrigin, xRequestID, host, userAgent, accept
  case acceptEncoding, acceptLanguage, cookie, referer, origin, range, ifMatch, ifNoneMatch
  case ifModifiedSince, ifUnmodifiedSince, ifRange

  /// The name in lower case.
  public var name: String {
    let row = Self.row(rawValue)
    var length = 0
    while row[length] != Byte.space { length += 1 }
    return String(decoding: UnsafeBufferPointer(start: row, count: length), as: UTF8.self)
  }
}

extension KnownField {
  /// Every row is 32 bytes wide and no name is longer than 31, so each ends in a space; the dash keeps the last
  /// row's spaces.
  private static var rowWidth: Int { 32 }
  private static var names: StaticString {
    """
    connection                      \
    content-length                  \
    transfer-encoding               \
    keep-alive                      \
    proxy-connection                \
    upgrade                         \
    trailer                         \
    te                              \
    via                             \
    expect                          \
    content-type                    \
    content-encoding                \
    content-language                \
    content-location                \
    content-range                   \
    content-disposition             \
    date                            \
    server                          \
    location                        \
    set-cookie                      \
    cache-control                   \
    expires                         \
    etag                            \
    last-modified                   \
    vary                            \
    age                             \
    pragma                          \
    accept-ranges                   \
    www-authenticate                \
    authorization                   \
    proxy-authenticate              \
    proxy-authorization             \
    retry-after                     \
    allow                           \
    link                            \
    alt-svc                         \
    warning                         \
    strict-transport-security       \
    content-security-policy         \
    x-content-type-options          \
    x-frame-options                 \
    x-xss-protection                \
    referrer-policy                 \
    access-control-allow-origin     \
    x-request-id                    \
    host                            \
    user-agent                      \
    accept                          \
    accept-encoding                 \
    accept-language                 \
    cookie                          \
    referer                         \
    origin                          \
    range                           \
    if-match                        \
    if-none-match                   \
    if-modified-since               \
    if-unmodified-since             \
    if-range                        \
    -
    """
  }

  @inline(__always)
  static func row(_ index: UInt8) -> UnsafePointer<UInt8> {
    names.utf8Start + Int(index) &* rowWidth
  }

  /// Slot by ``hash(_:_:_:)``: a row, or 255. Free of collisions, which a test verifies for every name.
  static let slots: [256 of UInt8] = [
    36, 255, 255, 255, 255, 41, 38, 255, 255, 19, 255, 12, 18, 255, 255, 255,
    13, 255, 255, 255, 24, 255, 255, 255, 21, 255, 255, 255, 32, 255, 255, 255,
    255, 255, 255, 255, 255, 28, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    44, 255, 255, 29, 10, 255, 255, 255, 46, 255, 255, 52, 58, 255, 40, 14,
    11, 255, 255, 255, 255, 255, 255, 9, 255, 255, 34, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 35, 255, 53, 255, 255, 255, 255, 255, 31, 0, 255,
    37, 255, 255, 255, 43, 255, 255, 16, 255, 255, 255, 255, 255, 255, 255, 7,
    20, 255, 255, 255, 255, 255, 255, 255, 255, 255, 47, 255, 8, 45, 255, 6,
    255, 255, 255, 255, 255, 255, 255, 54, 255, 255, 255, 50, 255, 255, 255, 26,
    255, 255, 255, 255, 255, 255, 17, 255, 39, 255, 56, 255, 255, 255, 255, 255,
    255, 42, 255, 255, 255, 255, 255, 255, 255, 1, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 51, 33, 255, 255, 255, 255, 255, 255, 255, 255, 255, 25,
    255, 255, 30, 255, 55, 4, 255, 48, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 57, 49, 255, 255, 3, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 23, 255, 255, 27, 255, 2,
    255, 255, 255, 255, 15, 255, 255, 255, 255, 255, 255, 255, 255, 22, 5, 255,
  ]

  @inline(__always)
  static func hash(_ head: UInt64, _ tail: UInt64, _ count: Int) -> Int {
    let mixed = (head ^ (tail &<< 17 | tail &>> 47)) &+ UInt64(truncatingIfNeeded: count)
    return Int(truncatingIfNeeded: (mixed &* 0xE8D7C321323EEC47) &>> 56)
  }
}
