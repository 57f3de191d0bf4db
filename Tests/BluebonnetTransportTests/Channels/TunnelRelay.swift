// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Glibc

@testable import BluebonnetTLS

/// The near end of a tunnel: takes the outer layer of TLS off what the client sends, and puts it around what the server
/// answers. It blocks the thread that runs it until both have ended.
struct TunnelRelay {
  private let peer: SecurePeer
  private let client: Int32
  private let server: Int32
  /// What the server has not taken yet; meanwhile nothing is read from the client.
  private var pending: [UInt8] = []
  private var page = [UInt8](repeating: 0, count: 32_768)

  /// Shakes hands with the client. Both descriptors block, and stay the caller's.
  init(_ identity: TLSIdentity, client: Int32, server: Int32) throws {
    peer = try SecurePeer(identity, over: client)
    (self.client, self.server) = (client, server)
  }

  mutating func run() throws {
    // The client's first words may have come with the last ones of its handshake.
    guard try unwrap() else { return }
    while true {
      var watched = [
        pollfd(fd: server, events: Int16(POLLIN | (pending.isEmpty ? 0 : POLLOUT)), revents: 0),
        pollfd(fd: pending.isEmpty ? client : -1, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&watched, 2, 30_000) > 0 else { throw RawSocket.Failure(call: "poll") }
      if watched[1].revents != 0 {
        guard peer.receive() else { return }
        guard try unwrap() else { return }
      }
      if !pending.isEmpty { drain() }
      if watched[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
        let count = recv(server, &page, page.count, 0)
        if count <= 0 { return end() }
        try peer.write(Array(page[..<count]))
        guard peer.sendAll() else { return }
      }
    }
  }

  /// Takes the outer layer off; false if the client has said goodbye to the tunnel.
  private mutating func unwrap() throws -> Bool {
    while true {
      switch try page.withUnsafeMutableBytes({ try peer.engine.read(into: $0) }) {
      case .bytes(let count): pending += page[..<count]
      case .closed: return false
      case .needsInput, .handshakeComplete, .certificateRequested:
        peer.sendAll()
        return true
      }
    }
  }

  private mutating func drain() {
    let count = send(server, pending, pending.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    if count > 0 { pending.removeFirst(count) }
  }

  /// The server has ended, and so does the tunnel.
  private func end() {
    peer.engine.shutdown()
    peer.sendAll()
    shutdown(client, Int32(SHUT_WR))
  }
}
