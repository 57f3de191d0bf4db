// SPDX-License-Identifier: MIT
import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetLibc
import BluebonnetLocks
import Synchronization

/// The directory of a store, which only this user can enter, and the calls that work on the files in it.
///
/// Files come into being under a unique name, and get theirs by `rename`, an atomic call. They are not synced: after
/// a power failure a file may be empty or lack its end, which its checksum tells, and the response is fetched again. A process that is
/// killed loses nothing that it has committed.
package final class StoreDirectory: Sendable {
  /// The path of the directory, perhaps within one that holds other things, too.
  let path: String
  private let opened = Locked<OpenFile?>(nil)
  private let listed = Atomic(0)

  /// The number of listings of the directory so far. One takes the longer the more files there are.
  var listings: Int { listed.load(ordering: .relaxed) }

  /// The number is that of the format: another one never meets these files.
  package static let name = "bluebonnet.responses.1"
  package static let lockName = "lock"
  static let temporaryPrefix = "tmp."

  init(in parent: String) { path = parent + "/" + Self.name }

  // MARK: The directory

  /// The directory, open; made if it was not there.
  func open() throws(ResponseStoreError) -> OpenFile {
    guard let directory = try open(isMade: true) else { throw unusable("it is gone again") }
    return directory
  }

  /// The directory, open; nil if it is not there and is not to be made.
  private func open(isMade: Bool) throws(ResponseStoreError) -> OpenFile? {
    try opened.withLock { (opened) throws(ResponseStoreError) in
      if let opened { return opened }
      opened = try check(isMade: isMade)
      return opened
    }
  }

  /// Does something in the directory. Once more if it has been cleared away meanwhile.
  func within<Result>(_ body: (Int32) throws(ResponseStoreError) -> Result) throws(ResponseStoreError)
    -> Result
  {
    let directory = try open()
    do throws(ResponseStoreError) {
      return try body(directory.descriptor)
    } catch {
      guard case .failed(_, ENOENT) = error, directory.isGone else { throw error }
      opened.withLock { if $0 === directory { $0 = nil } }
      return try body(try open().descriptor)
    }
  }

  private func check(isMade: Bool) throws(ResponseStoreError) -> OpenFile? {
    var descriptor = openIfThere()
    if descriptor < 0, errno == ENOENT {
      guard isMade else { return nil }
      makeParents()
      if mkdir(path, 0o700) == 0 {
        // Whatever the umask took away, and whatever the parent's set-group-ID bit added.
        _ = chmod(path, 0o700)
      } else if errno != EEXIST {
        throw unusable(String(cString: strerror(errno)))
      }
      descriptor = openIfThere()
    }
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno))
      var facts = stat()
      // Linux says of a link that is to be a directory that it is none (open(2)).
      let isLink = lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK
      throw unusable(isLink ? "it is a symbolic link" : reason)
    }
    let directory = OpenFile(owning: descriptor)
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw .current("fstat") }
    guard facts.st_uid == geteuid(), facts.st_mode & 0o077 == 0 else {
      throw unusable("others own it, or may enter it")
    }
    return directory
  }

  private func openIfThere() -> Int32 {
    BluebonnetLibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
  }

  private func makeParents() {
    var position = path.startIndex
    while let slash = path[path.index(after: position)...].firstIndex(of: "/") {
      _ = mkdir(String(path[..<slash]), 0o700)
      position = slash
    }
  }

  private func unusable(_ reason: String) -> ResponseStoreError { .unusable(directory: path, reason: reason) }

  // MARK: Files

  /// Opens a file for reading; nil if there is none.
  func file(_ name: String) throws(ResponseStoreError) -> OpenFile? {
    guard let directory = try open(isMade: false) else { return nil }
    while true {
      // A pipe put here by another program must not be waited for.
      let file = openat(directory.descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      if file >= 0 { return OpenFile(owning: file) }
      switch errno {
      case EINTR: continue
      case ENOENT: return nil
      default: throw .current("openat")
      }
    }
  }

  /// Makes a file for its owner alone, under a name that no other has.
  func createTemporary() throws(ResponseStoreError) -> (name: String, file: OpenFile) {
    let name = Self.temporaryPrefix + Self.hexadecimal(.random(in: .min ... .max))
    let file = try within { (directory) throws(ResponseStoreError) in
      let file = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard file >= 0 else { throw .current("openat") }
      return OpenFile(owning: file)
    }
    return (name, file)
  }

  /// Gives a file another name, in the place of an earlier file of that name.
  func rename(_ name: String, to other: String) throws(ResponseStoreError) {
    let directory = try open()
    guard renameat(directory.descriptor, name, directory.descriptor, other) == 0 else {
      throw .current("renameat")
    }
  }

  /// Writes a small file whole, or not at all.
  func write(_ bytes: [UInt8], to name: String) throws(ResponseStoreError) {
    let (temporary, file) = try createTemporary()
    do throws(ResponseStoreError) {
      try ResponseStoreError.naming("write") { () throws(POSIXError) in try file.write(bytes) }
      try rename(temporary, to: name)
    } catch {
      _ = remove(temporary)
      throw error
    }
  }

  /// Removes a file.
  ///
  /// - Returns: Whether it is gone.
  @discardableResult
  func remove(_ name: String) -> Bool {
    guard let directory = try? open(isMade: false) else { return false }
    return unlinkat(directory.descriptor, name, 0) == 0 || errno == ENOENT
  }

  /// The facts about a file without opening it.
  struct Facts {
    let name: String
    let size: Int64
    /// The time of its last write or use, in nanoseconds since 1970.
    let time: Int64
  }

  /// The regular files in the directory.
  func facts() throws(ResponseStoreError) -> [Facts] {
    listed.wrappingAdd(1, ordering: .relaxed)
    return try within { (directory) throws(ResponseStoreError) in
      // The stream owns its descriptor, so it gets one of its own.
      let copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard copy >= 0 else { throw .current("openat") }
      return PrivateDirectory.entries(ofDirectory: copy).compactMap { name in
        var facts = stat()
        guard fstatat(directory, name, &facts, AT_SYMLINK_NOFOLLOW) == 0, facts.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return Facts(
          name: name, size: Int64(facts.st_size),
          time: Int64(facts.st_mtim.tv_sec) * 1_000_000_000 + Int64(facts.st_mtim.tv_nsec))
      }
    }
  }

  /// Bytes of a regular file; nil if there is none.
  func size(of name: String) -> Int64? {
    guard let directory = try? open(isMade: false) else { return nil }
    var facts = stat()
    guard fstatat(directory.descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0,
      facts.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return Int64(facts.st_size)
  }

  /// Notes the time of a file's use, for the search for unused ones.
  func touch(_ name: String, at time: Int64) {
    guard let directory = try? open(isMade: false) else { return }
    let moment = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
    _ = utimensat(directory.descriptor, name, [moment, moment], AT_SYMLINK_NOFOLLOW)
  }

  /// The present, in nanoseconds since 1970. No system call (vdso(7)).
  static func now() -> Int64 {
    var time = timespec()
    _ = clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Sixteen digits.
  static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// The number that sixteen digits stand for.
  static func number(_ digits: Substring) -> UInt64? {
    digits.utf8.count == 16 ? UInt64(digits, radix: 16) : nil
  }
}
