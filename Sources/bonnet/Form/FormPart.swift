// SPDX-License-Identifier: MIT

/// A part of a multipart form.
struct FormPart: Equatable, Sendable {
  enum Content: Equatable, Sendable {
    case body(BodyPlan)
    /// Parts of its own, under this subtype of `multipart`.
    case parts([FormPart], subtype: String)
  }

  /// The encoding of the content (RFC 2045 §6).
  enum Encoder: String, Sendable {
    case binary
    case eightBit = "8bit"
    case sevenBit = "7bit"
    case base64
  }

  /// Nil where it was not named, as within another part.
  var name: String?
  var fileName: String?
  var type: String?
  /// Fields of its own, as `Name: value`.
  var fields: [String] = []
  var encoder: Encoder?
  var content: Content
}
