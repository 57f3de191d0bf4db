// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLibc
import BluebonnetLocks

/// This process's temporary files, in a private directory in each place that is used for them.
package enum TemporaryFiles {
  /// A new file, open for writing.
  package struct Created {
    /// The file's URL.
    package let url: URL
    /// Open for writing; the caller closes it.
    package let descriptor: Int32
    package let directory: PrivateDirectory
    /// The mode that the umask gives to new files; nil if that is not known yet.
    package let usualMode: mode_t?
    fileprivate let name: String

    /// Removes the file, unless it has been moved away.
    package func remove() { directory.remove(name) }
  }

  private static let directories = Locked<[String: PrivateDirectory]>([:])

  /// Makes a file that only this user can read, under an unpredictable name.
  ///
  /// - Parameters:
  ///   - kind: A word for the name.
  ///   - base: The directory for temporary files.
  package static func create(_ kind: String, in base: URL) throws(POSIXError) -> Created {
    let name = "\(PrivateDirectory.unfinishedPrefix)\(kind)_\(UUID.random().uuidString).tmp"
    let directory = try directory(in: base)
    do throws(POSIXError) {
      return try create(name, in: directory)
    } catch  where error.code == .ENOENT {
      // The directory has been cleared away.
      return try create(name, in: try self.directory(in: base, replacing: directory))
    }
  }

  /// Moves a file that is open for writing in among this process's own, under an unpredictable name.
  ///
  /// - Returns: nil if it could not be moved and is where it was.
  package static func adopt(_ url: URL, _ descriptor: Int32, _ kind: String, in base: URL) -> Created? {
    let name = "\(PrivateDirectory.unfinishedPrefix)\(kind)_\(UUID.random().uuidString).tmp"
    guard let directory = try? directory(in: base) else { return nil }
    let target = directory.url(of: name)
    guard rename(url.path, target.path) == 0 else { return nil }
    return Created(url: target, descriptor: descriptor, directory: directory, usualMode: nil, name: name)
  }

  private static func create(
    _ name: String, in directory: PrivateDirectory
  ) throws(POSIXError) -> Created {
    let (descriptor, usualMode) = try directory.create(name)
    return Created(
      url: directory.url(of: name), descriptor: descriptor, directory: directory, usualMode: usualMode,
      name: name)
  }

  private static func directory(
    in base: URL, replacing gone: PrivateDirectory? = nil
  ) throws(POSIXError) -> PrivateDirectory {
    try directories.withLock { (directories) throws(POSIXError) in
      if let known = directories[base.path], known !== gone { return known }
      let made = try PrivateDirectory.make(in: base)
      if directories.isEmpty { leaveAtExit() }
      directories[base.path] = made
      PrivateDirectory.sweep(base)
      return made
    }
  }

  private static func leaveAtExit() {
    atexit {
      // The present holder of the lock will not get far.
      TemporaryFiles.directories.withLockIfAvailable { directories in
        for directory in directories.values { directory.leave() }
        directories = [:]
      }
    }
  }
}
