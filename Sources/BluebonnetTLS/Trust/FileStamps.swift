// SPDX-License-Identifier: MIT
import BluebonnetLibc

/// The stamps of files and directories, to see later whether they have changed.
struct FileStamps: Sendable, Hashable {
  private struct Stamp: Sendable, Hashable {
    let device: UInt
    let inode: UInt
    let size: Int
    /// The time of the content's change, in nanoseconds since 1970.
    let modified: Int
    /// The time of any change to the file: a file that is put back with its old date has this of today.
    let changed: Int

    /// `nil` for a missing file.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt(status.st_dev)
      inode = UInt(status.st_ino)
      size = Int(status.st_size)
      modified = Self.nanoseconds(status.st_mtim)
      changed = Self.nanoseconds(status.st_ctim)
    }

    private static func nanoseconds(_ time: timespec) -> Int {
      time.tv_sec &* 1_000_000_000 &+ time.tv_nsec
    }
  }

  private var stamps: [String: Stamp?] = [:]

  /// Notes what a path leads to now. Look before you read: what changes meanwhile then counts as a change.
  mutating func note(_ path: String) {
    stamps.updateValue(Stamp(path), forKey: path)
  }

  /// Whether all of them still look the same, also those that were not there.
  var areCurrent: Bool { stamps.allSatisfy { Stamp($0.key) == $0.value } }
}
