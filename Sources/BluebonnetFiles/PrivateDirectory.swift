// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLibc

/// A directory that this process has made for its temporary files, and that no other user can enter.
///
/// The process keeps a lock on the directory (`flock`) for as long as it lives. The kernel lets go of the lock when the
/// process ends, however that happens, so a lock that can be taken says that the owner is dead. It also keeps
/// systemd-tmpfiles from clearing the directory away under a service that runs for weeks.
package final class PrivateDirectory: Sendable {
  /// The beginning of the names of directories that may be swept; six characters follow.
  static let namePrefix = "bluebonnet.files."
  /// In a file system without locks a living owner could not be told from a dead one, so these are not swept.
  private static let unlockedPrefix = "bluebonnet.unlocked."
  /// The mark of a directory with files that were handed over to callers by a process that has ended well.
  static let keptMark = ".kept"
  /// The beginning of the names of files that no caller has been given yet.
  static let unfinishedPrefix = "Bluebonnet"

  /// The directory's URL.
  package let url: URL
  private let descriptor: Int32
  /// A child made by `fork` inherits the object but must not clear its parent's files away.
  private let owner = getpid()

  private init(url: URL, descriptor: Int32) {
    self.url = url
    self.descriptor = descriptor
  }

  deinit {
    _ = BluebonnetLibc.close(descriptor)
  }

  /// Makes a directory in `base`.
  static func make(in base: URL) throws(POSIXError) -> PrivateDirectory {
    // A sweeping process may be quicker than the lock; then there is another name.
    for _ in 0..<8 {
      if let made = try make(in: base, prefix: namePrefix) { return made }
    }
    guard let made = try make(in: base, prefix: unlockedPrefix) else { throw POSIXError(.EAGAIN) }
    return made
  }

  private static func make(in base: URL, prefix: String) throws(POSIXError) -> PrivateDirectory? {
    var template = Array((base.path + "/" + prefix + "XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw .current }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let descriptor = BluebonnetLibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      // Swept already, or out of descriptors.
      let error = POSIXError.current
      if error.code == .ENOENT { return nil }
      _ = rmdir(path)
      throw error
    }
    // Whatever the umask took away, and whatever the parent's set-group-ID bit added.
    let isOurs = fchmod(descriptor, 0o700) == 0
    let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
    var facts = stat()
    guard isOurs, fstat(descriptor, &facts) == 0, facts.st_uid == geteuid(),
      facts.st_nlink > 0, isLocked || prefix == unlockedPrefix
    else {
      _ = BluebonnetLibc.close(descriptor)
      _ = rmdir(path)
      return nil
    }
    return PrivateDirectory(url: URL(fileURLWithPath: path, isDirectory: true), descriptor: descriptor)
  }

  /// Makes a file for its owner alone, with a name of its own, and opens it for writing.
  ///
  /// - Returns: The descriptor, and the mode that the umask gives to new files.
  func create(_ name: String) throws(POSIXError) -> (descriptor: Int32, usualMode: mode_t) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    // Made like any other, which tells the umask. There is nothing in it before it is its owner's alone.
    let file = openat(descriptor, name, flags, 0o666)
    guard file >= 0 else { throw .current }
    var facts = stat()
    let usualMode = fstat(file, &facts) == 0 ? facts.st_mode & 0o777 : 0o600
    if usualMode != 0o600 { _ = fchmod(file, 0o600) }
    return (file, usualMode)
  }

  /// Removes a file by its name.
  func remove(_ name: String) { _ = unlinkat(descriptor, name, 0) }

  /// The URL of a file in this directory. Its name needs no percent encoding.
  func url(of name: String) -> URL {
    // Far less work than to append the name to a URL.
    URL(string: url.absoluteString + name) ?? url.appendingPathComponent(name, isDirectory: false)
  }

  /// The mode that the umask gives to new files. Asking `umask` itself would change it for other threads meanwhile.
  package var modeOfNewFiles: mode_t? {
    let name = Self.unfinishedPrefix + UUID.random().uuidString
    // Takes no descriptor, of which there may be none left. Some file systems cannot do it.
    if mknodat(descriptor, name, S_IFREG | 0o666, 0) != 0 {
      let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
      guard file >= 0 else { return nil }
      _ = BluebonnetLibc.close(file)
    }
    defer { remove(name) }
    var facts = stat()
    return fstatat(descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 ? facts.st_mode & 0o777 : nil
  }

  /// Removes what no caller has been given, and with it the directory if nothing else is left.
  func leave() {
    guard owner == getpid() else { return }
    Self.removeFiles(in: descriptor) { $0.hasPrefix(Self.unfinishedPrefix) }
    guard rmdir(url.path) != 0 else { return }
    let mark = openat(descriptor, Self.keptMark, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if mark >= 0 { _ = BluebonnetLibc.close(mark) }
  }

  /// Removes files by name from an open directory. Links are removed, not followed; directories stay.
  static func removeFiles(in directory: Int32, where isPendingRemoval: (String) -> Bool) {
    // The stream owns its descriptor, so it gets one of its own.
    let copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { return }
    for name in entries(ofDirectory: copy) where isPendingRemoval(name) {
      _ = unlinkat(directory, name, 0)
    }
  }

  /// The names in a directory, without `.` and `..`. Closes the descriptor.
  package static func entries(ofDirectory descriptor: Int32) -> [String] {
    guard let stream = fdopendir(descriptor) else {
      _ = BluebonnetLibc.close(descriptor)
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}

extension POSIXError {
  /// The error of this thread's last system call.
  package static var current: POSIXError { POSIXError(errno) }

  /// An error number as an error.
  package init(_ number: Int32) {
    self.init(POSIXErrorCode(rawValue: number) ?? .EIO)
  }
}

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
