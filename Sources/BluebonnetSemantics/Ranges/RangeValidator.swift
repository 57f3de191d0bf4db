// SPDX-License-Identifier: MIT

/// The proof that the rest of a representation belongs to the part at hand: a strong validator
/// (RFC 9110 §8.8.1), to be sent in `If-Range` (§13.1.5).
package enum RangeValidator: Sendable, Hashable {
  /// A strong entity tag, quotes included.
  case entityTag(String)
  /// A `Last-Modified` that is old enough to tell versions apart, as it was sent.
  case lastModified(String)

  /// The validator of a response, by the values of its fields; nil if it has no strong one.
  ///
  /// RFC 9110 §13.1.5 forbids to send a weak tag, and a date where there is a tag, or where the representation may have
  /// changed twice within the second (§8.8.2.2): the server's own `Date` has to be at least one second later.
  ///
  /// - Parameter now: The present in seconds since 1970, which tells the century of dates with two digits.
  package init?(entityTags: [String], lastModified: [String], dates: [String], now: Int) {
    if !entityTags.isEmpty {
      // Beyond ASCII the bytes of a text are unknown, so it could not be sent back.
      guard entityTags.count == 1, let tag = EntityTag(entityTags[0]), !tag.isWeak,
        tag.opaque.utf8.allSatisfy({ $0 < 0x80 })
      else { return nil }
      self = .entityTag(tag.opaque)
      return
    }
    guard lastModified.count == 1, dates.count == 1, Self.isPlain(lastModified[0]),
      let modified = HTTPDate.parse(lastModified[0], now: now),
      let date = HTTPDate.parse(dates[0], now: now), modified < date
    else { return nil }
    self = .lastModified(lastModified[0])
  }

  /// Whether a date can be sent back as it came: it is read more leniently than fields are written.
  package static func isPlain(_ date: String) -> Bool { date.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }

  /// The value of `If-Range`.
  package var fieldValue: String {
    switch self {
    case .entityTag(let tag): tag
    case .lastModified(let date): date
    }
  }

  /// Whether a 206 is of the same representation, as far as its fields tell.
  ///
  /// It has to repeat the tag that the whole would have (RFC 9110 §15.3.7); parts without it must not be joined
  /// (§15.3.7.3). `Last-Modified` may be left out of an answer to `If-Range`, so a date has held if nothing speaks against it.
  func holds(entityTags: [String], lastModified: [String]) -> Bool {
    switch self {
    case .entityTag(let tag):
      guard entityTags.count == 1, let other = EntityTag(entityTags[0]) else { return false }
      return !other.isWeak && other.opaque == tag
    case .lastModified(let date): return lastModified.allSatisfy { $0 == date }
    }
  }

  /// Whether a response without content says that the representation is another one.
  func isContradicted(entityTags: [String], lastModified: [String]) -> Bool {
    switch self {
    case .entityTag(let tag): entityTags.contains { EntityTag($0).map { $0.opaque != tag } ?? true }
    case .lastModified(let date): lastModified.contains { $0 != date }
    }
  }
}
