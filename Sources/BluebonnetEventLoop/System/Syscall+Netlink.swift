// SPDX-License-Identifier: MIT
import BluebonnetLibc
import CBluebonnetLinux

// Sockets of netlink(7).
extension Syscall {
  /// A socket to ask the kernel about links, addresses and routes, or to hear of their changes.
  ///
  /// It belongs to the network namespace of the calling thread (network_namespaces(7)).
  ///
  /// - Parameters:
  ///   - groups: What changes are told (`RTMGRP_…`), as bits; none to ask only.
  ///   - isBlocking: Whether receiving waits, for `patience` at most.
  package static func netlinkSocket(groups: UInt32, isBlocking: Bool) throws(SystemError) -> FileDescriptor {
    let blocking = isBlocking ? 0 : CInt(SOCK_NONBLOCK.rawValue)
    let kind = CInt(SOCK_RAW.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | blocking
    let number = socket(AF_NETLINK, kind, NETLINK_ROUTE)
    guard number >= 0 else { throw SystemError(errno: errno, call: "socket") }
    let descriptor = FileDescriptor(owning: number)
    // The kernel answers while it is asked. Should it not, the caller does not wait for ever.
    var patience = timeval(tv_sec: 1, tv_usec: 0)
    _ = setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_nl()
    address.nl_family = sa_family_t(AF_NETLINK)
    address.nl_groups = groups
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        BluebonnetLibc.bind(number, $0, socklen_t(MemoryLayout<sockaddr_nl>.size))
      }
    }
    guard result == 0 else { throw SystemError(errno: errno, call: "bind") }
    return descriptor
  }

  /// The result of one datagram from the kernel. Datagrams of other senders are bytes of number zero.
  package static func receiveFromKernel(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer
  ) -> TransferResult {
    var sender = sockaddr_nl()
    var count = -1
    repeat {
      var length = socklen_t(MemoryLayout<sockaddr_nl>.size)
      count = withUnsafeMutablePointer(to: &sender) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          recvfrom(descriptor, buffer.baseAddress, buffer.count, 0, $0, &length)
        }
      }
    } while count < 0 && errno == EINTR
    if count < 0 {
      let number = errno
      return number == EAGAIN || number == EWOULDBLOCK
        ? .wouldBlock : .failed(SystemError(errno: number, call: "recvfrom"))
    }
    return .bytes(sender.nl_pid == 0 ? count : 0)
  }

  /// A small file as a whole; nil if it cannot be read.
  static func text(ofFile path: String, limit: Int) -> String? {
    (try? contents(ofFile: path, limit: limit)).map { String(decoding: $0, as: UTF8.self) }
  }
}
