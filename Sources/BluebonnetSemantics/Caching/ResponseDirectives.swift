// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// The directives of a response's `Cache-Control` for a private cache (RFC 9111 §5.2.2, RFC 5861, RFC 8246).
///
/// `s-maxage`, `proxy-revalidate` and `no-transform` concern shared caches and intermediaries.
package struct ResponseDirectives: Sendable, Hashable {
  /// The directives that say yes or no.
  package struct Options: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let noStore = Options(rawValue: 1)
    /// Without arguments: nothing of it is used without the server's consent.
    package static let noCache = Options(rawValue: 2)
    package static let mustRevalidate = Options(rawValue: 4)
    package static let mustUnderstand = Options(rawValue: 8)
    package static let isPublic = Options(rawValue: 16)
    package static let isPrivate = Options(rawValue: 32)
    package static let immutable = Options(rawValue: 64)
    /// It says for how long it is fresh, but not in a way that can be relied on.
    package static let brokenFreshness = Options(rawValue: 128)
  }

  package private(set) var options: Options = []
  /// Seconds; nil if it does not say, or contradicts itself.
  package private(set) var maxAge: Int?
  /// For how many seconds beyond its freshness it may be used while it is asked for anew (RFC 5861 §3).
  package private(set) var staleWhileRevalidate: Int?
  /// For how many seconds beyond its freshness it may stand in for an error (RFC 5861 §4).
  package private(set) var staleIfError: Int?
  /// Names of fields that are not to be used without the server's consent, in lower case (RFC 9111 §5.2.2.4).
  package private(set) var unusableFields: [String] = []

  package init(_ fields: FieldBlock) {
    guard fields.contains(.cacheControl) else { return }
    for value in fields.values(.cacheControl) { CacheDirective.forEach(in: value) { take($0) } }
  }

  private mutating func take(_ directive: CacheDirective) {
    guard directive.isWellFormed else { return takeBroken(directive.name) }
    switch directive.name {
    case "max-age": takeMaxAge(directive.argument)
    case "no-store": options.insert(.noStore)
    case "no-cache":
      if let names = directive.argument {
        unusableFields += names.lowercasedElements
      } else {
        options.insert(.noCache)
      }
    case "must-revalidate": options.insert(.mustRevalidate)
    case "must-understand": options.insert(.mustUnderstand)
    case "public": options.insert(.isPublic)
    // With field names it speaks of shared caches only.
    case "private": if directive.argument == nil { options.insert(.isPrivate) }
    case "immutable": options.insert(.immutable)
    case "stale-while-revalidate":
      staleWhileRevalidate = Self.shorter(staleWhileRevalidate, directive.argument)
    case "stale-if-error": staleIfError = Self.shorter(staleIfError, directive.argument)
    default: break
    }
  }

  /// RFC 9111 §4.2.1: a freshness that is not an integer, or is stated in several ways, is better taken for stale.
  private mutating func takeMaxAge(_ argument: String?) {
    guard let seconds = argument.flatMap({ DeltaSeconds.parse($0) }), maxAge ?? seconds == seconds else {
      options.insert(.brokenFreshness)
      return
    }
    maxAge = seconds
  }

  private mutating func takeBroken(_ text: String) {
    if text.containsBytes(of: "no-store") { options.insert(.noStore) }
    if text.containsBytes(of: "no-cache") { options.insert(.noCache) }
    if text.containsBytes(of: "must-revalidate") { options.insert(.mustRevalidate) }
    if text.containsBytes(of: "max-age") { options.insert(.brokenFreshness) }
  }

  /// A value that is no number permits nothing.
  private static func shorter(_ one: Int?, _ argument: String?) -> Int {
    let other = argument.flatMap { DeltaSeconds.parse($0) } ?? 0
    return min(one ?? other, other)
  }
}
