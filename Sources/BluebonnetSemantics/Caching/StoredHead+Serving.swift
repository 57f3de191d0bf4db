// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// A stored response as it answers a request.
package struct CacheServing: Sendable {
  package let status: Int
  /// With `Age` (RFC 9111 §5.1) and `Cache-Status` (RFC 9211).
  package let fields: FieldBlock
  package let body: Body
  /// It is stale, and is asked for anew while it is served (RFC 5861 §3).
  package var revalidates = false

  /// The part of the stored body that belongs to the answer.
  package enum Body: Sendable, Hashable {
    case none
    case all
    /// Some bytes of the stored body, itself perhaps a part.
    case part(Range<Int64>)
  }
}

extension StoredHead {
  /// The whole of it, or its head alone.
  func serving(_ status: CacheStatus, headOnly: Bool, at now: Double) -> CacheServing {
    CacheServing(status: self.status, fields: servedFields(status, at: now), body: headOnly ? .none : .all)
  }

  /// RFC 9111 §4.3.2: what the request has is what there is.
  func servingNotModified(_ status: CacheStatus, at now: Double) -> CacheServing {
    CacheServing(
      status: 304,
      fields: servedFields(
        status, at: now, without: [.contentLength, .contentType, .contentEncoding, .contentRange]),
      body: .none)
  }

  /// Some bytes of the whole, all of them stored (RFC 9110 §15.3.7).
  ///
  /// - Parameter total: Bytes of the whole.
  func servingPart(_ range: Range<Int64>, of total: Int64, _ status: CacheStatus, at now: Double)
    -> CacheServing
  {
    var fields = servedFields(
      status, at: now, without: [.contentLength, .contentRange], keepsDigests: false)
    fields.append(name: "Content-Length", value: "\(range.count)")
    fields.append(
      name: "Content-Range", value: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)")
    let start = part?.range.lowerBound ?? 0
    return CacheServing(
      status: 206, fields: fields, body: .part((range.lowerBound - start)..<(range.upperBound - start)))
  }

  private func servedFields(
    _ status: CacheStatus, at now: Double, without leftOut: [KnownField] = [], keepsDigests: Bool = true
  ) -> FieldBlock {
    servedFields(
      status, age: max(0, Freshness.whole(freshness.age(at: now))), without: leftOut,
      keepsDigests: keepsDigests)
  }

  func servedFields(
    _ status: CacheStatus, age: Int, without leftOut: [KnownField] = [], keepsDigests: Bool = true
  ) -> FieldBlock {
    let status = status.fieldValue
    var served = fields.filtered(roomFor: status.utf8.count + 32) { index in
      guard let known = fields.known(at: index) else {
        return keepsDigests || !StoredFields.isDigest(fields, index)
      }
      return known != .age && !leftOut.contains(known)
    }
    served.append(name: "Age", value: "\(age)")
    served.append(name: "Cache-Status", value: status)
    return served
  }

  // MARK: Conditions and ranges of the request

  /// RFC 9111 §4.3.2, by the conditions that a cache may judge.
  func isNotModified(for request: HeaderFields, now: Double) -> Bool {
    guard status == 200 else { return false }
    if let tags = request["If-None-Match"] { return matchesAny(of: tags) }
    guard let since = request["If-Modified-Since"] else { return false }
    let second = Freshness.second(now)
    guard let limit = HTTPDate.parseExactly(since, now: second) else { return false }
    let stated = fields.first(.lastModified) ?? fields.first(.date)
    let modified = stated.map { HTTPDate.parseExactly($0, now: second) } ?? Freshness.second(responseTime)
    return modified.map { $0 <= limit } ?? false
  }

  /// The weak comparison with each member of a list (RFC 9110 §13.1.2).
  private func matchesAny(of list: String) -> Bool {
    if list.trimmingOptionalWhitespace == "*" { return true }
    guard let own = entityTag else { return false }
    // Tags may hold commas, so they are taken from quote to quote.
    var rest = list[...].utf8[...]
    while let start = rest.firstIndex(of: Byte.quote) {
      let after = rest[rest.index(after: start)...]
      guard let end = after.firstIndex(of: Byte.quote) else { return false }
      if Substring(rest[start...end]) == own.opaque { return true }
      rest = rest[rest.index(after: end)...]
    }
    return false
  }

  /// Whether `If-Range` lets a part of this response be sent (RFC 9110 §13.1.5).
  func allowsPart(for request: HeaderFields) -> Bool {
    guard let condition = request["If-Range"] else { return true }
    guard let tag = EntityTag(condition) else {
      // A date tells versions apart only if it is older than the response (§8.8.2.2).
      return condition == fields.first(.lastModified)
        && RangeValidator(
          entityTags: [], lastModified: fields.values(.lastModified), dates: fields.values(.date),
          now: Freshness.second(responseTime)) != nil
    }
    return entityTag.map { $0.stronglyMatches(tag) } ?? false
  }
}
