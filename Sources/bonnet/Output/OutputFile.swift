import Glibc

/// Where bytes go: standard output, or a file that is made when the first of them come.
struct OutputFile: ~Copyable {
  enum Place: Equatable {
    case standardOutput
    case path(String)
  }

  private let place: Place
  private var descriptor: Int32?

  init(_ place: Place) { self.place = place }

  deinit {
    if let descriptor, place != .standardOutput { Glibc.close(descriptor) }
  }

  /// Makes the file if it is not there yet.
  mutating func open() throws(CommandError) -> Int32 {
    if let descriptor { return descriptor }
    let opened =
      switch place {
      case .standardOutput: STDOUT_FILENO
      case .path(let path): Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
      }
    guard opened >= 0 else { throw failure() }
    descriptor = opened
    return opened
  }

  mutating func write(_ bytes: UnsafeRawBufferPointer) throws(CommandError) {
    let descriptor = try open()
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      } else if errno == EAGAIN {
        // Somebody shares a non-blocking descriptor with us.
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&room, 1, -1)
      } else if errno != EINTR {
        throw failure()
      }
    }
  }

  mutating func write(_ text: String) throws(CommandError) {
    let bytes = Array(text.utf8)
    var commandError: CommandError?
    bytes.withUnsafeBytes { bytes in
      do throws(CommandError) { try write(bytes) } catch { commandError = error }
    }
    if let commandError { throw commandError }
  }

  /// Closes a file; only now some file systems say that they had no room.
  mutating func close() throws(CommandError) {
    guard let descriptor = descriptor.take(), place != .standardOutput else { return }
    guard Glibc.close(descriptor) == 0 else { throw failure() }
  }

  private func failure() -> CommandError {
    let reason = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
    return switch place {
    case .standardOutput: CommandError(.writeFailed, "cannot write to standard output: \(reason)")
    case .path(let path): CommandError(.writeFailed, "cannot write to \(path): \(reason)")
    }
  }
}
