// SPDX-License-Identifier: MIT

/// Writes response heads that cannot be injected into, as ``RequestEncoder`` does for requests.
public struct ResponseEncoder: Sendable {
  /// The bytes written so far. Complete heads only after ``end()``.
  public private(set) var bytes: [UInt8] = []
  private var isInsideHead = false

  /// Creates an encoder that can take `capacity` bytes before it allocates again.
  public init(capacity: Int = 512) {
    bytes.reserveCapacity(capacity)
  }

  /// Forgets the bytes written, and keeps the memory for the next head.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    isInsideHead = false
  }

  /// Writes the status line. The status is 100 to 999; the reason may be empty (RFC 9112 §4).
  public mutating func begin(status: Int, reason: String = "", minorVersion: Int = 1) throws(HTTP1Error) {
    guard !isInsideHead else { throw HTTP1Error(.outOfOrder, offset: 0, fault: .caller) }
    guard (100...999).contains(status) else {
      throw HTTP1Error(.invalidStatusCode, offset: 0, fault: .caller)
    }
    guard (0...9).contains(minorVersion) else {
      throw HTTP1Error(.unsupportedVersion, offset: 0, fault: .caller)
    }
    try FieldWriter.checkText(reason, .invalidReason)
    bytes.append(contentsOf: "HTTP/1.".utf8)
    bytes.append(0x30 &+ UInt8(truncatingIfNeeded: minorVersion))
    bytes.append(Byte.space)
    for divisor in [100, 10, 1] { bytes.append(0x30 &+ UInt8(truncatingIfNeeded: status / divisor % 10)) }
    bytes.append(Byte.space)
    bytes.append(contentsOf: reason.utf8)
    bytes.append(Byte.cr)
    bytes.append(Byte.lf)
    isInsideHead = true
  }

  /// Writes one field line. Non-ASCII text in the value goes out as UTF-8.
  public mutating func field(_ name: String, _ value: String) throws(HTTP1Error) {
    guard isInsideHead else { throw HTTP1Error(.outOfOrder, offset: 0, fault: .caller) }
    try FieldWriter.append(name: name, value: value, to: &bytes)
  }

  /// Writes the empty line that ends the head; nothing if no head was begun.
  public mutating func end() {
    guard isInsideHead else { return }
    bytes.append(Byte.cr)
    bytes.append(Byte.lf)
    isInsideHead = false
  }
}
