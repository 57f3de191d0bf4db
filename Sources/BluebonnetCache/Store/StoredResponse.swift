// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import Synchronization

/// The head of a response as a cache keeps it (RFC 9111 §2), with the facts needed to use it again.
///
/// Its body lies beside it, in whatever way suits the store. ``encoded()`` and ``init(encoded:)`` turn a head into bytes and
/// back, for stores that keep bytes.
public struct StoredResponse: Sendable {
  /// Tells the writings of responses apart. A head that is updated after a 304 keeps it; a new response has a new one.
  public let id: UInt64
  /// The key that it is kept under.
  public let key: Key
  /// The address as it was requested. Requests that have the same key may write it differently.
  public let url: URL
  /// The three digits of the status line.
  public var status: Int
  /// The reason phrase; empty if there was none.
  public var reason: String
  /// The minor version of HTTP/1: 0 or 1.
  public var minorVersion: Int
  /// The values of the request's fields that `Vary` names (RFC 9111 §4.1). Of one key, one response is kept for each variant:
  /// a new one takes the place of the one before it.
  public let variant: [RequestField]
  /// The time when the request was sent (RFC 9111 §4.2.3), by the wall clock.
  public var requestTime: Date
  /// The time when the response's head came (RFC 9111 §4.2.3), by the wall clock.
  public var responseTime: Date
  /// Bytes of the body as it is kept. Nil while the response is being written and its length is unknown; stores
  /// give back heads that say it.
  public var bodyLength: Int64?
  /// Whether the body is kept with its content coding undone, although the fields still name the coding; true by default.
  public var isDecoded: Bool
  /// The part of the representation that the body is; nil if it is all of it.
  public var part: Part?
  /// The fields in the order of their arrival.
  package var fieldBlock: FieldBlock

  /// The key of stored responses (RFC 9111 §2): the request's method and its target URI.
  public struct Key: Sendable, Hashable, CustomStringConvertible {
    /// The request's method, such as `GET`.
    public let method: String
    /// The target URI in one canonical form, without a fragment and user information.
    public let target: String

    /// Makes a key of a method and a URI, taken as they are.
    public init(method: String, target: String) {
      self.method = method
      self.target = target
    }

    /// Method and URI, with a space between: unique among keys.
    public var description: String { "\(method) \(target)" }
  }

  /// A field line of a response.
  public struct Field: Sendable, Hashable {
    /// The name as it was written.
    public var name: String
    /// The value, without the whitespace around it.
    public var value: String

    /// Makes a field line.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A request's value of a field that `Vary` names.
  public struct RequestField: Sendable, Hashable {
    /// The name in lower case.
    public var name: String
    /// The value in the form in which values are compared; nil if the request had no such field.
    public var value: String?

    /// Makes a request's field.
    public init(name: String, value: String?) {
      self.name = name
      self.value = value
    }
  }

  /// A part of a representation, as 206 brings it or a response that broke off leaves it (RFC 9111 §3.3).
  public struct Part: Sendable, Hashable {
    /// The place in the representation where the body begins.
    public var offset: Int64
    /// Bytes of the whole representation; nil if unknown.
    public var completeLength: Int64?

    /// Makes a part.
    public init(offset: Int64, completeLength: Int64?) {
      self.offset = offset
      self.completeLength = completeLength
    }
  }

  /// Makes the head of a response that is to be kept.
  public init(
    key: Key, url: URL, status: Int, reason: String = "",
    minorVersion: Int = 1, fields: [Field], variant: [RequestField] = [], requestTime: Date,
    responseTime: Date, bodyLength: Int64? = nil, isDecoded: Bool = true, part: Part? = nil
  ) {
    self.init(
      key: key, url: url, status: status, reason: reason, minorVersion: minorVersion,
      fieldBlock: FieldBlock(fields.map { ($0.name, $0.value) }), variant: variant, requestTime: requestTime,
      responseTime: responseTime, bodyLength: bodyLength, isDecoded: isDecoded, part: part)
  }

  package init(
    id: UInt64 = Self.newID(), key: Key, url: URL, status: Int, reason: String,
    minorVersion: Int, fieldBlock: FieldBlock, variant: [RequestField], requestTime: Date,
    responseTime: Date, bodyLength: Int64? = nil, isDecoded: Bool = true, part: Part? = nil
  ) {
    self.id = id
    self.key = key
    self.url = url
    self.status = status
    self.reason = reason
    self.minorVersion = minorVersion
    self.fieldBlock = fieldBlock
    self.variant = variant
    self.requestTime = requestTime
    self.responseTime = responseTime
    self.bodyLength = bodyLength
    self.isDecoded = isDecoded
    self.part = part
  }

  /// A number that no other response has: of a sequence that begins anywhere, and in which none comes twice.
  package static func newID() -> UInt64 {
    var mixed = lastID.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  private static let lastID = Atomic(UInt64.random(in: .min ... .max))

  /// The response's fields in order, with duplicates.
  public var fields: [Field] {
    get { fieldBlock.map { Field(name: $0.name, value: $0.value) } }
    set { fieldBlock = FieldBlock(newValue.map { ($0.name, $0.value) }) }
  }
}
