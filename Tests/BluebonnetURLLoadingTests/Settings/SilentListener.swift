// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import Glibc

/// An address that does not answer: its listener accepts nobody and its queue is full, so that the kernel drops what comes.
final class SilentListener: Sendable {
  let address: SocketAddress
  private let descriptors: [Int32]

  /// - Parameter port: On 127.0.0.2, where nobody else listens at it.
  init(port: UInt16) throws {
    let address = SocketAddress(literal: "127.0.0.2", port: port) ?? .loopback(port: port)
    let listener = try Syscall.streamSocket(family: address.protocolFamily)
    try Syscall.bind(listener.rawValue, to: address)
    try Syscall.listen(listener.rawValue, backlog: 0)
    var descriptors = [listener.release()]
    // A connection that is still underway after a while has met the full queue.
    for _ in 0..<16 {
      let member = try Syscall.streamSocket(family: address.protocolFamily)
      let result = Syscall.connect(member.rawValue, to: address)
      descriptors.append(member.release())
      var poll = pollfd(fd: descriptors[descriptors.count - 1], events: Int16(POLLOUT), revents: 0)
      if result == .inProgress && Glibc.poll(&poll, 1, 100) == 0 { break }
    }
    self.address = address
    self.descriptors = descriptors
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }
}
