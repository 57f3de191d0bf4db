// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// The place of a download's part within the directory for temporary files: two names of the library's own.
///
/// The names are checked whatever their source, so resume data cannot lead anywhere else: no separator, no dot at the
/// beginning, no other length.
package struct PartLocation: Sendable, Hashable {
  /// `bluebonnet.partial.` and six letters or digits.
  package let directory: String
  /// 32 hexadecimal digits and `.part`.
  package let name: String

  package static let directoryPrefix = "bluebonnet.partial."
  private static let suffix = ".part"

  /// Nil for names of any other form.
  package init?(directory: String, name: String) {
    guard Self.isDirectory(directory), Self.isName(name) else { return nil }
    (self.directory, self.name) = (directory, name)
  }

  /// Whether it is what directories of parts are called.
  package static func isDirectory(_ name: String) -> Bool {
    let prefix = directoryPrefix.utf8
    return name.utf8.count == prefix.count + 6 && name.utf8.starts(with: prefix)
      && name.utf8.dropFirst(prefix.count).allSatisfy { Byte.isDigit($0) || Byte.lowercased($0) &- 0x61 < 26 }
  }

  /// Whether it is what parts are called.
  package static func isName(_ name: String) -> Bool {
    name.utf8.count == 32 + suffix.utf8.count && name.hasSuffix(suffix)
      && name.utf8.prefix(32).allSatisfy { Byte.hexadecimal($0) < 16 }
  }

  /// The name of a new part, of 16 random bytes.
  package static func name(of random: some Sequence<UInt8>) -> String {
    var name: [UInt8] = []
    for byte in random { name += [Byte.hexadecimalDigit(byte >> 4), Byte.hexadecimalDigit(byte & 15)] }
    return String(decoding: name, as: UTF8.self) + suffix
  }
}
