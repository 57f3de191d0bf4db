// SPDX-License-Identifier: MIT
import BluebonnetLibc
import CBluebonnetLinux

/// The resolver has no address for a name.
package struct LookupFailure: Error, Equatable, Hashable, Sendable, CustomStringConvertible {
  package let host: String
  /// The code of `getaddrinfo`, one of `EAI_…`.
  package let code: Int32
  /// The error number behind `EAI_SYSTEM`, otherwise zero.
  package let errno: Int32

  package init(host: String, code: Int32, errno: Int32) {
    self.host = host
    self.code = code
    self.errno = errno
  }

  /// Whether asking again later may help.
  package var isTemporary: Bool { code == EAI_AGAIN }

  /// The resolver had no descriptor to ask with.
  package var isDescriptorShortage: Bool {
    code == EAI_SYSTEM && SystemError(errno: errno, call: "getaddrinfo").isDescriptorShortage
  }

  /// The C library's text for the code.
  package var reason: String {
    if code == EAI_SYSTEM { return SystemError(errno: errno, call: "getaddrinfo").reason }
    guard let text = gai_strerror(code) else { return "error \(code)" }
    return String(cString: text)
  }

  package var description: String { "getaddrinfo: \(reason) (code \(code))" }
}
