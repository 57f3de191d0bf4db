// SPDX-License-Identifier: MIT
import BluebonnetFoundation

// The generic members below stand for the two dozen of each protocol that differ only in the value's type.

struct FormKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let writer: FormWriter

  var codingPath: [any CodingKey] { writer.codingPath }

  func encodeNil(forKey key: Key) throws {
    if let text = writer.strategies.nilEncoding.encodeNil() {
      writer.node.setMember(key.stringValue).set(text: text)
    }
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try writer.child(writer.node.setMember(key.stringValue), key: key).write(value)
  }

  // What a synthesized conformance calls for an optional; the default would drop `nil` unasked.
  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws { try optional(value, forKey: key) }
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try optional(value, forKey: key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try optional(value, forKey: key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try optional(value, forKey: key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try optional(value, forKey: key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try optional(value, forKey: key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try optional(value, forKey: key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try optional(value, forKey: key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try optional(value, forKey: key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try optional(value, forKey: key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try optional(value, forKey: key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try optional(value, forKey: key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try optional(value, forKey: key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try optional(value, forKey: key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try optional(value, forKey: key) }

  private func optional<T: Encodable>(_ value: T?, forKey key: Key) throws {
    if let value {
      try encode(value, forKey: key)
    } else {
      try encodeNil(forKey: key)
    }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    writer.child(writer.node.member(key.stringValue, .object), key: key).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    writer.child(writer.node.member(key.stringValue, .array), key: key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    FormSuperWriter(writer: writer)
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    writer.child(writer.node.member(key.stringValue, .object), key: key)
  }
}

struct FormUnkeyedContainer: UnkeyedEncodingContainer {
  let writer: FormWriter

  var codingPath: [any CodingKey] { writer.codingPath }
  var count: Int { writer.node.elements.count }

  func encodeNil() throws {
    if let text = writer.strategies.nilEncoding.encodeNil() {
      writer.node.appendElement().set(text: text)
    }
  }

  func encode<T: Encodable>(_ value: T) throws {
    try nextChild().write(value)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    nextChild().container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    nextChild().unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    nextChild()
  }

  private func nextChild() -> FormWriter {
    let key = FormKey(intValue: count)
    return writer.child(writer.node.appendElement(), key: key)
  }
}

struct FormSingleValueContainer: SingleValueEncodingContainer {
  let writer: FormWriter

  var codingPath: [any CodingKey] { writer.codingPath }

  func encodeNil() throws {
    if let text = writer.strategies.nilEncoding.encodeNil() {
      writer.node.set(text: text)
    }
  }

  func encode<T: Encodable>(_ value: T) throws {
    try writer.write(value)
  }
}

/// The encoder for a superclass: its keys go beside those of its subclass. A superclass without keys of its own
/// gets the key `super`, as in other encoders.
private struct FormSuperWriter: Encoder {
  let writer: FormWriter

  var codingPath: [any CodingKey] { writer.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { writer.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    writer.container(keyedBy: type)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { member.unkeyedContainer() }

  func singleValueContainer() -> any SingleValueEncodingContainer { member.singleValueContainer() }

  private var member: FormWriter {
    let key = FormKey(stringValue: "super")
    return writer.child(writer.node.setMember(key.stringValue), key: key)
  }
}

/// A key that no type declared: an index, or `super`.
private struct FormKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }
}
