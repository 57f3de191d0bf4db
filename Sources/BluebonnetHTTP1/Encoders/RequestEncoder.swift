// SPDX-License-Identifier: MIT

/// Writes request heads that cannot be injected into: method, target, names and values are validated before a byte
/// of them is written.
///
/// ```swift
/// var encoder = RequestEncoder()
/// try encoder.begin(method: "GET", target: "/")
/// try encoder.field("Host", "example.org")
/// encoder.end()
/// socket.write(encoder.bytes)
/// ```
public struct RequestEncoder: Sendable {
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

  /// Writes the request line. The target is in the form the connection needs (RFC 9112 §3.2): `/path?query` for an
  /// origin, an absolute URI for a proxy, `host:port` for CONNECT, `*` for OPTIONS.
  ///
  /// - Parameters:
  ///   - method: Any token.
  ///   - target: In one of the forms above.
  ///   - isOldVersion: The version is HTTP/1.0, so that the server answers as that has it. Default: false.
  /// - Throws: The fault of the method or the target, or `outOfOrder` inside a head; the caller's fault.
  public mutating func begin(
    method: String, target: String, isOldVersion: Bool = false
  ) throws(HTTP1Error) {
    guard !isInsideHead else { throw HTTP1Error(.outOfOrder, offset: 0, fault: .caller) }
    try FieldWriter.checkToken(method, .invalidMethod)
    try Self.check(target: target, toConnect: RequestKind(method: method) == .connect)
    FieldWriter.append(method, " ", target, isOldVersion ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n", to: &bytes)
    isInsideHead = true
  }

  /// Begins the head of a request for an http resource that a proxy is asked for, in absolute form (RFC 9112 §3.2.2).
  ///
  /// - Parameter authority: Host and port as a URI has them.
  package mutating func begin(
    method: String, authority: String, path: String, isOldVersion: Bool = false
  ) throws(HTTP1Error) {
    guard !isInsideHead else { throw HTTP1Error(.outOfOrder, offset: 0, fault: .caller) }
    try FieldWriter.checkToken(method, .invalidMethod)
    let refused = authority.withBytes { $0.firstIndex { !Byte.isVisible($0) } }
    if let refused { throw HTTP1Error(.invalidTarget, offset: refused, fault: .caller) }
    try Self.check(target: path, toConnect: RequestKind(method: method) == .connect)
    FieldWriter.append(method, " http://", authority, "", to: &bytes)
    FieldWriter.append(path, isOldVersion ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n", "", "", to: &bytes)
    isInsideHead = true
  }

  /// Writes one field line. Non-ASCII text in the value goes out as UTF-8.
  public mutating func field(_ name: String, _ value: String) throws(HTTP1Error) {
    guard isInsideHead else { throw HTTP1Error(.outOfOrder, offset: 0, fault: .caller) }
    try FieldWriter.append(name: name, value: value, to: &bytes)
  }

  /// Writes one field line with a value that need not be text.
  package mutating func field(_ name: String, _ value: FieldValue) throws(HTTP1Error) {
    guard isInsideHead else { throw HTTP1Error(.outOfOrder, offset: 0, fault: .caller) }
    try FieldWriter.append(name: name, value: value, to: &bytes)
  }

  /// Writes one field line in the caller's spelling.
  ///
  /// - Parameter rest: Everything behind the colon, blanks in front of the value included.
  package mutating func line(_ name: String, _ rest: String) throws(HTTP1Error) {
    guard isInsideHead else { throw HTTP1Error(.outOfOrder, offset: 0, fault: .caller) }
    try FieldWriter.append(name: name, rest: rest, to: &bytes)
  }

  /// The same with bytes, which need not be text.
  package mutating func line(_ name: String, _ rest: [UInt8]) throws(HTTP1Error) {
    guard isInsideHead else { throw HTTP1Error(.outOfOrder, offset: 0, fault: .caller) }
    try FieldWriter.append(name: name, rest: rest, to: &bytes)
  }

  /// Writes field lines that were encoded before.
  public mutating func fields(_ fields: EncodedFields) throws(HTTP1Error) {
    guard isInsideHead else { throw HTTP1Error(.outOfOrder, offset: 0, fault: .caller) }
    bytes.append(contentsOf: fields.bytes)
  }

  /// Writes the empty line that ends the head; nothing if no head was begun.
  public mutating func end() {
    guard isInsideHead else { return }
    bytes.append(Byte.cr)
    bytes.append(Byte.lf)
    isInsideHead = false
  }

  private static func check(target: String, toConnect: Bool) throws(HTTP1Error) {
    let (refused, isValid) = target.withBytes { bytes in
      guard let base = bytes.baseAddress else { return (Int?.none, false) }
      if let refused = bytes.firstIndex(where: { !Byte.isVisible($0) }) { return (refused, false) }
      return (nil, RequestTarget.isValid(base, bytes.count, toConnect: toConnect))
    }
    if let refused { throw HTTP1Error(.invalidTarget, offset: refused, fault: .caller) }
    guard isValid else { throw HTTP1Error(.invalidTarget, offset: 0, fault: .caller) }
  }
}
