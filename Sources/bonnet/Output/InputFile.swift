import Glibc

/// Reads what `@file` names.
enum InputFile {
  /// The whole file; `-` is standard input.
  static func read(_ path: String) throws(CommandError) -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var content: [UInt8] = []
    var page = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &page, page.count)
      if count > 0 {
        content += page[..<count]
      } else if count == 0 {
        return content
      } else if errno != EINTR {
        throw failure(path)
      }
    }
  }

  /// The length of a file that is not to be kept in memory; nil for a small one and for what is no file.
  static func largeLength(_ path: String) -> Int? {
    var facts = stat()
    guard path != "-", stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, access(path, R_OK) == 0,
      facts.st_size > 1 << 20
    else { return nil }
    return Int(facts.st_size)
  }

  private static func failure(_ path: String) -> CommandError {
    let reason = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
    return CommandError(.readFailed, "cannot read \(path): \(reason)")
  }
}
