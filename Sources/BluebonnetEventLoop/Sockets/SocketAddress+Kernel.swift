// SPDX-License-Identifier: MIT
import BluebonnetLibc
import CBluebonnetLinux

extension SocketAddress {
  /// Shows the address in the form that the kernel takes.
  package func withSockAddr<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    switch storage {
    case .ipv4(let address, let port):
      var raw = sockaddr_in()
      raw.sin_family = sa_family_t(AF_INET)
      raw.sin_port = port.bigEndian
      raw.sin_addr.s_addr = address.bigEndian
      return Self.withErased(&raw, body)
    case .ipv6(let high, let low, let scope, let port):
      var raw = sockaddr_in6()
      raw.sin6_family = sa_family_t(AF_INET6)
      raw.sin6_port = port.bigEndian
      raw.sin6_scope_id = scope
      withUnsafeMutableBytes(of: &raw.sin6_addr) { bytes in
        bytes.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
        bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
      }
      return Self.withErased(&raw, body)
    case .unix(let path):
      var raw = sockaddr_un()
      raw.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &raw.sun_path) { room in
        // The initialisers leave room for the final NUL.
        for (index, byte) in path.utf8.enumerated() where index < room.count - 1 { room[index] = byte }
      }
      return Self.withErased(&raw, body)
    }
  }

  /// Lets `fill` write an address and its length, as `accept4` and `getsockname` do. Nil for a family that is none
  /// of ours.
  static func reading(
    _ fill: (UnsafeMutablePointer<sockaddr>, inout socklen_t) throws(SystemError) -> Void
  ) throws(SystemError) -> SocketAddress? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var failure: SystemError?
    withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { rebound in
        do throws(SystemError) { try fill(rebound, &length) } catch { failure = error }
      }
    }
    if let failure { throw failure }
    return withUnsafeBytes(of: &storage) { bytes in
      SocketAddress(kernelBytes: UnsafeRawBufferPointer(rebasing: bytes.prefix(Int(length))))
    }
  }

  /// Reads an address as the kernel or the resolver wrote it.
  init?(kernelBytes bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= MemoryLayout<sa_family_t>.size else { return nil }
    switch Int32(bytes.loadUnaligned(as: sa_family_t.self)) {
    case AF_INET where bytes.count >= MemoryLayout<sockaddr_in>.size:
      let raw = bytes.loadUnaligned(as: sockaddr_in.self)
      self.init(.ipv4(UInt32(bigEndian: raw.sin_addr.s_addr), port: UInt16(bigEndian: raw.sin_port)))
    case AF_INET6 where bytes.count >= MemoryLayout<sockaddr_in6>.size:
      let raw = bytes.loadUnaligned(as: sockaddr_in6.self)
      let (high, low) = withUnsafeBytes(of: raw.sin6_addr) { address in
        (address.loadUnaligned(as: UInt64.self), address.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      }
      self.init(
        .ipv6(
          high: UInt64(bigEndian: high), low: UInt64(bigEndian: low), scope: raw.sin6_scope_id,
          port: UInt16(bigEndian: raw.sin6_port)))
    case AF_UNIX:
      // An unnamed socket, such as a client's end, has no path at all.
      let path = bytes.dropFirst(MemoryLayout<sa_family_t>.size).prefix { $0 != 0 }
      self.init(.unix(path: String(decoding: path, as: UTF8.self)))
    default:
      return nil
    }
  }

  private static func withErased<Raw, R>(
    _ raw: inout Raw, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R
  ) -> R {
    withUnsafePointer(to: &raw) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { rebound in
        body(rebound, socklen_t(MemoryLayout<Raw>.size))
      }
    }
  }
}
