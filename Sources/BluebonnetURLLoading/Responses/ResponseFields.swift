import BluebonnetHTTP1

/// The fields of a response, whatever they were made from; the dictionary is built when asked for.
struct ResponseFields: Sendable {
  private enum Storage: Sendable {
    /// Made by hand.
    case named(HeaderFields)
    /// As received.
    case received(FieldBlock)
  }

  private let storage: Storage

  init(_ dictionary: [String: String]) { storage = .named(HeaderFields(dictionary)) }

  init(_ block: FieldBlock) { storage = .received(block) }

  var dictionary: [String: String] {
    switch storage {
    case .named(let fields): return fields.dictionary
    case .received(let block):
      var fields = HeaderFields()
      for (name, value) in block { fields.join(name: name, value: value) }
      return fields.dictionary
    }
  }

  func contains(_ field: KnownField) -> Bool {
    switch storage {
    case .named(let fields): fields.index(of: field.name) != nil
    case .received(let block): block.contains(field)
    }
  }

  /// The field lines of one name, unjoined: a comma inside `Set-Cookie` separates nothing (RFC 9110 §5.3).
  func lines(of name: String) -> [String] {
    switch storage {
    case .named(let fields): fields[name].map { [$0] } ?? []
    case .received(let block): block.values(name)
    }
  }

  func joinedValue(of name: String) -> String? {
    switch storage {
    case .named(let fields): fields[name]
    case .received(let block):
      block.contains(name) ? block.values(name).joined(separator: ", ") : nil
    }
  }
}

extension HeaderFields {
  /// Adds a field line as received: equal names become one list (RFC 9110 §5.2).
  fileprivate mutating func join(name: String, value: String) {
    self[name] = self[name].map { $0 + ", " + value } ?? value
  }
}
