// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// A response as a cache keeps it, but for its body (RFC 9111 §3): what the rules go by.
package struct StoredHead: Sendable {
  /// 200 for one that has been put together from parts.
  package private(set) var status: Int
  /// The fields that may be kept.
  package private(set) var fields: FieldBlock
  /// The properties that a request must share with the one that it answered.
  package let selection: CacheSelection
  /// The times when the request was sent and the head came, in seconds since 1970.
  package private(set) var requestTime: Double
  package private(set) var responseTime: Double
  /// The part of the body that is there; nil for all of it.
  package private(set) var part: StoredPart?

  package private(set) var directives: ResponseDirectives
  package private(set) var freshness: Freshness

  /// Makes one of a response that may be stored.
  ///
  /// - Parameters:
  ///   - status: The response's.
  ///   - fields: The response's, as they have come.
  ///   - directives: Those of `fields`.
  ///   - freshness: The response's.
  init(
    status: Int, fields: FieldBlock, directives: ResponseDirectives, freshness: Freshness,
    selection: CacheSelection, requestTime: Double
  ) {
    self.status = status
    self.fields = StoredFields.kept(fields, directives, arrival: Freshness.second(freshness.responseTime))
    self.selection = selection
    self.requestTime = requestTime
    responseTime = freshness.responseTime
    self.directives = directives
    self.freshness = freshness
    if status == 206 { part = StoredPart(fields) }
  }

  /// Makes one of what a store has kept of it.
  package init(
    status: Int, fields: FieldBlock, selection: CacheSelection, requestTime: Double, responseTime: Double
  ) {
    let directives = ResponseDirectives(fields)
    self.init(
      status: status, fields: fields, directives: directives,
      freshness: Freshness(
        status: status, fields: fields, directives: directives, requestTime: requestTime,
        responseTime: responseTime), selection: selection, requestTime: requestTime)
  }

  /// Makes a head of a response without a noted time of arrival.
  package init(status: Int, fields: FieldBlock, selection: CacheSelection, now: Double) {
    let directives = ResponseDirectives(fields)
    let freshness = Freshness(status: status, fields: fields, directives: directives, now: now)
    self.init(
      status: status, fields: fields, directives: directives, freshness: freshness, selection: selection,
      requestTime: freshness.responseTime)
  }

  /// The same response with a head of the caller's making.
  package func replacing(status: Int, fields: FieldBlock) -> StoredHead {
    StoredHead(
      status: status, fields: fields, selection: selection, requestTime: requestTime,
      responseTime: responseTime)
  }

  /// RFC 9111 §4.3.4: brought up to date by a head that speaks of the same representation.
  ///
  /// - Parameter newerDirectives: Those of `newer`.
  func freshened(
    by newer: FieldBlock, _ newerDirectives: ResponseDirectives, requestTime: Double, responseTime: Double
  ) -> StoredHead {
    var fresh = self
    fresh.fields = StoredFields.updated(
      fields, with: newer, newerDirectives, arrival: Freshness.second(responseTime))
    if !fresh.fields.contains(.cacheControl) {
      // `Connection`, or the directives themselves, may have said that they are not to be kept.
      fresh.directives = ResponseDirectives(fresh.fields)
    } else if newer.contains(.cacheControl) {
      fresh.directives = newerDirectives
    }
    fresh.freshness = Freshness(
      status: status, fields: fresh.fields, directives: fresh.directives, requestTime: requestTime,
      responseTime: responseTime)
    fresh.requestTime = requestTime
    fresh.responseTime = responseTime
    return fresh
  }

  /// Bytes of the whole body, as far as its fields tell.
  var length: Int64? { fields.first(.contentLength)?.wholeNumber }

  // MARK: Validators

  /// RFC 9111 §4.3.1: the fields of a request that validate it. Empty if it cannot be validated.
  var conditions: [HeaderFields.Field] {
    var conditions: [HeaderFields.Field] = []
    if let tag = sendableTag { conditions.append(.init(name: "If-None-Match", value: tag)) }
    if let date = sendableDate { conditions.append(.init(name: "If-Modified-Since", value: date)) }
    return conditions
  }

  /// Beyond ASCII the bytes of a text are unknown, so it could not be sent back.
  private var sendableTag: String? {
    guard fields.contains(.etag) else { return nil }
    let tags = fields.values(.etag)
    guard tags.count == 1, EntityTag(tags[0]) != nil, RangeValidator.isPlain(tags[0]) else { return nil }
    return tags[0]
  }

  private var sendableDate: String? {
    guard fields.contains(.lastModified) else { return nil }
    let dates = fields.values(.lastModified)
    guard dates.count == 1, RangeValidator.isPlain(dates[0]), !dates[0].isEmpty else { return nil }
    return dates[0]
  }

  package var entityTag: EntityTag? { fields.first(.etag).flatMap(EntityTag.init) }

  /// RFC 9111 §4.3.4: whether a 304 speaks of this response.
  func isSelected(by newer: FieldBlock) -> Bool {
    if newer.contains(.etag) {
      guard let tag = newer.first(.etag).flatMap(EntityTag.init), let own = entityTag else { return false }
      return tag.isWeak ? tag.opaque == own.opaque : tag.stronglyMatches(own)
    }
    if newer.contains(.lastModified), fields.contains(.lastModified) {
      return newer.first(.lastModified) == fields.first(.lastModified)
    }
    return true
  }

  /// Whether it may be kept with a newer head's fields: not if that forbids it (RFC 9111 §5.2.2.5), or names fields to vary
  /// by that have not been noted (§4.1).
  func mayBecome(_ newer: FieldBlock, _ newerDirectives: ResponseDirectives) -> Bool {
    let options = newerDirectives.options
    if options.contains(.noStore), !options.contains(.mustUnderstand) { return false }
    return newer.contains(.vary) ? selection.covers(vary: newer.values(.vary)) : true
  }

  /// RFC 9111 §4.3.5: whether the head that a HEAD has brought may speak of this response.
  func isConfirmed(byHead newer: FieldBlock) -> Bool {
    for field in [KnownField.etag, .lastModified] where newer.contains(field) {
      guard newer.first(field) == fields.first(field) else { return false }
    }
    guard newer.contains(.contentLength), fields.contains(.contentLength) else { return true }
    return newer.first(.contentLength) == fields.first(.contentLength)
  }

  /// RFC 9111 §3.4: whether parts of both may be joined.
  func isSameRepresentation(as other: FieldBlock) -> Bool {
    guard let own = entityTag, let tag = other.first(.etag).flatMap(EntityTag.init) else { return false }
    return own.stronglyMatches(tag)
  }

  // MARK: Parts

  /// This part together with one that was stored before; nil where they do not meet.
  package func joined(to earlier: StoredHead) -> (response: StoredHead, joint: StoredPart.Joint)? {
    guard let part, let earlierPart = earlier.part, earlier.isSameRepresentation(as: fields),
      let (whole, joint) = part.joined(to: earlierPart)
    else { return nil }
    var response = self
    response.setPart(whole)
    return (response, joint)
  }

  private mutating func setPart(_ whole: StoredPart) {
    let stated = fields
    fields = stated.filtered(roomFor: 128) { index in
      let field = stated.known(at: index)
      return field != .contentRange && field != .contentLength
        && !StoredFields.isDigest(stated, index)
    }
    fields.append(name: "Content-Length", value: "\(whole.range.count)")
    if whole.isComplete {
      // §3.4: it is processed like one that came whole.
      (part, status) = (nil, 200)
    } else {
      part = whole
      fields.append(name: "Content-Range", value: whole.contentRange(of: whole.range))
    }
  }
}
