// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLibc

/// A file for this user's eyes only, always whole: a reader finds the old contents or the new.
package enum PrivateFile {
  /// Writes a file beside the old one, and puts it in its place. A link is followed, so that it goes on leading there; a
  /// device, such as `/dev/stdout`, is written to.
  ///
  /// - Throws: `POSIXError`; the old file is then as it was.
  package static func write(_ bytes: [UInt8], to path: String) throws(POSIXError) {
    var facts = stat()
    var place = path
    if stat(path, &facts) == 0 {
      switch facts.st_mode & S_IFMT {
      case S_IFREG: break
      case S_IFCHR: return try writeInPlace(bytes, path)
      case S_IFDIR: throw POSIXError(.EISDIR)
      default: throw POSIXError(.EINVAL)
      }
    }
    if let resolved = realpath(path, nil) {
      place = String(cString: resolved)
      free(resolved)
    }
    // In the same directory: only within one file system does a name change hands at once.
    let temporary = "\(place).\(UUID.random().uuidString)"
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .current }
    do throws(POSIXError) {
      try OpenFile.write(bytes, to: file)
      guard fsync(file) == 0, rename(temporary, place) == 0 else { throw .current }
    } catch {
      _ = unlink(temporary)
      _ = close(file)
      throw error
    }
    guard close(file) == 0 else { throw .current }
  }

  private static func writeInPlace(_ bytes: [UInt8], _ path: String) throws(POSIXError) {
    let file = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { throw .current }
    defer { _ = close(file) }
    try OpenFile.write(bytes, to: file)
  }
}
