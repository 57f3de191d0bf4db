// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLibc
import BluebonnetLocks
import BluebonnetSemantics

/// The parts of downloads that broke off. They outlive the process: files in directories that only this user can enter.
///
/// A name stands for one content that only grows; a download that starts over gets another one. So the resume data that
/// name a part stay right for as long as it exists. Resume data may be thrown away without a word, so parts that nothing was
/// written to for a week are removed when a process keeps its first one.
package enum PartialFiles {
  /// A part that is gone on with. Its lock (`flock`) is held until the descriptor is closed, so two tasks, or two
  /// processes, never write to the same one.
  package struct Part: Sendable {
    package let location: PartLocation
    package let url: URL
    package let descriptor: Int32

    /// Lets go of the file, and of its lock. Of the lock first: a child that another thread has just forked still shares
    /// the open file, and with it the lock, until it runs its program.
    ///
    /// - Returns: Whether all that was written is known to be stored; `errno` says why not.
    @discardableResult
    package func close() -> Bool {
      _ = flock(descriptor, LOCK_UN)
      return BluebonnetLibc.close(descriptor) == 0
    }
  }

  /// Seconds after which an untouched part is removed: as long as a task may take by default.
  package static let lifetime = 7 * 24 * 60 * 60

  /// The number of parts that a process keeps unasked: those of failed downloads, since their errors may never be
  /// looked at. The oldest goes first.
  package static let unaskedLimit = 64

  /// What this process has made in each place for temporary files.
  private struct Made {
    var directories: [String: String] = [:]
    /// The parts that were kept unasked, the oldest first.
    var unasked: [String: [PartLocation]] = [:]
  }

  private static let made = Locked(Made())

  // MARK: Keeping

  /// Moves a file in among the parts.
  ///
  /// - Parameter isAskedFor: Whether the caller has asked for resume data.
  /// - Returns: Where it is now; nil if it could not be moved and is where it was.
  /// - Throws: If there is no descriptor to move it with, and it is where it was.
  package static func keep(_ file: URL, in base: URL, isAskedFor: Bool) throws(POSIXError) -> PartLocation? {
    guard let location = try move(file, in: base) else { return nil }
    if !isAskedFor {
      let oldest = made.withLock { made -> PartLocation? in
        var parts = made.unasked[base.path] ?? []
        parts.append(location)
        // Parts that were gone on with do not count.
        if parts.count > unaskedLimit { parts.removeAll { access(url(of: $0, in: base).path, F_OK) != 0 } }
        defer { made.unasked[base.path] = parts }
        return parts.count > unaskedLimit ? parts.removeFirst() : nil
      }
      // One that is being gone on with is locked.
      if let oldest, let part = try? open(oldest, at: 0, in: base, isCut: false) {
        remove(oldest, in: base)
        part.close()
      }
    }
    return location
  }

  private static func move(_ file: URL, in base: URL) throws(POSIXError) -> PartLocation? {
    let name = withUnsafeBytes(of: UUID.random().uuid) { PartLocation.name(of: $0) }
    // The directory may have been cleared away since.
    for _ in 0..<2 {
      guard let directory = directory(in: base), let location = PartLocation(directory: directory, name: name)
      else { return nil }
      if let opened = try open(directory, in: base) {
        defer { _ = BluebonnetLibc.close(opened) }
        if renameat(AT_FDCWD, file.path, opened, name) == 0 { return location }
      }
      made.withLock { made in
        if made.directories[base.path] == directory { made.directories[base.path] = nil }
      }
    }
    return nil
  }

  private static func directory(in base: URL) -> String? {
    made.withLock { made in
      if let known = made.directories[base.path] { return known }
      sweep(base)
      var template = Array((base.path + "/" + PartLocation.directoryPrefix + "XXXXXX").utf8CString)
      guard mkdtemp(&template) != nil else { return nil }
      let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      // Whatever the umask took away, and whatever the parent's set-group-ID bit added.
      _ = chmod(path, 0o700)
      let name = String(path.dropFirst(base.path.count + 1))
      made.directories[base.path] = name
      return name
    }
  }

  // MARK: Going on

  /// Opens a part for writing behind its first `offset` bytes; bytes beyond them are cut off.
  ///
  /// - Returns: nil if it is gone, shorter, not this user's, or in use.
  /// - Throws: If there is no descriptor to open it with.
  package static func open(_ location: PartLocation, at offset: Int64, in base: URL) throws(POSIXError)
    -> Part?
  {
    try open(location, at: offset, in: base, isCut: true)
  }

  private static func open(
    _ location: PartLocation, at offset: Int64, in base: URL, isCut: Bool
  ) throws(POSIXError) -> Part? {
    guard let directory = try open(location.directory, in: base) else { return nil }
    defer { _ = BluebonnetLibc.close(directory) }
    let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    guard let file = try opened(openat(directory, location.name, flags)) else { return nil }
    // Looked up again once it is locked: another task may have finished it in between, and moved it away.
    guard let identity = identity(of: file, atLeast: offset), flock(file, LOCK_EX | LOCK_NB) == 0,
      isStill(identity, location.name, in: directory),
      !isCut || ftruncate(file, off_t(offset)) == 0 && lseek(file, 0, SEEK_END) == off_t(offset)
    else {
      _ = flock(file, LOCK_UN)
      _ = BluebonnetLibc.close(file)
      return nil
    }
    return Part(location: location, url: url(of: location, in: base), descriptor: file)
  }

  /// A directory of this user's that lets no other in; never through a link.
  private static func open(_ name: String, in base: URL) throws(POSIXError) -> Int32? {
    try open("\(base.path)/\(name)", in: AT_FDCWD)
  }

  private static func open(_ name: String, in parent: Int32) throws(POSIXError) -> Int32? {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    guard let directory = try opened(openat(parent, name, flags)) else { return nil }
    var facts = stat()
    guard fstat(directory, &facts) == 0, facts.st_uid == geteuid(), facts.st_mode & 0o7777 == 0o700 else {
      _ = BluebonnetLibc.close(directory)
      return nil
    }
    return directory
  }

  /// The opened file, with its number.
  ///
  /// - Returns: nil if it could not be.
  /// - Throws: If it could not be for want of a descriptor, which says nothing about it.
  private static func opened(_ number: Int32) throws(POSIXError) -> Int32? {
    if number >= 0 { return number }
    let error = POSIXError.current
    if error.isDescriptorShortage { throw error }
    return nil
  }

  private struct Identity: Equatable {
    let device: dev_t
    let inode: ino_t

    init(_ facts: stat) { (device, inode) = (facts.st_dev, facts.st_ino) }
  }

  /// Nil for anything but a file of this user's own with a single name.
  private static func identity(of file: Int32, atLeast size: Int64) -> Identity? {
    var facts = stat()
    guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_uid == geteuid(),
      facts.st_nlink == 1, Int64(facts.st_size) >= size
    else { return nil }
    return Identity(facts)
  }

  private static func isStill(_ identity: Identity, _ name: String, in directory: Int32) -> Bool {
    var facts = stat()
    return fstatat(directory, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && Identity(facts) == identity
  }

  // MARK: Removing

  /// Removes a part that nothing can be made of.
  package static func remove(_ location: PartLocation, in base: URL) {
    let part = url(of: location, in: base)
    _ = unlink(part.path)
    leave(part)
  }

  private static func url(of location: PartLocation, in base: URL) -> URL {
    base.appendingPathComponent(location.directory, isDirectory: true)
      .appendingPathComponent(location.name, isDirectory: false)
  }

  /// Removes the directory of a part that has been finished or given up, if nothing else is in it.
  package static func leave(_ part: URL) {
    _ = rmdir(part.deletingLastPathComponent().path)
  }

  /// Removes parts that are too old, and directories with nothing in them.
  package static func sweep(_ base: URL, now: time_t = time(nil)) {
    let parent = BluebonnetLibc.open(base.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { return }
    defer { _ = BluebonnetLibc.close(parent) }
    for name in names(in: parent) where PartLocation.isDirectory(name) {
      guard let directory = try? open(name, in: parent) else { continue }
      defer { _ = BluebonnetLibc.close(directory) }
      for part in names(in: directory) where PartLocation.isName(part) {
        remove(part, in: directory, before: now - time_t(lifetime))
      }
      // Only if it is empty. A process that was about to use it makes another one.
      _ = unlinkat(parent, name, AT_REMOVEDIR)
    }
  }

  private static func remove(_ name: String, in directory: Int32, before date: time_t) {
    let file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return }
    defer {
      _ = flock(file, LOCK_UN)
      _ = BluebonnetLibc.close(file)
    }
    var facts = stat()
    guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_mtim.tv_sec < date,
      flock(file, LOCK_EX | LOCK_NB) == 0
    else { return }
    _ = unlinkat(directory, name, 0)
  }

  private static func names(in directory: Int32) -> [String] {
    let copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    return copy >= 0 ? PrivateDirectory.entries(ofDirectory: copy) : []
  }
}
