// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// The record of a download that broke off: its request, the place of its part, and the way to ask for the rest.
///
/// The request's fields are among it, so the record is as secret as they are.
package struct ResumeRecord: Sendable, Hashable {
  /// The address, an absolute http or https one.
  package var url: String
  /// The request's fields, without those that ask for the rest.
  package var fields = HeaderFields()
  /// Seconds of silence that the request allowed, in thousandths; nil for the session's own setting.
  package var timeout: Int64?
  /// Whether the request takes cookies from the session's storage.
  package var handlesCookies = true
  /// The bytes at hand, and the conditions on the rest.
  package var point: ResumePoint
  /// The place of the part.
  package var location: PartLocation
  /// The response's fields about the whole, which a 206 may leave out.
  package var representation: [HeaderFields.Field] = []

  package init(url: String, point: ResumePoint, location: PartLocation) {
    (self.url, self.point, self.location) = (url, point, location)
  }
}

/// Why bytes are no resume data.
package enum ResumeRecordError: Error, Sendable, Hashable, CustomStringConvertible {
  /// They are of another kind.
  case foreign
  /// They are of a version that is not known here.
  case version(UInt8)
  /// Something is missing, doubled or contradictory.
  case damaged(String)

  /// The fault of the data, to follow "the resume data".
  package var description: String {
    switch self {
    case .foreign: "are not of this library"
    case .version(let number): "are of version \(number) of their format, and only 1 is known here"
    case .damaged(let what): "are damaged: \(what)"
    }
  }
}
