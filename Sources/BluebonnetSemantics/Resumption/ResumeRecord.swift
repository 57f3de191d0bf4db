import BluebonnetHTTP1

/// What is kept of a download that broke off: its request, where its part lies, and how to ask for the rest.
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
  /// What is there, and what has to be true of the rest.
  package var point: ResumePoint
  /// Where it is.
  package var location: PartLocation
  /// What the response said of the whole, and a 206 may leave out.
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

  /// What is wrong with them, to follow "the resume data".
  package var description: String {
    switch self {
    case .foreign: "are not of this library"
    case .version(let number): "are of version \(number) of their format, and only 1 is known here"
    case .damaged(let what): "are damaged: \(what)"
    }
  }
}
