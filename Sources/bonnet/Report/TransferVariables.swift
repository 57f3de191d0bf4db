// SPDX-License-Identifier: MIT
import Bluebonnet

/// The variables of `-w`, by curl's names.
struct TransferVariables {
  enum Value: Equatable {
    case text(String?)
    case integer(Int)
    /// Written as three digits.
    case code(Int)
    /// Seconds.
    case time(Double)
  }

  /// By name, as `%{json}` has them.
  let values: [String: Value]
  /// Fields of the last response, in order.
  let fields: [(name: String, value: String)]
  let isSuccess: Bool

  func fieldValue(_ name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// Nil if unknown.
  func text(of name: String) -> String? {
    switch name {
    case "json": return json
    case "header_json": return fieldsAsJSON
    default: return values[name].map(Self.text)
    }
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .text(let text): text ?? ""
    case .integer(let number): "\(number)"
    case .code(let number): Decimals.padded(number, to: 3)
    case .time(let seconds): Decimals.fixed(max(0, seconds), 6)
    }
  }

  private var json: String {
    let members = values.sorted { $0.key < $1.key }.map { name, value in
      let text =
        switch value {
        case .text(nil): "null"
        case .text(let text?): Self.quoted(text)
        case .integer(let number), .code(let number): "\(number)"
        case .time: Self.text(value)
        }
      return "\"\(name)\":\(text)"
    }
    return "{" + members.joined(separator: ",")
      + ",\"curl_version\":\(Self.quoted(VersionText.product))}"
  }

  private var fieldsAsJSON: String {
    var names: [String] = []
    var values: [String: [String]] = [:]
    for field in fields {
      let name = field.name.lowercased()
      if values[name] == nil { names.append(name) }
      values[name, default: []].append(Self.quoted(field.value))
    }
    return "{"
      + names.map { "\(Self.quoted($0)):[\((values[$0] ?? []).joined(separator: ","))]" }.joined(
        separator: ",\n") + "\n}"
  }

  /// RFC 8259 §7.
  private static func quoted(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}
