// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// The directives of a request's `Cache-Control` (RFC 9111 §5.2.1, RFC 5861 §4).
package struct RequestDirectives: Sendable, Hashable {
  package private(set) var noStore = false
  package private(set) var noCache = false
  package private(set) var onlyIfCached = false
  /// The greatest age that does, in seconds.
  package private(set) var maxAge: Int?
  /// The seconds that the response must remain fresh.
  package private(set) var minFresh: Int?
  /// The seconds that the response may be stale.
  package private(set) var maxStale: Int?
  package private(set) var staleIfError: Int?

  package init(_ fields: HeaderFields) {
    guard let value = fields["Cache-Control"] else {
      // RFC 9111 §5.4, for requests that still write it so.
      if let pragma = fields["Pragma"] {
        CacheDirective.forEach(in: pragma) { if $0.name == "no-cache" { noCache = true } }
      }
      return
    }
    CacheDirective.forEach(in: value) { take($0) }
  }

  private mutating func take(_ directive: CacheDirective) {
    let seconds = directive.argument.flatMap { DeltaSeconds.parse($0) }
    guard directive.isWellFormed else {
      if directive.name.containsBytes(of: "no-store") { noStore = true }
      if directive.name.containsBytes(of: "no-cache") { noCache = true }
      return
    }
    switch directive.name {
    case "no-store": noStore = true
    case "no-cache": noCache = true
    case "only-if-cached": onlyIfCached = true
    // A value that is no number counts as the strictest.
    case "max-age": maxAge = min(maxAge ?? .max, seconds ?? 0)
    case "min-fresh": minFresh = max(minFresh ?? 0, seconds ?? DeltaSeconds.forever)
    // Without a number any staleness does (§5.2.1.2).
    case "max-stale":
      let limit = directive.argument == nil ? DeltaSeconds.forever : seconds ?? 0
      maxStale = min(maxStale ?? .max, limit)
    case "stale-if-error": staleIfError = min(staleIfError ?? .max, seconds ?? 0)
    default: break
    }
  }
}
