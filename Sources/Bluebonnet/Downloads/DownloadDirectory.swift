// SPDX-License-Identifier: MIT
import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetLibc
import BluebonnetURLLoading

/// The directory of a download list, and the only code that touches it.
///
///     lock            locked (`flock`) as long as the list is open
///     ID.entry        a `DownloadRecord`; replaced as a whole, never changed
///     ID.new          one that is being written
///     ID.part         the bytes received
///     files/NAME      a complete file
///
/// An ID is 32 hexadecimal digits. Nothing is reached through a link, and no file is used that others own or know by a second
/// name. Files with other names are left alone.
struct DownloadDirectory: Sendable {
  let url: URL
  private let opened: (directory: OpenFile, files: OpenFile, lock: OpenFile)
  private var directory: Int32 { opened.directory.descriptor }
  private var files: Int32 { opened.files.descriptor }

  /// More are not read.
  static let entryLimit = 100_000

  /// Opens it, or makes it, and locks it.
  init(_ url: URL) throws(DownloadListError) {
    self.url = url
    let path = url.path
    func unusable(_ number: Int32 = errno) -> DownloadListError {
      .unusable(directory: path, reason: String(cString: strerror(number)))
    }
    if mkdir(path, 0o700) != 0, errno == ENOENT {
      try? FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      if mkdir(path, 0o700) != 0 { throw unusable() }
    }
    guard let own = Self.open(path, O_RDONLY | O_DIRECTORY) else { throw unusable() }
    let directory = own.descriptor
    var facts = stat()
    guard fstat(directory, &facts) == 0, facts.st_uid == geteuid(), facts.st_mode & 0o022 == 0 else {
      throw .unusable(directory: path, reason: "others own it, or may write to it")
    }
    guard let lock = Self.open("lock", in: directory, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK) else {
      throw unusable()
    }
    guard flock(lock.descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw errno == EWOULDBLOCK ? .inUse(directory: path) : unusable()
    }
    if mkdirat(directory, "files", 0o700) != 0, errno != EEXIST { throw unusable() }
    guard let files = Self.open("files", in: directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW) else {
      throw unusable()
    }
    opened = (own, files, lock)
  }

  /// Nil, with `errno` as the reason, if there is no such file, or it cannot be made.
  private static func open(_ name: String, in directory: Int32 = AT_FDCWD, _ flags: Int32) -> OpenFile? {
    let descriptor = openat(directory, name, flags | O_CLOEXEC, 0o600)
    return descriptor >= 0 ? OpenFile(owning: descriptor) : nil
  }

  /// Lets go of it. Nothing of it may be used afterwards.
  func close() {
    // Another thread may be starting a program: that has the descriptor, and with it the lock, until it has begun.
    _ = flock(opened.lock.descriptor, LOCK_UN)
  }

  /// The URL of the complete file of this name.
  func file(named name: String) -> URL {
    url.appendingPathComponent("files", isDirectory: true).appendingPathComponent(name, isDirectory: false)
  }

  // MARK: Records

  /// The downloads that are written down. What a process that was killed left half done is removed.
  func ids() throws(DownloadListError) -> [UUID] {
    var (entries, rest): ([UUID], [(UUID, String)]) = ([], [])
    let copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { throw .storing() }
    for name in PrivateDirectory.entries(ofDirectory: copy) {
      guard let dot = name.lastIndex(of: "."), let id = UUID(digits: name[..<dot]) else { continue }
      switch name[dot...] {
      case ".entry": entries.append(id)
      case ".new", ".part": rest.append((id, name))
      default: break
      }
    }
    guard entries.count <= Self.entryLimit else {
      throw .unusable(directory: url.path, reason: "there are more than \(Self.entryLimit) downloads")
    }
    let known = Set(entries)
    for (id, name) in rest where name.hasSuffix(".new") || !known.contains(id) {
      _ = unlinkat(directory, name, 0)
    }
    return entries
  }

