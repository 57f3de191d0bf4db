// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// The responses that a private cache may store, and those that it must forget (RFC 9111 §3 and §4.4).
package enum CacheRules {
  /// Whether a response may be stored, and is worth it.
  ///
  /// - Parameters:
  ///   - method: The request's.
  ///   - request: The request's fields.
  ///   - requestDirectives: Those of `request`.
  ///   - status: The response's.
  ///   - fields: The response's.
  ///   - directives: Those of `fields`.
  ///   - freshness: The response's.
  ///   - namesTarget: Whether the response's `Content-Location` is the address that was asked for.
  package static func mayStore(
    method: String, request: HeaderFields, _ requestDirectives: RequestDirectives, status: Int,
    fields: FieldBlock, _ directives: ResponseDirectives, _ freshness: Freshness, namesTarget: () -> Bool
  ) -> Bool {
    if requestDirectives.noStore { return false }
    if directives.options.contains(.mustUnderstand) {
      // §5.2.2.3: a cache that understands the status need not mind `no-store`.
      guard isUnderstood(status) else { return false }
    } else if directives.options.contains(.noStore) {
      return false
    }
    switch method {
    case "GET": break
    // RFC 9110 §9.3.3.
    case "POST": return freshness.isExplicit && freshness.lifetime > 0 && isWhole(status) && namesTarget()
    default: return false
    }
    guard !isAboutTheRequest(status) else { return false }
    if status == 206 { return isPart(fields) }
    // A request for a part that is answered otherwise has been answered whole, or not at all.
    if request.index(of: "Range") != nil { return isWhole(status) }
    return isWorthStoring(status, fields, directives, freshness)
  }

  /// §3: explicitly cacheable, or of a status that says so. Errors of which nothing says when they end are forgotten at once.
  private static func isWorthStoring(
    _ status: Int, _ fields: FieldBlock, _ directives: ResponseDirectives, _ freshness: Freshness
  ) -> Bool {
    if isWhole(status) { return true }
    if freshness.lifetime > 0 { return true }
    let isAllowed =
      isHeuristicallyCacheable(status) || freshness.isExplicit
      || !directives.options.isDisjoint(with: [.isPublic, .isPrivate])
    return isAllowed && (fields.contains(.etag) || fields.contains(.lastModified))
  }

  /// A representation, all of it.
  private static func isWhole(_ status: Int) -> Bool { status == 200 || status == 203 }

  /// One part in a form that others can be joined to (RFC 9110 §15.3.7.1).
  static func isPart(_ fields: FieldBlock) -> Bool {
    let ranges = fields.values(.contentRange)
    guard ranges.count == 1, case .part(_, _, _?)? = ContentRange(ranges[0]) else { return false }
    return !fields.contains(.contentEncoding)
      && fields.first(.contentType).flatMap(MediaType.init)?.essence != "multipart/byteranges"
  }

  /// Statuses that say something about this request, which another one with the same address need not share: conditions,
  /// ranges, credentials, the connection.
  private static func isAboutTheRequest(_ status: Int) -> Bool {
    switch status {
    case ..<200, 304, 401, 407, 408, 412, 413, 415, 416, 417, 421, 425, 426, 428, 429, 431, 511, 600...: true
    default: false
    }
  }

  /// RFC 9110 §15.1.
  package static func isHeuristicallyCacheable(_ status: Int) -> Bool {
    switch status {
    case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
    default: false
    }
  }

  /// Statuses with a known meaning for a cache (RFC 9110 §15).
  private static func isUnderstood(_ status: Int) -> Bool {
    switch status {
    case 200...206, 300...305, 307, 308, 400, 402...406, 409...411, 414, 422, 500...505: true
    default: false
    }
  }

  /// Statuses that a stale response may stand in for (RFC 5861 §4).
  package static func isError(_ status: Int) -> Bool {
    switch status {
    case 500, 502, 503, 504: true
    default: false
    }
  }

  /// Whether a response to such a request tells that the resource may have changed (RFC 9111 §4.4).
  package static func invalidates(method: String, status: Int) -> Bool {
    (200..<400).contains(status) && !Method.isSafe(method)
  }
}
