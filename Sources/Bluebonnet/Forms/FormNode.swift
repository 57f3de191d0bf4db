// SPDX-License-Identifier: MIT

/// The encoded form of an `Encodable`: text, elements, or keys with nodes.
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
  /// The places of the members, once there are so many that looking through them would take long.
  private var places: [String: Int]?

  func set(text: String) {
    kind = .text
    self.text = text
  }

  /// Marks a container that may stay without elements. Whatever else it was is replaced.
  func become(_ kind: Kind) {
    guard self.kind != kind else { return }
    self.kind = kind
    (elements, members, places) = ([], [], nil)
  }

  func appendElement() -> FormNode {
    let node = FormNode()
    elements.append(node)
    return node
  }

  /// A new node for a key. An earlier one for the key is replaced, as in other encoders.
  func setMember(_ key: String) -> FormNode {
    let node = FormNode()
    if let place = place(of: key) {
      members[place].node = node
    } else {
      append(key, node)
    }
    return node
  }

  /// The node of a key's container, perhaps asked for more than once, and by a superclass: that decides itself what it is, and with
  /// keys, they join those of a container. Nothing joins elements, or a text.
  func member(_ key: String, _ kind: Kind) -> FormNode {
    guard let node = place(of: key).map({ members[$0].node }), node.kind == kind || node.kind == .empty else {
      return setMember(key)
    }
    return node
  }

  private func append(_ key: String, _ node: FormNode) {
    places?[key] = members.count
    members.append((key, node))
    if places == nil, members.count > 16 {
      places = Dictionary(uniqueKeysWithValues: members.enumerated().map { ($1.key, $0) })
    }
  }

  private func place(of key: String) -> Int? {
    if let places { return places[key] }
    return members.firstIndex { $0.key == key }
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
