// SPDX-License-Identifier: MIT
import CBluebonnetLinux

/// The kernel's report about a descriptor since its last one (edge-triggered).
package struct Readiness: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Bytes, or the end of the stream, are there to be received.
  package static let readable = Readiness(rawValue: 1)
  /// There is room to send.
  package static let writable = Readiness(rawValue: 2)
  /// The peer has closed its sending side, or both sides are closed. Bytes may still wait to be received.
  package static let hangup = Readiness(rawValue: 4)
  /// The socket has a pending error.
  package static let error = Readiness(rawValue: 8)

  // For the hot path: from another module `contains` goes through the standard library's generic code.
  package var isReadable: Bool { rawValue & Self.readable.rawValue != 0 }
  package var isWritable: Bool { rawValue & Self.writable.rawValue != 0 }
  /// Hung up or broken.
  package var isOver: Bool { rawValue & (Self.hangup.rawValue | Self.error.rawValue) != 0 }

  init(epollEvents events: UInt32) {
    var readiness: Readiness = []
    if events & EPOLLIN.rawValue != 0 { readiness.insert(.readable) }
    if events & EPOLLOUT.rawValue != 0 { readiness.insert(.writable) }
    if events & (EPOLLHUP.rawValue | EPOLLRDHUP.rawValue) != 0 { readiness.insert(.hangup) }
    if events & EPOLLERR.rawValue != 0 { readiness.insert(.error) }
    self = readiness
  }

  /// Everything that a descriptor is watched for. Edge-triggered, so that one registration serves its whole life.
  static let everyEpollEvent: UInt32 =
    EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue

  /// The events that the wake-up descriptor is watched for. It can always be written, and that must not wake the loop.
  static let wakeUpEpollEvent: UInt32 = EPOLLIN.rawValue | EPOLLET.rawValue
}

/// The receiver, in loop context, of a descriptor's readiness.
package protocol ReadinessHandler: AnyObject {
  /// Readiness is reported once per change: the handler has to go on until the call would block.
  func ready(_ readiness: Readiness)
}
