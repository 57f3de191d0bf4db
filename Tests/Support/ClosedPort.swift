// SPDX-License-Identifier: MIT
import Glibc

/// A port of 127.0.0.1 where nobody listens, so that connections to it are refused.
///
/// It is taken until this object goes. A port that was merely given back may be the next server's, of a test that runs at
/// the same time.
public final class ClosedPort: Sendable {
  private let descriptor: Int32
  /// The number of the port.
  public let number: UInt16

  /// Takes a port.
  public init() throws {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    descriptor = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isTaken = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    number = UInt16(bigEndian: address.sin_port)
    guard isTaken else { throw RawSocket.Failure(call: "bind") }
  }

  deinit { close(descriptor) }
}
