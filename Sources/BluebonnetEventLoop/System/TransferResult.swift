// SPDX-License-Identifier: MIT

/// The result of one attempt to move bytes through a descriptor.
package enum TransferResult: Equatable, Sendable {
  /// So many bytes were moved.
  case bytes(Int)
  /// Nothing can be moved until the poller reports readiness again.
  case wouldBlock
  /// The peer has sent its last byte.
  case endOfStream
  /// The descriptor is of no further use.
  case failed(SystemError)
}
