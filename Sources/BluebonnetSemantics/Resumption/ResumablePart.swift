// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// Whether a download that breaks off can be gone on with, judged by the request and the head of its response.
package enum ResumablePart {
  /// The point to go on from with `offset` bytes of this response's representation; nil if it cannot go on.
  ///
  /// - Parameters:
  ///   - method: The request's; only a GET's response can be asked for in parts (RFC 9110 §14.2).
  ///   - requestFields: The caller's fields. A range of its own is another matter, and so are conditions.
  ///   - status: 200, or 206 if that went on already.
  ///   - fields: The response's.
  ///   - offset: The number of bytes at hand.
  ///   - total: The length of the whole, if it is known.
  ///   - now: The present in seconds since 1970.
  package static func point(
    method: String, requestFields: HeaderFields, status: Int, fields: FieldBlock, offset: Int64,
    total: Int64?, now: Int
  ) -> ResumePoint? {
    guard method == "GET", status == 200 || status == 206, !isConditional(requestFields),
      // The bytes at hand have been decoded: they are not those that a range counts.
      !fields.contains(.contentEncoding), !refusesRanges(fields),
      let validator = RangeValidator(
        entityTags: fields.values(.etag), lastModified: fields.values(.lastModified),
        dates: fields.values(.date), now: now)
    else { return nil }
    return ResumePoint(offset: offset, total: total, validator: validator)
  }

  /// Whether the caller's own fields ask for a part, or set conditions.
  package static func isConditional(_ fields: HeaderFields) -> Bool {
    conditions.contains { fields.index(of: $0) != nil }
  }

  private static let conditions = [
    "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
  ]

  /// RFC 9110 §14.3: servers need not say that they serve ranges, but may say that they don't.
  private static func refusesRanges(_ fields: FieldBlock) -> Bool {
    fields.values(.acceptRanges).contains { $0.trimmingOptionalWhitespace.equalsIgnoringASCIICase("none") }
  }

  /// The fields of the whole that a 206 may leave out, because the client has them already
  /// (RFC 9110 §15.3.7). It is kept beside the part.
  package static let representationFields: [KnownField] = [
    .contentType, .contentDisposition, .contentLanguage, .lastModified,
  ]
}
