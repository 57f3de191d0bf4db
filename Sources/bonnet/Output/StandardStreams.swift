// SPDX-License-Identifier: MIT
import BluebonnetLibc

/// The three descriptors that a program is started with.
enum StandardStreams {
  /// Puts something harmless where one of them is closed: the next socket would get its number, and with it what
  /// is meant for people.
  static func occupyClosed() {
    occupy(STDIN_FILENO, O_RDONLY)
    // Not for writing, so that unreadable output does not count as written.
    occupy(STDOUT_FILENO, O_RDONLY)
    occupy(STDERR_FILENO, O_WRONLY)
  }

  static func occupy(_ descriptor: Int32, _ flags: Int32) {
    guard fcntl(descriptor, F_GETFD) == -1 else { return }
    let opened = open("/dev/null", flags)
    guard opened >= 0, opened != descriptor else { return }
    dup2(opened, descriptor)
    close(opened)
  }

  /// `--stderr`: messages for people go elsewhere.
  static func sendErrors(to path: String) throws(CommandError) {
    let descriptor =
      path == "-"
      ? dup(STDOUT_FILENO) : open(ByteText.path(path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0, dup2(descriptor, STDERR_FILENO) >= 0 else {
      throw CommandError(.writeFailed, "cannot write to \(path): \(SystemText.ofError())")
    }
    close(descriptor)
  }
}
