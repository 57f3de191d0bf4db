/// What an `Encodable` said of itself: text, elements, or keys with nodes.
final class FormNode {
  enum Kind {
    case empty
    case text
    case array
    case object
  }

  private(set) var kind = Kind.empty
  private(set) var text = ""
  private(set) var elements: [FormNode] = []
  private(set) var members: [(key: String, node: FormNode)] = []

  func set(text: String) {
    kind = .text
    self.text = text
  }

  /// Marks a container that may stay without elements.
  func become(_ kind: Kind) {
    if self.kind == .empty {
      self.kind = kind
    }
  }

  func appendElement() -> FormNode {
    let node = FormNode()
    elements.append(node)
    return node
  }

  func appendMember(_ key: String) -> FormNode {
    let node = FormNode()
    members.append((key, node))
    return node
  }
}

extension FormNode: CustomStringConvertible {
  var description: String {
    switch kind {
    case .empty: "nothing"
    case .text: "\"\(text)\""
    case .array: "[" + elements.map(\.description).joined(separator: ", ") + "]"
    case .object: "{" + members.map { "\($0.key): \($0.node)" }.joined(separator: ", ") + "}"
    }
  }
}
