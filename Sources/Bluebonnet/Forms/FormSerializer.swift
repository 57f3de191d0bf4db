// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// Flattens a tree of nodes to `key=value` pairs joined by `&`.
struct FormSerializer {
  let strategies: URLEncodedFormEncoder
  let allowed: AllowedBytes

  func serialize(_ root: FormNode) -> String {
    join(root.members.map { serialize($0.node, key: $0.key) })
  }

  private func serialize(_ node: FormNode, key: String) -> String {
    switch node.kind {
    case .empty: ""
    case .text: escape(strategies.keyEncoding.encode(key)) + "=" + escape(node.text)
    case .array:
      join(
        // A node without a value, such as that of a dropped nil, takes no index.
        node.elements.filter { $0.kind != .empty }.enumerated().map { index, element in
          serialize(element, key: strategies.arrayEncoding.encode(key, atIndex: index))
        })
    case .object:
      join(
        node.members.map { subkey, member in
          serialize(member, key: key + strategies.keyPathEncoding.encodeKeyPath(subkey))
        })
    }
  }

  /// An empty container has no pair, and must not leave a separator behind either.
  private func join(_ segments: [String]) -> String {
    if segments.count == 1 { return segments[0] }
    var segments = segments.filter { !$0.isEmpty }
    if strategies.alphabetizeKeyValuePairs {
      segments.sort()
    }
    return segments.joined(separator: "&")
  }

  private func escape(_ text: String) -> String {
    switch strategies.spaceEncoding {
    case .percentEscaped: text.percentEncoded(allowing: allowed)
    case .plusReplaced: text.percentEncoded(allowing: allowed, space: "+")
    }
  }
}
