// SPDX-License-Identifier: MIT
import BluebonnetLibc

/// A system call that failed.
package struct SystemError: Error, Equatable, Hashable, Sendable, CustomStringConvertible {
  /// The error number that the kernel gave.
  package let errno: Int32
  /// The name of the call.
  package let call: String

  package init(errno: Int32, call: String) {
    self.errno = errno
    self.call = call
  }

  /// The process, or the system, has no descriptor left.
  package var isDescriptorShortage: Bool { errno == EMFILE || errno == ENFILE }

  /// The answer to a call that a stopped loop does not make any more.
  init(closedLoop call: String) {
    self.init(errno: EBADF, call: call)
  }

  /// The C library's text for the error number.
  package var reason: String {
    // glibc's strerror answers from constant or thread-local storage.
    guard let text = strerror(errno) else { return "error \(errno)" }
    return String(cString: text)
  }

  package var description: String { "\(call): \(reason) (errno \(errno))" }
}
