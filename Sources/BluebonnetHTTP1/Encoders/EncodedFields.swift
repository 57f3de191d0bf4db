// SPDX-License-Identifier: MIT

/// Field lines in their wire form, validated once, to be written into many heads.
public struct EncodedFields: Sendable, Hashable {
  /// The lines, each with its CR LF.
  public let bytes: [UInt8]

  /// Encodes the fields; throws for a name or value that must not be sent.
  public init(_ fields: [(name: String, value: String)]) throws(HTTP1Error) {
    var bytes: [UInt8] = []
    for field in fields { try FieldWriter.append(name: field.name, value: field.value, to: &bytes) }
    self.bytes = bytes
  }

  /// Encodes one field with a value that need not be text.
  package init(_ name: String, _ value: FieldValue) throws(HTTP1Error) {
    var bytes: [UInt8] = []
    try FieldWriter.append(name: name, value: value, to: &bytes)
    self.bytes = bytes
  }
}
