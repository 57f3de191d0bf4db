// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetLibc

/// The destination of bytes: a standard stream, or a file that is made when the first of them come.
struct OutputFile: ~Copyable {
  enum Place: Equatable, Sendable {
    case standardOutput
    case standardError
    /// They are forgotten.
    case nowhere
    /// A file without a name so far: the response may have one.
    case unnamed
    case path(String)
  }

  /// The treatment of an earlier file.
  enum Existing: Equatable, Sendable {
    case overwritten
    /// The bytes are written behind it.
    case continued
    /// The new one gets a number.
    case kept
    /// That is an error.
    case refused
  }

  /// The path it is written to; with a number, if it had to get one.
  private(set) var place: Place
  private(set) var existing = Existing.overwritten
  private let mode: UInt32
  private let createsDirectories: Bool
  private var descriptor: Int32?
  /// The length of the file before anything was written.
  private var start: off_t = 0
  /// It is the one that an earlier attempt has made, whatever a response calls it.
  private let keepsName: Bool

  init(
    _ place: Place, existing: Existing = .overwritten, mode: UInt32 = 0o644, createsDirectories: Bool = false
  ) {
    self.place = place
    self.existing = existing
    self.mode = mode
    self.createsDirectories = createsDirectories
    keepsName = false
  }

  /// Goes on where an earlier attempt began.
  init(_ remains: Remains, mode: UInt32) {
    place = .path(remains.path)
    existing = .continued
    self.mode = mode
    createsDirectories = false
    keepsName = true
  }

  /// The file that an attempt has written to.
  struct Remains: Equatable, Sendable {
    let path: String
    /// The length of the file before.
    let start: off_t

    /// Takes away what the attempt has written: the next one must not find it.
    func clear() throws(CommandError) {
      // Devices and pipes keep it.
      guard InputFile.length(path) != nil else { return }
      guard truncate(ByteText.path(path), start) == 0 else {
        throw CommandError(.writeFailed, "cannot write to \(path): \(SystemText.ofError())")
      }
    }

    /// Removes the file; devices and pipes stay.
    func remove() { if InputFile.length(path) != nil { unlink(ByteText.path(path)) } }
  }

  /// Nil if nothing was written, or it was written to anything but a file.
  var remains: Remains? {
    guard descriptor != nil, case .path(let path) = place else { return nil }
    return Remains(path: path, start: start)
  }

  /// Whether there is something else than a file, such as a device or a pipe.
  static func isSpecial(_ path: String) -> Bool {
    access(ByteText.path(path), F_OK) == 0 && InputFile.length(path) == nil
  }

  deinit {
    if let descriptor, isFile { BluebonnetLibc.close(descriptor) }
  }

  private var isFile: Bool { if case .path = place { true } else { false } }

  /// Whether it was made.
  var isOpen: Bool { descriptor != nil }

  /// Takes another name, as long as nothing was written.
  mutating func rename(to path: String, existing: Existing) {
    guard descriptor == nil, !keepsName else { return }
    place = .path(path)
    self.existing = existing
  }

  /// Makes the file if it is not there yet.
  mutating func open() throws(CommandError) -> Int32 {
    if let descriptor { return descriptor }
    if place == .unnamed {
      throw CommandError(.writeFailed, "neither the URL nor the response names a file; say where to with -o")
    }
    guard case .path(let path) = place else {
      let stream = place == .standardError ? STDERR_FILENO : STDOUT_FILENO
      descriptor = stream
      return stream
    }
    if createsDirectories { try Self.makeDirectories(above: path) }
    var opened: Int32
    switch existing {
    case .overwritten: opened = Self.open(path, O_TRUNC, mode)
    case .continued: opened = Self.open(path, O_APPEND, mode)
    case .refused: opened = Self.open(path, O_EXCL, mode)
    case .kept:
      opened = Self.open(path, O_EXCL, mode)
      for number in 1...100 where opened < 0 && errno == EEXIST {
        place = .path("\(path).\(number)")
        opened = Self.open("\(path).\(number)", O_EXCL, mode)
      }
    }
    guard opened >= 0 else { throw failure() }
    if case .continued = existing { start = lseek(opened, 0, SEEK_END) }
    descriptor = opened
    return opened
  }

  private static func open(_ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
    BluebonnetLibc.open(ByteText.path(path), O_WRONLY | O_CREAT | O_CLOEXEC | flags, mode)
  }

  static func makeDirectories(above path: String) throws(CommandError) {
    let scalars = path.unicodeScalars
    var rest = scalars[...]
    while let slash = rest.dropFirst().firstIndex(of: "/") {
      let directory = String(scalars[..<slash])
      rest = scalars[slash...]
      guard
        mkdir(ByteText.path(directory), 0o750) == 0 || errno == EEXIST || errno == EACCES || errno == EROFS
      else {
        throw CommandError(.writeFailed, "cannot make the directory \(directory): \(SystemText.ofError())")
      }
    }
  }

  mutating func write(_ text: String) throws(CommandError) { try write(ByteText.bytes(text)) }

  mutating func write(_ bytes: some ContiguousBytes) throws(CommandError) {
    var commandError: CommandError?
    bytes.withUnsafeBytes { bytes in
      do throws(CommandError) { try writeAll(bytes) } catch { commandError = error }
    }
    if let commandError { throw commandError }
  }

  private mutating func writeAll(_ bytes: UnsafeRawBufferPointer) throws(CommandError) {
    if place == .nowhere { return }
    let descriptor = try open()
    var rest = bytes
    while !rest.isEmpty {
      let count = BluebonnetLibc.write(descriptor, rest.baseAddress, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      } else if count < 0, errno == EAGAIN {
        // Another process shares a non-blocking descriptor with us.
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&room, 1, -1)
      } else if count == 0 || errno != EINTR {
        throw failure()
      }
    }
  }

  /// Closes a file; only now some file systems say that they had no room.
  mutating func close() throws(CommandError) {
    guard let descriptor = descriptor.take(), isFile else { return }
    guard BluebonnetLibc.close(descriptor) == 0 else { throw failure() }
  }

  private func failure() -> CommandError {
    let reason = SystemText.ofError()
    return switch place {
    case .standardOutput, .nowhere: CommandError(.writeFailed, "cannot write to standard output: \(reason)")
    case .unnamed: CommandError(.writeFailed, "cannot write to a file without a name: \(reason)")
    case .standardError: CommandError(.writeFailed, "cannot write to standard error: \(reason)")
    case .path(let path): CommandError(.writeFailed, "cannot write to \(path): \(reason)")
    }
  }
}

/// The system's words.
enum SystemText {
  /// The words for `errno`.
  static func ofError() -> String { strerror(errno).map { String(cString: $0) } ?? "error \(errno)" }
}
