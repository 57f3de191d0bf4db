// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetLibc
import Synchronization

/// Files that are read by their path, any number of times.
enum RegularFile {
  private static let copies = Mutex<[String: String]>([:])

  /// The path of a file with the content of another one: the same for a regular file. Of a pipe, as in `--cacert <(command)`, it is
  /// a copy without a name that goes with the process, because a pipe can only be read once.
  static func path(of original: String) throws(CommandError) -> String {
    var facts = stat()
    guard stat(original, &facts) == 0, facts.st_mode & S_IFMT == S_IFIFO else { return original }
    return try copies.withLock { copies throws(CommandError) in
      if let known = copies[original] { return known }
      let made = try copy(InputFile.read(original), of: original)
      copies[original] = made
      return made
    }
  }

  private static func copy(_ content: [UInt8], of original: String) throws(CommandError) -> String {
    var template = Array("\(FileManager.default.temporaryDirectory.path)/bonnet-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw failure(original) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(template)
    var rest = content[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { throw failure(original) }
      rest = rest.dropFirst(max(count, 0))
    }
    return "/proc/self/fd/\(descriptor)"
  }

  private static func failure(_ original: String) -> CommandError {
    CommandError(.badAuthorities, "cannot keep \(original): \(SystemText.ofError())")
  }
}
