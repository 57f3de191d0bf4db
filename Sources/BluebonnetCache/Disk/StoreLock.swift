// SPDX-License-Identifier: MIT
import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetLibc
import BluebonnetLocks

/// Lets one at a time change a store's directory, of all processes that use it. Reading needs no lock.
///
/// The kernel lets go of the lock when a process ends, however that happens.
final class StoreLock: Sendable {
  private let directory: StoreDirectory
  /// Among the threads of this process, and the lock file of the others.
  private let file = Locked<OpenFile?>(nil)
  /// The time to wait for others: a process may have been stopped while it had the lock.
  private let patience: Duration

  /// Stands in the lock file as long as no other store has had the lock.
  private let name = UInt64.random(in: 1 ... .max)

  /// The store that had the lock last; unknown if the lock file is a new one.
  enum Last: Equatable { case own, other, unknown }

  init(_ directory: StoreDirectory, patience: Duration = .seconds(5)) {
    self.directory = directory
    self.patience = patience
  }

  /// Does something while no other process changes anything.
  ///
  /// - Parameter body: Takes the store that had the lock last. If that is this one, no other has changed anything.
  /// - Throws: ``ResponseStoreError/busy`` if others do not get ready.
  func withLock<Result>(
    _ body: (Last) throws(ResponseStoreError) -> Result
  ) throws(ResponseStoreError) -> Result {
    // Swift's regions cannot tell that what comes out is not of the file.
    var result: Result?
    try file.withLock { (file) throws(ResponseStoreError) in
      let locked = try lock(file)
      file = locked
      defer { _ = flock(locked.descriptor, LOCK_UN) }
      result = try body(sign(locked))
    }
    guard let result else { throw .busy }
    return result
  }

  private func lock(_ known: OpenFile?) throws(ResponseStoreError) -> OpenFile {
    let end = ContinuousClock.now + patience
    var pause: useconds_t = 100
    var file = known
    while true {
      let opened = if let file { file } else { try open() }
      if flock(opened.descriptor, LOCK_EX | LOCK_NB) == 0 {
        // A process that clears the directory away takes the file along, and others lock another one.
        if !opened.isGone { return opened }
        _ = flock(opened.descriptor, LOCK_UN)
        file = nil
      } else {
        guard errno == EWOULDBLOCK || errno == EINTR else { throw .current("flock") }
        file = opened
      }
      guard ContinuousClock.now < end else { throw .busy }
      usleep(pause)
      pause = min(pause * 2, 10_000)
    }
  }

  /// Writes this store's name into the lock file, unless it is there.
  private func sign(_ file: OpenFile) -> Last {
    var last: UInt64 = 0
    if pread(file.descriptor, &last, 8, 0) == 8, last == name { return .own }
    var name = name
    // On a full disk the name cannot be written: then others may have changed something at any time.
    guard pwrite(file.descriptor, &name, 8, 0) == 8 else { return .other }
    return last == 0 ? .unknown : .other
  }

  private func open() throws(ResponseStoreError) -> OpenFile {
    try directory.within { (directory) throws(ResponseStoreError) in
      let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
      let file = openat(directory, StoreDirectory.lockName, flags, 0o600)
      guard file >= 0 else { throw .current("openat") }
      return OpenFile(owning: file)
    }
  }
}
