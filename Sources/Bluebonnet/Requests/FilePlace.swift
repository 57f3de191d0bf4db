// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLibc

/// A name in a directory, with the path that leads there: to take that out of a URL takes longer than to look there.
struct FilePlace {
  let url: URL
  private let path: String

  init(_ url: URL) { (self.url, path) = (url, url.path) }

  /// Whether both lead to the same entry, however they are spelled.
  static func areSame(_ left: FilePlace, _ right: FilePlace) -> Bool {
    if left.path == right.path { return true }
    guard let first = left.entry, let second = right.entry else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// What is there; nil for nothing, or if access is denied.
  var kind: Kind? {
    entry.map { $0.st_mode & S_IFMT == S_IFDIR ? .directory : .fileOrLink }
  }

  enum Kind { case directory, fileOrLink }

  /// The entry itself, where it is a link.
  private var entry: stat? {
    var facts = stat()
    return lstat(path, &facts) == 0 ? facts : nil
  }

  /// Moves a file here, in place of the file or link that may be here: whoever looks finds one or the other.
  ///
  /// - Returns: false if it could not be moved in one step; then nothing has changed.
  func takes(_ file: FilePlace) -> Bool {
    // A URL of another kind leads to no file, and a path ends at a zero.
    url.isFileURL && !path.utf8.contains(0) && rename(file.path, path) == 0
  }
}
