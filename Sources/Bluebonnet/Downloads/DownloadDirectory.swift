import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetURLLoading
import Glibc

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
  private let directory: Int32
  private let files: Int32
  private let lock: Int32

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
    let directory = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw unusable() }
    var opened = [directory]
    func fail(_ error: DownloadListError) -> DownloadListError {
      for descriptor in opened { _ = Glibc.close(descriptor) }
      return error
    }
    var facts = stat()
    guard fstat(directory, &facts) == 0, facts.st_uid == geteuid(), facts.st_mode & 0o022 == 0 else {
      throw fail(.unusable(directory: path, reason: "others own it, or may write to it"))
    }
    let lock = openat(directory, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw fail(unusable()) }
    opened.append(lock)
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      throw fail(errno == EWOULDBLOCK ? .inUse(directory: path) : unusable())
    }
    if mkdirat(directory, "files", 0o700) != 0, errno != EEXIST { throw fail(unusable()) }
    let files = openat(directory, "files", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard files >= 0 else { throw fail(unusable()) }
    (self.directory, self.files, self.lock) = (directory, files, lock)
  }

  /// Lets go of it. Nothing of it may be used afterwards.
  func close() {
    // Another thread may be starting a program: that has the descriptor, and with it the lock, until it has begun.
    _ = flock(lock, LOCK_UN)
    for descriptor in [files, directory, lock] { _ = Glibc.close(descriptor) }
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
    guard copy >= 0 else { throw storing() }
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
    let descriptor = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .damaged(file: name, reason: errno == ELOOP ? "it is a link" : String(cString: strerror(errno)))
    }
    let file = OpenFile(owning: descriptor)
    guard let size = Self.size(of: descriptor) else {
      throw .damaged(file: name, reason: "it is no plain file")
    }
    guard size <= DownloadRecord.byteLimit else {
      throw .damaged(file: name, reason: "there is too much of it")
    }
    // One byte more, in case it grows meanwhile.
    var bytes = [UInt8](repeating: 0, count: DownloadRecord.byteLimit + 1)
    let count: Result<Int, POSIXError> = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(POSIXError) in try file.read(into: buffer, at: 0) }
    }
    switch count {
    case .success(let count): return try DownloadRecord(bytes: Array(bytes[..<count]), of: name)
    case .failure(let error): throw storing(error.code.rawValue)
    }
  }

  /// Puts a record in the place of the one before. Whatever happens, there is either of them.
  func write(_ record: DownloadRecord, _ id: UUID) throws(DownloadListError) {
    let bytes = try record.bytes()
    let new = "\(id.digits).new"
    _ = unlinkat(directory, new, 0)
    let file = openat(directory, new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw storing() }
    let failure =
      bytes.withUnsafeBytes { OpenFile.write($0, to: file).failure?.code.rawValue }
      ?? (fsync(file) == 0 ? nil : errno)
    _ = Glibc.close(file)
    if let failure {
      _ = unlinkat(directory, new, 0)
      throw storing(failure)
    }
    guard renameat(directory, new, directory, "\(id.digits).entry") == 0, fsync(directory) == 0 else {
      throw storing()
    }
  }

  /// Removes a download; a complete file stays.
  func remove(_ id: UUID) throws(DownloadListError) {
    // The rest behind it is removed when the list is opened.
    guard unlinkat(directory, "\(id.digits).entry", 0) == 0 || errno == ENOENT else { throw storing() }
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
  func openPart(_ id: UUID) throws(DownloadListError) -> Int32 {
    let name = "\(id.digits).part"
    let file = openat(
      directory, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw storing() }
    guard Self.size(of: file) != nil else {
      _ = Glibc.close(file)
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
        guard renameat(directory, part, files, name) == 0 else { throw storing() }
      default: throw storing()
      }
    }
    guard fsync(files) == 0 else { throw storing() }
    _ = unlinkat(directory, part, 0)
  }

  private func isPart(_ part: String, alsoNamed name: String) -> Bool {
    var (one, other) = (stat(), stat())
    return fstatat(directory, part, &one, AT_SYMLINK_NOFOLLOW) == 0
      && fstatat(files, name, &other, AT_SYMLINK_NOFOLLOW) == 0
      && one.st_ino == other.st_ino && one.st_dev == other.st_dev
  }

  /// Nil for anything but a file of this user's own with a single name.
  static func size(of file: Int32) -> Int64? {
    var facts = stat()
    guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_uid == geteuid(),
      facts.st_nlink == 1
    else { return nil }
    return Int64(facts.st_size)
  }

  /// The run of the machine, which a power failure ends; nil if it does not say.
  static let boot: String? = {
    let file = Glibc.open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { _ = Glibc.close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(file, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count].prefix { $0 > 0x20 }, as: UTF8.self) : nil
  }()

  private func storing(_ number: Int32 = errno) -> DownloadListError {
    .storing(reason: String(cString: strerror(number)))
  }
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
