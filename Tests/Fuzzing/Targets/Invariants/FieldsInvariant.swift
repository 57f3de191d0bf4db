// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// Any accepted field block has names that are tokens and values without line ends or NUL, each found under its name
/// in any case of letters.
enum FieldsInvariant {
  static func violation(_ block: FieldBlock, mode: ParsingMode) -> String? {
    for index in block.indices {
      let (name, value) = block[index]
      let isToken = name.utf8.allSatisfy {
        $0 > 0x20 && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0)
      }
      if name.isEmpty || !isToken { return "name \(name)" }
      let bytes = block.withValue(at: index) { bytes in bytes.indices.map { bytes[$0] } }
      if let first = bytes.first, let last = bytes.last,
        [first, last].contains(where: { $0 == 32 || $0 == 9 })
      {
        return "white space around \(value)"
      }
      if bytes.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) { return "line end in \(value)" }
      if mode != .lenient, bytes.contains(where: { ($0 < 32 && $0 != 9) || $0 == 127 }) {
        return "control in \(value)"
      }
      if block.known(at: index) != KnownField(name: name) { return "\(name) is not recognised" }
      for spelling in [name, name.lowercased(), name.uppercased()]
      where block.index(of: spelling, from: index) != index {
        return "\(spelling) is not found at \(index)"
      }
      if let known = KnownField(name: name) {
        if known.name != name.lowercased() { return "\(known) is not \(name)" }
        if block.index(of: known, from: index) != index || block.values(known) != block.values(name) {
          return "\(known) is not found at \(index)"
        }
      }
    }
    return nil
  }
}
