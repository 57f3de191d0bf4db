// SPDX-License-Identifier: MIT

// Names are hashes: nothing of a URL gets into a path, and two keys with one hash only take each other's place, since a key is compared
// with the one in the file.
//
//     0123456789abcdef0123456789abcdef                       the variants of a key
//     0123456789abcdef0123456789abcdef.0123456789abcdef      a large body of one of them, with its number
//     tmp.0123456789abcdef                                   a file being written
//     lock                                                   of the process that changes something
/// The meaning of a file's name in a store's directory.
enum StoreName: Hashable {
  case variants(of: String)
  case body(of: String, number: UInt64)
  case temporary

  /// Nil for a name that is none of ours.
  init?(_ name: String) {
    if name.hasPrefix(StoreDirectory.temporaryPrefix) {
      guard StoreDirectory.number(name.dropFirst(StoreDirectory.temporaryPrefix.count)) != nil else {
        return nil
      }
      self = .temporary
      return
    }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard let first = parts.first, Self.isHash(first) else { return nil }
    switch parts.count {
    case 1: self = .variants(of: name)
    case 2:
      guard let number = StoreDirectory.number(parts[1]) else { return nil }
      self = .body(of: String(first), number: number)
    default: return nil
    }
  }

  private static func isHash(_ text: Substring) -> Bool {
    text.utf8.count == 32 && StoreDirectory.number(text.prefix(16)) != nil
      && StoreDirectory.number(text.suffix(16)) != nil
  }

  /// The name of the file with a key's variants.
  static func hash(of key: StoredResponse.Key) -> String {
    let text = Array(key.description.utf8)
    return StoreDirectory.hexadecimal(BlockChecksum.of(text, seed: 1))
      + StoreDirectory.hexadecimal(BlockChecksum.of(text, seed: 2))
  }

  /// The name of the file of a body.
  static func body(_ number: UInt64, of hash: String) -> String {
    "\(hash).\(StoreDirectory.hexadecimal(number))"
  }
}
