// SPDX-License-Identifier: MIT

/// A request as the origin received it.
public struct RecordedRequest: Sendable {
  /// One field line of a request: a name and a value.
  public struct Field: Sendable, Hashable {
    /// The name as it was written.
    public let name: String
    /// The value without the blanks around it.
    public let value: String
  }

  /// The method, as it was sent.
  public let method: String
  /// The target as it was written: path and query in most requests.
  public let target: String
  /// The minor version after `HTTP/1.`.
  public let minorVersion: Int
  /// The fields, in order and with duplicates.
  public let fields: [Field]
  /// The body as it came over the wire, without chunked framing. Empty for `/upload`, which only counts.
  public internal(set) var body: [UInt8] = []
  /// The bytes of body that came, kept or not.
  public internal(set) var bodyLength = 0
  /// Whether the body came to its end.
  public internal(set) var isComplete = false
  /// The connection it came on, counted from 1.
  public let connection: Int
  /// Its place among the requests on that connection, counted from 1.
  public let ordinal: Int
  /// Whether that connection's TLS session was resumed from an earlier one.
  public let isResumed: Bool
  /// The common name of the certificate that the client has proved to have; nil for none.
  public let clientName: String?
  /// The time when its head was complete, in nanoseconds of the monotonic clock.
  public let arrival: UInt64

  /// The path of the target, without the query.
  public var path: String { String(target.prefix { $0 != "?" }) }

  /// The values of all fields of that name, whatever their case.
  public func values(_ name: String) -> [String] {
    let name = name.lowercased()
    return fields.filter { $0.name.lowercased() == name }.map(\.value)
  }

  /// The value of the first field of that name, whatever its case.
  public func value(_ name: String) -> String? {
    let name = name.lowercased()
    return fields.first { $0.name.lowercased() == name }?.value
  }
}
