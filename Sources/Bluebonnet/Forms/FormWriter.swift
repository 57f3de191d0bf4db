// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// The `Encoder` behind `URLEncodedFormEncoder`: notes what a value says of itself in a tree of nodes.
struct FormWriter: Encoder {
  let node: FormNode
  let strategies: URLEncodedFormEncoder
  let codingPath: [any CodingKey]

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.become(.object)
    return KeyedEncodingContainer(FormKeyedContainer<Key>(writer: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.become(.array)
    return FormUnkeyedContainer(writer: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    FormSingleValueContainer(writer: self)
  }

  func child(_ node: FormNode, key: any CodingKey) -> FormWriter {
    FormWriter(node: node, strategies: strategies, codingPath: codingPath + [key])
  }

  /// Notes a value: the types with a strategy or a text of their own at once, all others by asking them.
  func write<T: Encodable>(_ value: T) throws {
    if let scalar = value as? any FormScalar {
      node.set(text: scalar.formText(boolEncoding: strategies.boolEncoding))
    } else if let date = value as? Date {
      if let text = try strategies.dateEncoding.encode(date) {
        node.set(text: text)
      } else {
        try date.encode(to: self)
      }
    } else if let data = value as? Data {
      if let text = try strategies.dataEncoding.encode(data) {
        node.set(text: text)
      } else {
        try data.encode(to: self)
      }
    } else {
      try value.encode(to: self)
    }
  }
}

/// A value that is one text.
protocol FormScalar {
  func formText(boolEncoding: URLEncodedFormEncoder.BoolEncoding) -> String
}

extension FormScalar {
  func formText(boolEncoding: URLEncodedFormEncoder.BoolEncoding) -> String { "\(self)" }
}

extension Bool: FormScalar {
  func formText(boolEncoding: URLEncodedFormEncoder.BoolEncoding) -> String { boolEncoding.encode(self) }
}

extension String: FormScalar {
  func formText(boolEncoding: URLEncodedFormEncoder.BoolEncoding) -> String { self }
}

extension Double: FormScalar {}
extension Float: FormScalar {}
extension Int: FormScalar {}
extension Int8: FormScalar {}
extension Int16: FormScalar {}
extension Int32: FormScalar {}
extension Int64: FormScalar {}
extension UInt: FormScalar {}
extension UInt8: FormScalar {}
extension UInt16: FormScalar {}
extension UInt32: FormScalar {}
extension UInt64: FormScalar {}
extension Int128: FormScalar {}
extension UInt128: FormScalar {}
// A decimal encodes itself as mantissa and exponent, which no server expects in a form.
extension Decimal: FormScalar {}
