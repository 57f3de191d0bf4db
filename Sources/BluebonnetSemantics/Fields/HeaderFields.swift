// SPDX-License-Identifier: MIT

/// The header fields of a request: ordered, looked up without regard to case (RFC 9110 §5.1), one line per name.
package struct HeaderFields: Sendable, Hashable {
  /// One field line.
  package struct Field: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  package private(set) var fields: [Field] = []

  package init() {}

  /// Names that differ only in case are folded into one; the one that sorts first wins, so that the result does
  /// not depend on the dictionary's order. Two hosts are joined, which makes a field that is refused: neither is right.
  package init(_ dictionary: [String: String]) {
    fields.reserveCapacity(dictionary.count)
    for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) {
      if index(of: name) == nil {
        fields.append(Field(name: name, value: value))
      } else if name.equalsIgnoringASCIICase("Host") {
        add(name: name, value: value)
      }
    }
  }

  package var isEmpty: Bool { fields.isEmpty }
  package var count: Int { fields.count }

  package func index(of name: String) -> Int? {
    fields.firstIndex { $0.name.equalsIgnoringASCIICase(name) }
  }

  /// Reading finds the value; setting replaces in place (with the new spelling of the name), appends, or removes.
  package subscript(name: String) -> String? {
    get { index(of: name).map { fields[$0].value } }
    set {
      switch (index(of: name), newValue) {
      case (let index?, let value?): fields[index] = Field(name: name, value: value)
      case (nil, let value?): append(name: name, value: value)
      case (let index?, nil): fields.remove(at: index)
      case (nil, nil): break
      }
    }
  }

  /// Joins with a comma to an existing value (RFC 9110 §5.3), else appends.
  package mutating func add(name: String, value: String, separator: String = ",") {
    if let index = index(of: name) {
      fields[index].value += separator + value
    } else {
      append(name: name, value: value)
    }
  }

  /// Adds a field with a name known to be new.
  private mutating func append(name: String, value: String) {
    // Eight hold the fields of most requests without growing twice on the way.
    if fields.isEmpty { fields.reserveCapacity(8) }
    fields.append(Field(name: name, value: value))
  }

  package var dictionary: [String: String] {
    var result: [String: String] = [:]
    result.reserveCapacity(fields.count)
    for field in fields { result[field.name] = field.value }
    return result
  }

  package static func == (left: HeaderFields, right: HeaderFields) -> Bool {
    guard left.fields.count == right.fields.count else { return false }
    return left.fields.allSatisfy { right[$0.name] == $0.value }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(fields.count)
  }
}

extension HeaderFields.Field {
  /// The value, or what a description shows instead of a secret one.
  package var shownValue: String { Self.isSecret(name) ? "<redacted>" : value }

  /// A reader of one of these can act as the user.
  package static func isSecret(_ name: String) -> Bool {
    (RequestCredentials.fieldNames + ["Set-Cookie"]).contains { name.equalsIgnoringASCIICase($0) }
  }
}
