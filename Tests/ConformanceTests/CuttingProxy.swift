// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Glibc
import Synchronization

/// Passes connections on to a server of this machine, and cuts what comes back after so many bytes each.
final class CuttingProxy: Sendable {
  let port: UInt16
  private let listener: Int32
  private let accepted = Atomic<Int>(0)

  /// How many connections there have been.
  var connections: Int { accepted.load(ordering: .acquiring) }

  /// - Parameters:
  ///   - target: The server's port.
  ///   - cuts: Bytes of each connection's response, head included; those after the last one are not cut.
  init(to target: UInt16, cuts: [Int]) throws {
    let accepting = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutableBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        bind(accepting, $0.baseAddress, size) == 0 && listen(accepting, 16) == 0
          && getsockname(accepting, $0.baseAddress, &size) == 0
      }
    }
    listener = accepting
    guard isBound else { throw RawSocket.Failure(call: "bind") }
    port = UInt16(bigEndian: address.sin_port)
    // A thread of its own: it blocks for as long as the proxy lives.
    _ = Self.thread { [weak self] in
      while true {
        let client = accept(accepting, nil, nil)
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        guard client >= 0 else { return }
        guard let number = self?.accepted.add(1, ordering: .releasing).oldValue else {
          close(client)
          return
        }
        let cut = number < cuts.count ? cuts[number] : .max
        _ = Self.thread { Self.relay(client, to: target, atMost: cut) }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// One request at a time, which is all that the tests send.
  private static func relay(_ client: Int32, to target: UInt16, atMost limit: Int) {
    defer { close(client) }
    guard let server = try? RawSocket(port: target) else { return }
    var page = [UInt8](repeating: 0, count: 65_536)
    var rest = limit
    var questions = [
      pollfd(fd: client, events: Int16(POLLIN), revents: 0),
      pollfd(fd: server.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&questions, 2, 30_000) > 0 {
      if questions[0].revents != 0 {
        let count = recv(client, &page, page.count, 0)
        guard count > 0, (try? server.send(Array(page[..<count]))) != nil else { return }
      }
      if questions[1].revents != 0 {
        let count = recv(server.descriptor, &page, min(page.count, rest), 0)
        guard count > 0 else { return }
        var sent = 0
        while sent < count {
          let more = page.withUnsafeBytes {
            send(client, $0.baseAddress?.advanced(by: sent), count - sent, Int32(MSG_NOSIGNAL))
          }
          guard more > 0 else { return }
          sent += more
        }
        rest -= count
        if rest == 0 {
          // Not a reset: what has been sent is to arrive.
          shutdown(client, Int32(SHUT_WR))
          while recv(client, &page, page.count, 0) > 0 {}
          return
        }
      }
    }
  }

  private static func thread(_ body: @escaping @Sendable () -> Void) -> Bool {
    final class Job: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let job = Unmanaged.passRetained(Job(body))
    let result = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, job.toOpaque())
    guard result == 0 else {
      job.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}
