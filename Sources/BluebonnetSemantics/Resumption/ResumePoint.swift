// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// The point where a download goes on: the bytes at hand, and the conditions on the rest (RFC 9110 §13.1.5 and §14).
///
///     asked ─▶ 206, the rest of the same ───────▶ continue
///       │ ├──▶ 416, and nothing was missing ────▶ complete
///       │ ├──▶ 200 ─────────────────────────────▶ startOver, with this response
///       │ ├──▶ 206 or 416 that does not fit ────▶ askAgain, for the whole
///       │ ├──▶ 206 in several parts ────────────▶ refuse
///       │ └──▶ anything else ───────────────────▶ unrelated: the part stays
///
package struct ResumePoint: Sendable, Hashable {
  /// Bytes that are there; more than none.
  package let offset: Int64
  /// Bytes of the whole, if that is known.
  package let total: Int64?
  /// Tells whether it is still the same.
  package let validator: RangeValidator

  /// Nil where nothing is there, or more than there is in all.
  package init?(offset: Int64, total: Int64?, validator: RangeValidator) {
    guard offset > 0, total.map({ $0 >= offset }) ?? true else { return nil }
    (self.offset, self.total, self.validator) = (offset, total, validator)
  }

  /// The request's further fields.
  ///
  /// `Accept-Encoding: identity`, because a range counts the bytes of the coded representation, and those at hand are
  /// without a coding.
  package var fields: [HeaderFields.Field] {
    [
      .init(name: "Range", value: "bytes=\(offset)-"), .init(name: "If-Range", value: validator.fieldValue),
      .init(name: "Accept-Encoding", value: "identity"),
    ]
  }

  /// The meaning of an answer.
  package enum Decision: Sendable, Hashable {
    /// The body is to be put behind the bytes at hand, up to byte `end`, exclusively. A whole of `total` bytes
    /// is the goal; nil if it is unknown.
    case `continue`(end: Int64, total: Int64?)
    /// Nothing is missing, and the body is of no interest.
    case complete
    /// The body is the whole.
    case startOver
    /// The body is of no use; the whole has to be asked for.
    case askAgain
    /// The server's mistake, in words.
    case refuse(String)
    /// It says nothing about the range.
    case unrelated
  }

  /// Decides about the final answer to the request.
  package func decide(status: Int, _ fields: FieldBlock) -> Decision {
    guard Self.isConcerned(by: status) else { return .unrelated }
    return switch status {
    case 200, 203: .startOver
    case 206: decide(part: fields)
    default: decide(unsatisfied: fields)
    }
  }

  /// Whether a response of this status answers the question for the rest, and may have used up what there is.
  package static func isConcerned(by status: Int) -> Bool {
    switch status {
    case 200, 203, 206, 416: true
    default: false
    }
  }

  private func decide(part fields: FieldBlock) -> Decision {
    let type = fields.first(.contentType).flatMap(MediaType.init)?.essence
    if type == "multipart/byteranges" {
      // RFC 9110 §15.3.7.2.
      return .refuse("it was asked for one range, and sent several parts (multipart/byteranges)")
    }
    let ranges = fields.values(.contentRange)
    guard ranges.count == 1, case .part(let first, let last, let total)? = ContentRange(ranges[0]) else {
      return .refuse("its 206 does not say which part it is (Content-Range)")
    }
    guard first == offset, total == nil || self.total == nil || total == self.total,
      self.total.map({ last < $0 }) ?? true,
      !fields.contains(.contentEncoding),
      validator.holds(entityTags: fields.values(.etag), lastModified: fields.values(.lastModified))
    else { return .askAgain }
    return .continue(end: last + 1, total: total ?? self.total)
  }

  private func decide(unsatisfied fields: FieldBlock) -> Decision {
    if validator.isContradicted(entityTags: fields.values(.etag), lastModified: fields.values(.lastModified))
    {
      return .askAgain
    }
    switch fields.first(.contentRange).flatMap({ ContentRange($0) }) {
    case .unsatisfied(let total)?:
      return total == offset && self.total ?? total == total ? .complete : .askAgain
    case .part?: return .askAgain
    // It should say so (RFC 9110 §15.5.17); where the length is known already, that is enough.
    case nil: return total == offset ? .complete : .askAgain
    }
  }
}
