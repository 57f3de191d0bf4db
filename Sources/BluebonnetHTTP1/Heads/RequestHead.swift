// SPDX-License-Identifier: MIT

/// A request line and its fields.
public struct RequestHead: Sendable {
  /// The `x` of `HTTP/1.x`: 0 or 1.
  public var minorVersion: Int
  /// The field lines, in the order in which they came.
  public var fields: FieldBlock
  var methodRange: Range<Int>
  var targetRange: Range<Int>

  init(minorVersion: Int, method: Range<Int>, target: Range<Int>, fields: FieldBlock) {
    self.minorVersion = minorVersion
    self.methodRange = method
    self.targetRange = target
    self.fields = fields
  }

  /// The method, in the letters it was sent in (RFC 9110 §9.1: methods are case-sensitive).
  public var method: String { fields.text(methodRange) }
  /// The request target as sent.
  public var target: String { fields.text(targetRange) }

  /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1; HTTP/1.0 cannot).
  public var expects100Continue: Bool {
    minorVersion > 0 && fields.contains(.expect, element: "100-continue")
  }

  /// RFC 9112 §3.2: an HTTP/1.1 request has exactly one Host field; a server answers 400 to any other number.
  /// The parser leaves this to the server, because a test origin may want to see such requests.
  public var hasExactlyOneHost: Bool {
    guard let first = fields.index(of: .host) else { return minorVersion == 0 }
    return fields.index(of: .host, from: first + 1) == nil
  }
}
