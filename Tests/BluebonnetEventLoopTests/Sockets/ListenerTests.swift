// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetEventLoop

extension LiveTests {
  @Suite struct ListenerTests {
    @Test func acceptsMoreThanOneBatch() throws {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      let accepted = Signal()
      let listener = try Listener(loop: loop, address: .loopback(port: 0)) { descriptor, peer in
        #expect(peer?.family == .ipv4)
        descriptor.close()
        accepted.raise()
      }
      #expect(listener.address.port ?? 0 > 0)
      var clients: [Int32] = []
      // Held, so that they all wait when the loop first looks.
      try loop.withLoop { () throws(SystemError) in
        for _ in 0..<200 {
          let client = try Syscall.streamSocket(family: AF_INET)
          _ = Syscall.connect(client.rawValue, to: listener.address)
          clients.append(client.release())
        }
      }
      #expect(accepted.wait(for: 200))
      listener.close()
      listener.close()
      for client in clients { close(client) }
    }

    @Test func closedListenerRefuses() throws {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      let listener = try Listener(loop: loop, address: .loopback(port: 0)) { _, _ in }
      listener.close()
      let client = try Syscall.streamSocket(family: AF_INET)
      switch Syscall.connect(client.rawValue, to: listener.address) {
      case .failed(let error): #expect(error.errno == ECONNREFUSED)
      case .connected: Issue.record("connected to a closed listener")
      case .inProgress:
        var error: SystemError?
        _ = Eventually.block {
          error = Syscall.takeError(client.rawValue, of: "connect")
          return error != nil
        }
        #expect(error?.errno == ECONNREFUSED)
      }
    }

    @Test func addressInUseIsTold() throws {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      let listener = try Listener(loop: loop, address: .loopback(port: 0)) { _, _ in }
      #expect(throws: SystemError(errno: EADDRINUSE, call: "bind")) {
        _ = try Listener(loop: loop, address: listener.address) { _, _ in }
      }
      listener.close()
    }

    @Test func leavesNoDescriptorBehind() async {
      await #expect(processExitsWith: .success) {
        let loop = EventLoop(name: "test")
        let before = openDescriptors()
        for _ in 0..<descriptorRounds {
          let accepted = Signal()
          let listener = try Listener(loop: loop, address: .loopback(port: 0)) { _, _ in accepted.raise() }
          #expect(throws: SystemError.self) {
            _ = try Listener(loop: loop, address: listener.address) { _, _ in }
          }
          let client = try Syscall.streamSocket(family: AF_INET)
          _ = Syscall.connect(client.rawValue, to: listener.address)
          #expect(accepted.wait())
          listener.close()
        }
        #expect(openDescriptors() < before + descriptorRounds)
        loop.stop()
      }
    }
  }
}
