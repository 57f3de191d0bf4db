// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLibc

extension PrivateDirectory {
  /// Removes the directories of dead processes in `base`, with the files in them.
  ///
  /// Only a directory is touched that has a name of ours, belongs to this user, lets no other in, and has a lock that can
  /// be taken. Nothing is reached through a link, and what isn't a file stays.
  static func sweep(_ base: URL) {
    let parent = BluebonnetLibc.open(base.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { return }
    defer { _ = BluebonnetLibc.close(parent) }
    let copy = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { return }
    for name in entries(ofDirectory: copy) where isSweepable(name) {
      sweep(name, in: parent)
    }
  }

  private static func isSweepable(_ name: String) -> Bool {
    name.hasPrefix(namePrefix) && name.utf8.count == namePrefix.utf8.count + 6
  }

  private static func sweep(_ name: String, in parent: Int32) {
    let directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard directory >= 0 else { return }
    // Closing lets go of the lock.
    defer { _ = BluebonnetLibc.close(directory) }
    var facts = stat()
    guard fstat(directory, &facts) == 0, facts.st_uid == geteuid(), facts.st_mode & 0o7777 == 0o700,
      flock(directory, LOCK_EX | LOCK_NB) == 0,
      faccessat(directory, keptMark, F_OK, 0) != 0
    else { return }
    removeFiles(in: directory) { _ in true }
    // Another one of that name may have come since: it is only removed empty, and a living owner sees that it is gone.
    _ = unlinkat(parent, name, AT_REMOVEDIR)
  }
}
