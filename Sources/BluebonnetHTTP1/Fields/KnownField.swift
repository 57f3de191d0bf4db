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
    while row[length] != Byte.colon { length += 1 }
    return String(decoding: UnsafeBufferPointer(start: row, count: length), as: UTF8.self)
  }
}

extension KnownField {
  /// Every row is 32 bytes wide: the name, its colon and padding. The last row matches no name.
  @inline(__always)
  static func row(_ index: UInt8) -> UnsafePointer<UInt8> {
    names.utf8Start + Int(index) &* 32
  }

  private static var names: StaticString {
    """
    connection:                     \
    content-length:                 \
    transfer-encoding:              \
    keep-alive:                     \
    proxy-connection:               \
    upgrade:                        \
    trailer:                        \
    te:                             \
    via:                            \
    expect:                         \
    content-type:                   \
    content-encoding:               \
    content-language:               \
    content-location:               \
    content-range:                  \
    content-disposition:            \
    date:                           \
    server:                         \
    location:                       \
    set-cookie:                     \
    cache-control:                  \
    expires:                        \
    etag:                           \
    last-modified:                  \
    vary:                           \
    age:                            \
    pragma:                         \
    accept-ranges:                  \
    www-authenticate:               \
    authorization:                  \
    proxy-authenticate:             \
    proxy-authorization:            \
    retry-after:                    \
    allow:                          \
    link:                           \
    alt-svc:                        \
    warning:                        \
    strict-transport-security:      \
    content-security-policy:        \
    x-content-type-options:         \
    x-frame-options:                \
    x-xss-protection:               \
    referrer-policy:                \
    access-control-allow-origin:    \
    x-request-id:                   \
    host:                           \
    user-agent:                     \
    accept:                         \
    accept-encoding:                \
    accept-language:                \
    cookie:                         \
    referer:                        \
    origin:                         \
    range:                          \
    if-match:                       \
    if-none-match:                  \
    if-modified-since:              \
    if-unmodified-since:            \
    if-range:                       \
    -------------------------------
    """
  }

  /// Slot by ``hash(_:_:_:)``: a row, or the last one. Free of collisions, which a test verifies for every name.
  static let slots: [256 of UInt8] = [
    59, 59, 5, 59, 59, 49, 59, 59, 59, 0, 59, 59, 21, 3, 59, 59,
    38, 33, 59, 59, 59, 59, 59, 59, 59, 59, 25, 59, 59, 59, 59, 59,
    29, 59, 59, 59, 36, 59, 40, 59, 59, 59, 59, 59, 50, 59, 59, 59,
    42, 59, 59, 59, 59, 59, 11, 59, 59, 59, 59, 59, 59, 59, 59, 59,
    43, 59, 20, 6, 56, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59, 59,
    22, 10, 59, 59, 59, 59, 59, 59, 59, 59, 16, 35, 12, 59, 51, 59,
    59, 17, 59, 59, 7, 59, 59, 37, 39, 59, 44, 59, 59, 59, 59, 1,
    59, 59, 27, 59, 59, 59, 19, 59, 59, 59, 59, 57, 59, 59, 59, 28,
    59, 59, 15, 59, 59, 9, 59, 59, 59, 59, 2, 24, 59, 59, 59, 59,
    45, 59, 59, 59, 59, 59, 34, 59, 59, 59, 52, 59, 18, 59, 59, 14,
    59, 59, 59, 59, 59, 8, 59, 30, 59, 59, 59, 59, 59, 46, 59, 13,
    59, 59, 59, 59, 59, 54, 59, 59, 59, 59, 59, 59, 59, 59, 59, 53,
    55, 59, 59, 59, 31, 59, 59, 58, 59, 59, 59, 59, 59, 59, 59, 59,
    59, 59, 59, 59, 59, 32, 59, 59, 59, 59, 59, 59, 59, 59, 41, 48,
    59, 59, 59, 59, 59, 59, 59, 26, 59, 59, 59, 47, 59, 59, 59, 59,
    59, 4, 59, 59, 59, 59, 59, 59, 23, 59, 59, 59, 59, 59, 59, 59,
  ]

  /// `first` is the first byte of the name, of which the lowest five bits count, and `tail` its last four, in the order
  /// of memory and with bit 5 set. A shorter name has the line end before it in its tail, as it lies there in a head.
  @inline(__always)
  static func hash(_ first: UInt32, _ tail: UInt32, _ count: Int) -> Int {
    let key = tail &+ (first & 0x1F) &* 8 &+ UInt32(truncatingIfNeeded: count)
    return Int(truncatingIfNeeded: (key &* 0x9BB6_3681) &>> 24)
  }
}
