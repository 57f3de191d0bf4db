// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import Glibc

/// A server for a few connections, one after the other, with a thread of its own, which does what no well-mannered one would.
final class BlockingPeer: Sendable {
  let port: UInt16

  /// `serve` has each connection, a blocking descriptor, to itself; it is closed afterwards.
  init(
    on local: SocketAddress = .loopback(port: 0), connections: Int = 1,
    _ serve: @escaping @Sendable (Int32) -> Void
  ) throws {
    let listener = try Syscall.streamSocket(family: local.protocolFamily)
    try Syscall.bind(listener.rawValue, to: local)
    try Syscall.listen(listener.rawValue, backlog: 1)
    port = try Syscall.localAddress(listener.rawValue)?.port ?? 0
    let number = listener.release()
    _ = fcntl(number, F_SETFL, 0)
    let work = Unmanaged.passRetained(Work(listener: number, connections: connections, serve: serve))
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, work.toOpaque())
    pthread_detach(thread)
  }

  private final class Work: Sendable {
    let listener: Int32
    let connections: Int
    let serve: @Sendable (Int32) -> Void

    init(listener: Int32, connections: Int, serve: @escaping @Sendable (Int32) -> Void) {
      self.listener = listener
      self.connections = connections
      self.serve = serve
    }

    func run() {
      for _ in 0..<connections {
        let connection = accept(listener, nil, nil)
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        serve(connection)
        close(connection)
      }
      close(listener)
    }
  }
}
