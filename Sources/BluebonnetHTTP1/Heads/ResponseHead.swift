// SPDX-License-Identifier: MIT

/// A status line and its fields.
public struct ResponseHead: Sendable {
  /// The `x` of `HTTP/1.x`: 0 or 1.
  public var minorVersion: Int
  /// The status code, 100 to 999.
  public var status: Int
  /// The field lines, in the order in which they came.
  public var fields: FieldBlock
  var reasonRange: Range<Int>

  init(minorVersion: Int, status: Int, reason: Range<Int>, fields: FieldBlock) {
    self.minorVersion = minorVersion
    self.status = status
    self.reasonRange = reason
    self.fields = fields
  }

  /// The reason phrase as sent, often empty. RFC 9112 §4: a client should ignore it.
  public var reason: String { fields.text(reasonRange) }
}
