// SPDX-License-Identifier: MIT

/// Fields of a request: those that bonnet has to say, and those of the user's in their place.
struct RequestFields: Equatable, Sendable {
  struct Field: Equatable, Sendable {
    let name: String
    let value: String
    /// In the user's spelling; nil for a field of bonnet's own.
    var rest: String?

    /// The text behind the name and the colon.
    var spelling: String { rest ?? " \(value)" }
  }

  private(set) var fields: [Field] = []

  mutating func add(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

  subscript(name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// Puts a word behind those that a field has.
  mutating func join(_ name: String, _ word: String) {
    let before = self[name] ?? ""
    fields.removeAll { $0.name.lowercased() == name.lowercased() }
    add(name, before.isEmpty ? word : "\(before), \(word)")
  }

  /// The user's fields replace those of the same names. Each may come more than once.
  mutating func apply(_ lines: [FieldLine]) {
    fields =
      fields.filter { field in !lines.contains { $0.name.lowercased() == field.name.lowercased() } }
      + lines.compactMap { line in line.value.map { Field(name: line.name, value: $0, rest: line.rest) } }
  }
}
