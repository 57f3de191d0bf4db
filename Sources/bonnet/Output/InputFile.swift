// SPDX-License-Identifier: MIT
import BluebonnetLibc

/// Reads what `@file` names.
enum InputFile {
  /// As the command line needs them.
  static var bodyFiles: BodyFiles {
    BodyFiles(read: read, largeLength: largeLength, changeTime: changeTime)
  }

  /// The whole file; `-` is standard input.
  static func read(_ path: String) throws(CommandError) -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(ByteText.path(path), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var content: [UInt8] = []
    var page = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = BluebonnetLibc.read(descriptor, &page, page.count)
      if count > 0 {
        content += page[..<count]
      } else if count == 0 {
        return content
      } else if errno != EINTR {
        throw failure(path)
      }
    }
  }

  /// The length of a file that is not to be kept in memory; nil for a small one and for anything but a file.
  static func largeLength(_ path: String) -> Int? {
    guard path != "-", access(ByteText.path(path), R_OK) == 0, let length = length(path), length > 1 << 20
    else {
      return nil
    }
    return length
  }

  /// Nil for anything but a file.
  static func length(_ path: String) -> Int? { facts(of: path).map { Int($0.st_size) } }

  static func changeTime(_ path: String) -> Int? { facts(of: path).map { $0.st_mtim.tv_sec } }

  private static func facts(of path: String) -> stat? {
    var facts = stat()
    guard stat(ByteText.path(path), &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    return facts
  }

  private static func failure(_ path: String) -> CommandError {
    CommandError(.readFailed, "cannot read \(path): \(SystemText.ofError())")
  }
}
