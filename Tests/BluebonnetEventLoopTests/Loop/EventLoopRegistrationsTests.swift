// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetEventLoop

extension LiveTests {
  @Suite struct EventLoopRegistrationsTests {
    @Test func reportsBytesAndTheEnd() throws {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      let pair = try SocketPair()
      let number = pair.right.rawValue
      let received = Box<[UInt8]>([])
      let done = Signal()
      let recorder = Recorder()
      recorder.onReady = { readiness in
        #expect(loop.isHeld)
        guard readiness.contains(.readable) else { return }
        loop.withReceiveBuffer { buffer in
          while true {
            switch Syscall.receive(number, buffer) {
            case .bytes(let count): received.value += buffer.prefix(count)
            case .endOfStream: return done.raise()
            default: return
            }
          }
        }
      }
      let registration = try loop.withLoop { () throws(SystemError) in
        try loop.register(number, handler: recorder)
      }
      let message = [UInt8](repeating: 42, count: 100_000)
      _ = message.withUnsafeBytes { Syscall.send(pair.left.rawValue, $0) }
      pair.left.close()
      #expect(done.wait())
      loop.withLoop { loop.deregister(registration) }
      #expect(received.value == message)
    }

    @Test func handlerIsReleasedAndSilentAfterDeregistering() throws {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      let pair = try SocketPair()
      let calls = Box(0)
      weak var weakRecorder: Recorder?
      try loop.withLoop { () throws(SystemError) in
        let recorder = Recorder()
        weakRecorder = recorder
        recorder.onReady = { _ in calls.value += 1 }
        let registration = try loop.register(pair.right.rawValue, handler: recorder)
        loop.deregister(registration)
        loop.deregister(registration)
      }
      #expect(weakRecorder == nil)
      _ = [UInt8(1)].withUnsafeBytes { Syscall.send(pair.left.rawValue, $0) }
      loop.withLoop {}
      #expect(calls.value == 0)
    }

    /// Two sockets become readable in one batch. The first handler closes the second socket and registers a fresh
    /// one that gets the same number: the event that is still in the batch must not reach the newcomer.
    @Test func eventOfAClosedAndReusedDescriptorIsDropped() throws {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      let scene = StaleEventScene(loop: loop)
      // On the loop's own thread, so that it asks the kernel only when both events are there.
      loop.enqueue { scene.begin() }
      #expect(scene.done.wait())
      #expect(scene.failure == nil)
      #expect(scene.readableCalls == 1)
      #expect(scene.newcomerCalls == 0)
    }

    @Test func registeringWhatCannotBePolledThrows() throws {
      let loop = EventLoop(name: "test")
      defer { loop.stop() }
      #expect(throws: SystemError(errno: EBADF, call: "epoll_ctl")) {
        try loop.withLoop { () throws(SystemError) in
          _ = try loop.register(9_999, handler: Recorder())
        }
      }
    }
  }
}

/// `@unchecked Sendable`: touched in loop context, and after `done` was raised there.
private final class StaleEventScene: @unchecked Sendable {
  let loop: EventLoop
  let done = Signal()
  var readableCalls = 0
  var newcomerCalls = 0
  var failure: SystemError?

  private var pairs: [(peer: Int32, own: Int32)] = []
  private var registrations: [Registration] = []

  init(loop: EventLoop) {
    self.loop = loop
  }

  func begin() {
    attempt { () throws(SystemError) in
      for index in 0..<2 {
        let pair = try Syscall.socketPair()
        pairs.append((pair.0, pair.1))
        let recorder = Recorder()
        recorder.onReady = { [self] readiness in
          guard readiness.contains(.readable) else { return }
          readableCalls += 1
          if readableCalls == 1 { replace(1 - index) }
        }
        registrations.append(try loop.register(pair.1, handler: recorder))
        _ = [UInt8(1)].withUnsafeBytes { Syscall.send(pair.0, $0) }
      }
    }
  }

  private func replace(_ victim: Int) {
    loop.deregister(registrations[victim])
    attempt { () throws(SystemError) in
      let fresh = try Syscall.streamSocket(family: AF_INET)
      // Closes the victim and gives its number to the fresh socket, before anybody else can get it.
      #expect(dup2(fresh.rawValue, pairs[victim].own) == pairs[victim].own)
      let newcomer = Recorder()
      newcomer.onReady = { [self] _ in newcomerCalls += 1 }
      registrations[victim] = try loop.register(pairs[victim].own, handler: newcomer)
    }
    // Runs after this batch and before the next.
    loop.enqueue { self.end() }
  }

  private func end() {
    for registration in registrations { loop.deregister(registration) }
    for pair in pairs {
      close(pair.peer)
      close(pair.own)
    }
    done.raise()
  }

  private func attempt(_ body: () throws(SystemError) -> Void) {
    do throws(SystemError) {
      try body()
    } catch {
      failure = error
      done.raise()
    }
  }
}

final class Recorder: ReadinessHandler {
  var onReady: (Readiness) -> Void = { _ in }

  func ready(_ readiness: Readiness) {
    onReady(readiness)
  }
}
