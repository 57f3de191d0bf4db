// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// For how long a response is fresh and how old it is (RFC 9111 §4.2).
package struct Freshness: Sendable, Hashable {
  /// Seconds from when the server made it.
  package let lifetime: Int
  /// Whether the server said so itself.
  package let isExplicit: Bool
  /// The response's age on its arrival, in seconds (`corrected_initial_age`).
  package let initialAge: Double
  /// The time of its arrival, in seconds since 1970.
  package let responseTime: Double
  /// The time when the server made it: its `Date`, else that of its arrival.
  package let made: Double

  /// - Parameters:
  ///   - status: The response's.
  ///   - fields: The response's.
  ///   - directives: Those of `fields`.
  ///   - requestTime: When the request was sent, in seconds since 1970.
  ///   - responseTime: When the response's head had come.
  package init(
    status: Int, fields: FieldBlock, directives: ResponseDirectives, requestTime: Double, responseTime: Double
  ) {
    let now = Self.second(responseTime)
    let date = Self.date(.date, fields, now)
    let made = date ?? now
    (lifetime, isExplicit) = Self.lifetime(status, fields, directives, made: made, now: now)
    // §4.2.3. A clock that is ahead of ours makes nothing younger.
    let apparent = max(0, now - made)
    let delay = max(0, responseTime - requestTime)
    initialAge = max(Double(apparent), Double(Self.statedAge(fields)) + delay)
    self.responseTime = responseTime
    self.made = Double(made)
  }

  /// A response without a known time of arrival: as old as it says itself, or too old.
  package init(status: Int, fields: FieldBlock, directives: ResponseDirectives, now: Double) {
    let date = Self.date(.date, fields, Self.second(now))
    let made = date.map(Double.init)
    self.init(
      status: status, fields: fields, directives: directives, requestTime: made ?? -.greatestFiniteMagnitude,
      responseTime: made ?? now)
  }

  /// Clocks are corrected by parts of a second all the time.
  static let clockTolerance = 1.0

  /// `current_age`, in seconds. It is unknown once the clock has been set back.
  package func age(at now: Double) -> Double {
    let residence = now - responseTime
    guard residence >= -Self.clockTolerance else { return .infinity }
    return initialAge + max(0, residence)
  }

  /// The seconds that it remains fresh; not positive for a stale response.
  package func remainder(at now: Double) -> Double { Double(lifetime) - age(at: now) }

  /// Whole seconds, for a field. Larger numbers than these are not written (RFC 9111 §1.2.2).
  package static func whole(_ seconds: Double) -> Int {
    Int(max(-2_147_483_648, min(2_147_483_648, seconds)).rounded(.down))
  }

  /// The second that a moment lies in, also of moments that are none: never before 1970, nor after 9999.
  static func second(_ moment: Double) -> Int { Int(max(0, min(253_402_300_799, moment)).rounded(.down)) }

  private static func lifetime(
    _ status: Int, _ fields: FieldBlock, _ directives: ResponseDirectives, made: Int, now: Int
  ) -> (Int, Bool) {
    if directives.options.contains(.brokenFreshness) { return (0, true) }
    if let maxAge = directives.maxAge { return (maxAge, true) }
    if fields.contains(.expires) {
      let values = Set(fields.values(.expires))
      // §5.3: text that is no date, 0 above all, has expired.
      guard values.count == 1, let value = values.first, let end = HTTPDate.parseExactly(value, now: now)
      else { return (0, true) }
      return (min(max(0, end - made), DeltaSeconds.forever), true)
    }
    guard fields.contains(.lastModified), allowsHeuristics(status, directives),
      let modified = date(.lastModified, fields, now), modified < made
    else { return (0, false) }
    // §4.2.2: a tenth of the time since it changed, as most caches have it, and never more than a day.
    return (min((made - modified) / 10, 86_400), false)
  }

  /// RFC 9110 §15.1, and what says that it may be kept.
  private static func allowsHeuristics(_ status: Int, _ directives: ResponseDirectives) -> Bool {
    CacheRules.isHeuristicallyCacheable(status) || directives.options.contains(.isPublic)
  }

  private static func date(_ field: KnownField, _ fields: FieldBlock, _ now: Int) -> Int? {
    fields.first(field).flatMap { HTTPDate.parseExactly($0, now: now) }
  }

  /// §5.1: the first of several; text that is no number counts as nothing.
  private static func statedAge(_ fields: FieldBlock) -> Int {
    guard fields.contains(.age), let value = fields.first(.age),
      let first = value.split(separator: ",", omittingEmptySubsequences: false).first
    else { return 0 }
    return DeltaSeconds.parse(first.trimmingOptionalWhitespace) ?? 0
  }
}
