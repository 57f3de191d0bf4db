// SPDX-License-Identifier: MIT
import Foundation

/// A listening TCP socket of this machine.
public final class Listener: Sendable {
  /// The port.
  public let port: UInt16
  private let descriptor: Int32

  /// Listens at 127.0.0.1.
  ///
  /// - Parameter port: The port; 0, the default, for a free one.
  public init(port: UInt16 = 0) throws(SocketError) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw SocketError("socket") }
    Self.prepare(descriptor)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    let failed = withUnsafeMutablePointer(to: &address) { address -> String? in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        if bind(descriptor, address, length) != 0 { return "bind" }
        if listen(descriptor, SOMAXCONN) != 0 { return "listen" }
        return getsockname(descriptor, address, &length) == 0 ? nil : "getsockname"
      }
    }
    if let failed {
      let error = SocketError(failed)
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }

  /// The next connection; nil after ``stop()``.
  ///
  /// - Parameter idleTimeout: The time that a client may neither send nor take anything.
  public func next(idleTimeout: DispatchTimeInterval = .seconds(60)) async throws -> Connection? {
    while true {
      let accepted = accept(descriptor, nil, nil)
      if accepted >= 0 {
        Self.prepare(accepted)
        return Connection(accepted, idleTimeout: idleTimeout)
      }
      switch errno {
      case EAGAIN: try await Readiness.wait(for: descriptor, to: .read)
      case EINTR, ECONNABORTED: continue
      // Connections that end give descriptors back.
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: try await Task.sleep(for: .milliseconds(100))
      case EINVAL: return nil
      default: throw SocketError("accept")
      }
    }
  }

  /// Accepts nothing more. Connections that are open stay open.
  public func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// No call blocks, and no child process gets the descriptor.
  private static func prepare(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }
}
