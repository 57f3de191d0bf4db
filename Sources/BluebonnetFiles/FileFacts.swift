// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLibc

/// The facts about a file that are needed before it is sent.
package struct FileFacts: Sendable {
  /// The bytes that it will give. Pipes and devices don't know, and neither do the files of the kernel's file systems:
  /// they say 0 or the size of a page.
  package let length: Int?
  /// Whether it gives the same again when it is read again.
  package let canBeReadAgain: Bool

  /// Looks at a file, and whether it may be read.
  package init(path: String) throws(POSIXError) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { throw .current }
    switch facts.st_mode & S_IFMT {
    case S_IFDIR: throw POSIXError(.EISDIR)
    case S_IFREG:
      canBeReadAgain = true
      do throws(POSIXError) {
        let reader = try FileReader(path: path)
        length = try Self.tellsItsSize(facts, path, reader) ? Int(exactly: facts.st_size) : nil
      } catch {
        // The file is opened when its turn comes.
        guard error.isDescriptorShortage, access(path, R_OK) == 0 else { throw error }
        length = try Self.tellsItsSize(facts, path, nil) ? Int(exactly: facts.st_size) : nil
      }
    default:
      // Opening a pipe here would show its writer a reader that goes away again.
      guard access(path, R_OK) == 0 else { throw .current }
      canBeReadAgain = false
      length = nil
    }
  }

  private static func tellsItsSize(
    _ facts: stat, _ path: String, _ reader: FileReader?
  ) throws(POSIXError) -> Bool {
    if facts.st_size == 0 {
      guard let reader else { return hasRoom(path) }
      var byte: UInt8 = 0
      return try withUnsafeMutableBytes(of: &byte) { (buffer) throws(POSIXError) in
        try reader.read(into: buffer) == 0
      }
    }
    // In sysfs every file says that it is a page long.
    guard let resolved = realpath(path, nil) else { return true }
    defer { free(resolved) }
    return strncmp(resolved, "/sys/", 5) != 0
  }

  /// Whether the system that a file is in has room for bytes, so that a file of none is empty: the kernel's have no room.
  private static func hasRoom(_ path: String) -> Bool {
    var facts = statvfs()
    return statvfs(path, &facts) == 0 && facts.f_blocks > 0
  }
}
