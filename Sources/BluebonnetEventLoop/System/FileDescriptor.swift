// SPDX-License-Identifier: MIT

/// Sole owner of an open descriptor: closes it when the owner goes away.
package struct FileDescriptor: ~Copyable, Sendable {
  /// The number to pass to system calls, valid as long as this owner lives.
  package let rawValue: Int32

  /// Takes ownership of an open descriptor.
  package init(owning rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// Closes the descriptor now.
  package consuming func close() {}

  /// Gives the descriptor up without closing it.
  package consuming func release() -> Int32 {
    let number = rawValue
    discard self
    return number
  }

  deinit {
    Syscall.close(rawValue)
  }
}
