// SPDX-License-Identifier: MIT
import Foundation

/// A client's connection. One task may read while another one writes. It is closed with its last reference.
public final class Connection: Sendable {
  private let descriptor: Int32
  private let idleTimeout: DispatchTimeInterval

  /// - Parameter descriptor: A connected socket that does not block, for this object to close.
  init(_ descriptor: Int32, idleTimeout: DispatchTimeInterval) {
    self.descriptor = descriptor
    self.idleTimeout = idleTimeout
    var yes: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { close(descriptor) }

  /// The next bytes, once there are any; none at the end of the stream.
  ///
  /// - Throws: ``SocketError``, for a client that is silent for too long, too, or `CancellationError`.
  public func read(atMost count: Int = 65_536) async throws -> [UInt8] {
    while true {
      var taken = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        taken = recv(descriptor, buffer.baseAddress, count, 0)
        initialized = max(taken, 0)
      }
      if taken >= 0 { return bytes }
      switch errno {
      case EAGAIN: try await Readiness.wait(for: descriptor, to: .read, within: idleTimeout)
      case EINTR: continue
      default: throw SocketError("read")
      }
    }
  }

  /// Returns when the system has taken all bytes, so that a slow client slows its sender down.
  ///
  /// - Throws: ``SocketError``, for a client that takes nothing for too long, too, or `CancellationError`.
  public func write(_ bytes: [UInt8]) async throws {
    var start = 0
    while start < bytes.count {
      let sent = bytes[start...].withUnsafeBytes { rest in
        send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      if sent >= 0 {
        start += sent
        continue
      }
      switch errno {
      case EAGAIN: try await Readiness.wait(for: descriptor, to: .write, within: idleTimeout)
      case EINTR: continue
      default: throw SocketError("write")
      }
    }
  }

  /// Ends both sides at once: reading and writing fail from here on.
  public func abort() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Ends this side, and reads for two seconds at most what the client still sends: closed over unread bytes, the connection would be
  /// reset, and the client could lose the answer (RFC 9112 §9.6).
  public func finish() async {
    shutdown(descriptor, Int32(SHUT_WR))
    let draining = Task { while try await !read().isEmpty {} }
    let deadline = Task {
      try await Task.sleep(for: .seconds(2))
      draining.cancel()
    }
    _ = await draining.result
    deadline.cancel()
  }
}
