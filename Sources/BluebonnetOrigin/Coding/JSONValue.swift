// SPDX-License-Identifier: MIT
import BluebonnetAuthentication

/// The form of the origin's replies: just enough JSON, with objects that keep their order.
indirect enum JSONValue {
  case string(String)
  case integer(Int)
  case array([JSONValue])
  case object([(name: String, value: JSONValue)])

  /// An object of strings. A name that comes twice keeps its place and its last value.
  static func strings(_ pairs: [(name: String, value: String)]) -> JSONValue {
    var places: [String: Int] = [:]
    var members: [(name: String, value: JSONValue)] = []
    for pair in pairs {
      if let place = places[pair.name] {
        members[place].value = .string(pair.value)
      } else {
        places[pair.name] = members.count
        members.append((pair.name, .string(pair.value)))
      }
    }
    return .object(members)
  }

  /// The value as UTF-8 text without white space.
  var bytes: [UInt8] {
    var text: [UInt8] = []
    write(to: &text)
    return text
  }

  private func write(to text: inout [UInt8]) {
    switch self {
    case .string(let string):
      Self.quote(string, to: &text)
    case .integer(let integer):
      text += Array("\(integer)".utf8)
    case .array(let elements):
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        element.write(to: &text)
      }
      text.append(UInt8(ascii: "]"))
    case .object(let members):
      text.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        Self.quote(member.name, to: &text)
        text.append(UInt8(ascii: ":"))
        member.value.write(to: &text)
      }
      text.append(UInt8(ascii: "}"))
    }
  }

  private static func quote(_ string: String, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""): text += Array(#"\""#.utf8)
      case UInt8(ascii: "\\"): text += Array(#"\\"#.utf8)
      case 0x0A: text += Array(#"\n"#.utf8)
      case 0x0D: text += Array(#"\r"#.utf8)
      case 0x09: text += Array(#"\t"#.utf8)
      // RFC 8259 §7: the other control characters have no short form.
      case 0..<0x20:
        text += Array(#"\u00"#.utf8) + HashFunction.hexadecimal([byte])
      default: text.append(byte)
      }
    }
    text.append(UInt8(ascii: "\""))
  }
}
