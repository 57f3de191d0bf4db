// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLocks
import BluebonnetTransport

/// Serves clients of this process through streams of bytes in memory instead of sockets, each on the client's own loop.
package final class ChannelServer: ConnectionServer {
  private struct State {
    /// One for each event loop that has connected.
    var servers: [ObjectIdentifier: Server] = [:]
    var isStopped = false
  }

  let log = RequestLog()
  private let peer: String
  private let responder: Server.Responder?
  private let state = Locked(State())

  /// A server with another source of answers.
  ///
  /// - Parameter responder: Called in loop context with each request that is complete, and with what the client puts before a
  ///   path. Answers once, from any thread and at any time.
  package init(
    responder:
      @escaping @Sendable (
        _ request: RecordedRequest, _ base: String, _ answer: @escaping @Sendable (ScriptedReply) -> Void
      ) -> Void
  ) {
    self.responder = responder
    peer = "mock"
  }

  /// A server that answers as an origin does.
  init(peer: String) {
    responder = nil
    self.peer = peer
  }

  deinit { stop() }

  /// The client's end of a new connection, or nil from a server that was stopped. In loop context.
  package func connect(on loop: EventLoop, base: String) -> (any Channel)? {
    let server: Server? = state.withLock { state in
      guard !state.isStopped else { return nil }
      if let known = state.servers[ObjectIdentifier(loop)] { return known }
      let server = Server(loop: loop, log: log, responder: responder)
      state.servers[ObjectIdentifier(loop)] = server
      return server
    }
    guard let server else { return nil }
    let (near, far) = MemoryChannel.pair(on: loop)
    server.serve(far, peer: peer, base: base)
    return near
  }

  /// Closes all connections now, in the middle of what they do.
  package func dropConnections(resetting: Bool) {
    for server in servers { server.dropConnections(resetting: resetting) }
  }

  /// Closes everything. No client is served from here on.
  package func stop() {
    state.withLock { $0.isStopped = true }
    dropConnections(resetting: false)
  }

  func interject(_ bytes: [UInt8], on number: Int) -> Bool {
    servers.contains { $0.interject(bytes, on: number) }
  }

  private var servers: [Server] { state.withLock { Array($0.servers.values) } }
}
