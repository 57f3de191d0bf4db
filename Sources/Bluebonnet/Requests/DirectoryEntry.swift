// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLibc

/// The file under a name, without following a link.
struct DirectoryEntry {
  let isDirectory: Bool
  private let device: dev_t
  private let number: ino_t

  /// Nil if there is nothing, or access is denied.
  init?(at url: URL) {
    var facts = stat()
    guard lstat(url.path, &facts) == 0 else { return nil }
    isDirectory = facts.st_mode & S_IFMT == S_IFDIR
    (device, number) = (facts.st_dev, facts.st_ino)
  }

  /// Whether both lead to the same entry, however they are spelled.
  static func areSame(_ left: URL, _ right: URL) -> Bool {
    if left.path == right.path { return true }
    guard let first = DirectoryEntry(at: left), let second = DirectoryEntry(at: right) else { return false }
    return first.device == second.device && first.number == second.number
  }
}