  func record(_ id: UUID) throws(DownloadListError) -> DownloadRecord {
    let name = "\(id.digits).entry"
    guard let file = Self.open(name, in: directory, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else {
      throw .damaged(file: name, reason: errno == ELOOP ? "it is a link" : String(cString: strerror(errno)))
    }
    guard let size = Self.size(of: file) else {
      throw .damaged(file: name, reason: "it is no plain file")
    }
    guard size <= DownloadRecord.byteLimit else {
      throw .damaged(file: name, reason: "there is too much of it")
    }
    let bytes: [UInt8]
    do throws(POSIXError) {
      bytes = try file.contents(expecting: Int(size) + 1, limit: DownloadRecord.byteLimit)
    } catch {
      throw .storing(error.code.rawValue)
    }
    return try DownloadRecord(bytes: bytes, of: name)
  }

  /// Puts a record in the place of the one before. Whatever happens, there is either of them.
  func write(_ record: DownloadRecord, _ id: UUID) throws(DownloadListError) {
    let bytes = try record.bytes()
    let new = "\(id.digits).new"
    _ = unlinkat(directory, new, 0)
    guard let file = Self.open(new, in: directory, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW) else {
      throw .storing()
    }
    do throws(POSIXError) {
      try file.write(bytes)
      guard withExtendedLifetime(file, { fsync(file.descriptor) }) == 0 else { throw .current }
    } catch {
      _ = unlinkat(directory, new, 0)
      throw .storing(error.code.rawValue)
    }
    guard renameat(directory, new, directory, "\(id.digits).entry") == 0, fsync(directory) == 0 else {
      throw .storing()
    }
  }

  /// Removes a download; a complete file stays.
  func remove(_ id: UUID) throws(DownloadListError) {
    // The rest behind it is removed when the list is opened.
    guard unlinkat(directory, "\(id.digits).entry", 0) == 0 || errno == ENOENT else { throw .storing() }
    _ = unlinkat(directory, "\(id.digits).part", 0)
    _ = fsync(directory)
  }

  // MARK: Bodies

  /// Whether a complete file, or anything else, has this name.
  func hasFile(named name: String) -> Bool {
    var facts = stat()
    return fstatat(files, name, &facts, AT_SYMLINK_NOFOLLOW) == 0
  }

  /// Opens the received bytes for writing.
  func openPart(_ id: UUID) throws(DownloadListError) -> OpenFile {
    let name = "\(id.digits).part"
    guard let file = Self.open(name, in: directory, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK) else {
      throw .storing()
    }
    guard Self.size(of: file) != nil else {
      throw .damaged(file: name, reason: "it is no plain file, or others know it")
    }
    return file
  }

  /// Bytes that have come.
  func partSize(_ id: UUID) -> Int64 {
    var facts = stat()
    guard fstatat(directory, "\(id.digits).part", &facts, AT_SYMLINK_NOFOLLOW) == 0 else { return 0 }
    return facts.st_mode & S_IFMT == S_IFREG ? Int64(facts.st_size) : 0
  }

  /// Gives the received bytes, once on the disk, their name. They may have it already.
  ///
  /// - Throws: `DownloadListError.nameTaken` if something else has it.
  func finish(_ id: UUID, named name: String) throws(DownloadListError) {
    let part = "\(id.digits).part"
    if linkat(directory, part, files, name, 0) != 0 {
      switch errno {
      case EEXIST: guard isPart(part, alsoNamed: name) else { throw .nameTaken(name) }
      // It has been renamed already.
      case ENOENT where hasFile(named: name): break
      // The file system knows no second names.
      case EPERM, ENOTSUP, EMLINK:
        if hasFile(named: name) { throw .nameTaken(name) }
        guard renameat(directory, part, files, name) == 0 else { throw .storing() }
      default: throw .storing()
      }
    }
    guard fsync(files) == 0 else { throw .storing() }
    _ = unlinkat(directory, part, 0)
  }

  private func isPart(_ part: String, alsoNamed name: String) -> Bool {
    var (one, other) = (stat(), stat())
    return fstatat(directory, part, &one, AT_SYMLINK_NOFOLLOW) == 0
      && fstatat(files, name, &other, AT_SYMLINK_NOFOLLOW) == 0
      && one.st_ino == other.st_ino && one.st_dev == other.st_dev
  }

  /// Nil for anything but a file of this user's own with a single name.
  static func size(of file: OpenFile) -> Int64? {
    var facts = stat()
    guard fstat(file.descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_uid == geteuid(),
      facts.st_nlink == 1
    else { return nil }
    return Int64(facts.st_size)
  }

  /// The run of the machine, which a power failure ends; nil if it does not say.
  static let boot: String? = {
    guard let text = try? FileReader.contents(of: "/proc/sys/kernel/random/boot_id"), !text.isEmpty else {
      return nil
    }
    return String(decoding: text.prefix { $0 > 0x20 }, as: UTF8.self)
  }()
}

extension UUID {
  /// 32 hexadecimal digits.
  var digits: String { uuidString.lowercased().filter { $0 != "-" } }

  /// Nil for anything else.
  init?(digits: Substring) {
    guard digits.utf8.count == 32, digits.utf8.allSatisfy({ Byte.hexadecimal($0) < 16 }) else { return nil }
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    guard let id = UUID(uuidString: text), id.digits == digits else { return nil }
    self = id
  }
}
