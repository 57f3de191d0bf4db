// SPDX-License-Identifier: MIT

/// The fields this client or its origin looks at, recognised while a head is parsed.
///
/// The raw value is the row in the table of names; ``FieldBlock/first(_:)-(KnownField)`` and the framing rules
/// test it instead of comparing strings.
public enum KnownField: UInt8, Sendable, CaseIterable {
  /// `Connection` (RFC 9110 §7.6.1).
  case connection
  /// `Content-Length` (RFC 9110 §8.6).
  case contentLength
  /// `Transfer-Encoding` (RFC 9112 §6.1).
  case transferEncoding
  /// `Keep-Alive` (RFC 2068 §19.7.1).
  case keepAlive
  /// `Proxy-Connection` (RFC 9112 §C.2.2).
  case proxyConnection
  /// `Upgrade` (RFC 9110 §7.8).
  case upgrade
  /// `Trailer` (RFC 9110 §6.6.2).
  case trailer
  /// `TE` (RFC 9110 §10.1.4).
  case te
  /// `Via` (RFC 9110 §7.6.3).
  case via
  /// `Expect` (RFC 9110 §10.1.1).
  case expect
  /// `Content-Type` (RFC 9110 §8.3).
  case contentType
  /// `Content-Encoding` (RFC 9110 §8.4).
  case contentEncoding
  /// `Content-Language` (RFC 9110 §8.5).
  case contentLanguage
  /// `Content-Location` (RFC 9110 §8.7).
  case contentLocation
  /// `Content-Range` (RFC 9110 §14.4).
  case contentRange
  /// `Content-Disposition` (RFC 6266).
  case contentDisposition
  /// `Date` (RFC 9110 §6.6.1).
  case date
  /// `Server` (RFC 9110 §10.2.4).
  case server
  /// `Location` (RFC 9110 §10.2.2).
  case location
  /// `Set-Cookie` (RFC 6265 §4.1).
  case setCookie
  /// `Cache-Control` (RFC 9111 §5.2).
  case cacheControl
  /// `Expires` (RFC 9111 §5.3).
  case expires
  /// `ETag` (RFC 9110 §8.8.3).
  case etag
  /// `Last-Modified` (RFC 9110 §8.8.2).
  case lastModified
  /// `Vary` (RFC 9110 §12.5.5).
  case vary
  /// `Age` (RFC 9111 §5.1).
  case age
  /// `Pragma` (RFC 9111 §5.4).
  case pragma
  /// `Accept-Ranges` (RFC 9110 §14.3).
  case acceptRanges
  /// `WWW-Authenticate` (RFC 9110 §11.6.1).
  case wwwAuthenticate
  /// `Authorization` (RFC 9110 §11.6.2).
  case authorization
  /// `Proxy-Authenticate` (RFC 9110 §11.7.1).
  case proxyAuthenticate
  /// `Proxy-Authorization` (RFC 9110 §11.7.2).
  case proxyAuthorization
  /// `Retry-After` (RFC 9110 §10.2.3).
  case retryAfter
  /// `Allow` (RFC 9110 §10.2.1).
  case allow
  /// `Link` (RFC 8288 §3).
  case link
  /// `Alt-Svc` (RFC 7838 §3).
  case altSvc
  /// `Warning` (RFC 9111 §5.5).
  case warning
  /// `Strict-Transport-Security` (RFC 6797 §6.1).
  case strictTransportSecurity
  /// `Content-Security-Policy` (W3C, Content Security Policy).
  case contentSecurityPolicy
  /// `X-Content-Type-Options` (WHATWG Fetch).
  case xContentTypeOptions
  /// `X-Frame-Options` (RFC 7034).
  case xFrameOptions
  /// `X-XSS-Protection` (of some browsers).
  case xXssProtection
  /// `Referrer-Policy` (W3C, Referrer Policy).
  case referrerPolicy
  /// `Access-Control-Allow-Origin` (WHATWG Fetch).
  case accessControlAllowOrigin
  /// `X-Request-ID` (common, though no standard).
  case xRequestID
  /// `Host` (RFC 9110 §7.2).
  case host
  /// `User-Agent` (RFC 9110 §10.1.5).
  case userAgent
  /// `Accept` (RFC 9110 §12.5.1).
  case accept
  /// `Accept-Encoding` (RFC 9110 §12.5.3).
  case acceptEncoding
  /// `Accept-Language` (RFC 9110 §12.5.4).
  case acceptLanguage
  /// `Cookie` (RFC 6265 §4.2).
  case cookie
  /// `Referer` (RFC 9110 §10.1.3).
  case referer
  /// `Origin` (RFC 6454 §7).
  case origin
  /// `Range` (RFC 9110 §14.2).
  case range
  /// `If-Match` (RFC 9110 §13.1.1).
  case ifMatch
  /// `If-None-Match` (RFC 9110 §13.1.2).
  case ifNoneMatch
  /// `If-Modified-Since` (RFC 9110 §13.1.3).
  case ifModifiedSince
  /// `If-Unmodified-Since` (RFC 9110 §13.1.4).
  case ifUnmodifiedSince
  /// `If-Range` (RFC 9110 §13.1.5).
  case ifRange

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
