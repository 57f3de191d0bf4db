// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLibc

/// A name in a directory, with the path that leads there: to take that out of a URL takes longer than to look there.
struct FilePlace {
  let url: URL
  /// Nil where the URL leads to no file: it is of another kind, or would end at a zero.
  private let path: String?

  init(_ url: URL) {
    let path = url.isFileURL ? url.path : nil
    (self.url, self.path) = (url, path?.utf8.contains(0) == true ? nil : path)
  }

  /// Whether both lead to the same entry, however they are spelled.
  static func areSame(_ left: FilePlace, _ right: FilePlace) -> Bool {
    if let path = left.path, path == right.path { return true }
    guard let first = left.entry, let second = right.entry else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// The kind of the entry; nil if there is none, or access is denied.
  var kind: Kind? {
    entry.map { $0.st_mode & S_IFMT == S_IFDIR ? .directory : .fileOrLink }
  }

  enum Kind { case directory, fileOrLink }

  /// The entry itself, where it is a link.
  private var entry: stat? {
    var facts = stat()
    guard let path, lstat(path, &facts) == 0 else { return nil }
    return facts
  }

  /// Moves a file here, in place of the file or link that may be here. There is always one of the two.
  ///
  /// - Returns: false if it could not be moved in one step; then nothing has changed.
  func takes(_ file: FilePlace) -> Bool {
    guard let path, let source = file.path else { return false }
    return rename(source, path) == 0
  }
}
