import Glibc
import Testing

@testable import BluebonnetEventLoop

extension LiveTests {
  @Suite struct EventLoopRegistrationsTests {
    final class Recorder: ReadinessHandler {
      var onReady: (Readiness) -> Void = { _ in }

      func ready(_ readiness: Readiness) {
        onReady(readiness)
      }
    }

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
      // Both peers write before the loop can look: it is held meanwhile, and asked once.
      for _ in 0..<50 {
        let first = try SocketPair()
        let second = try SocketPair()
        let readable = Box(0)
        let stale = Box(0)
        let rounds = Signal()
        try loop.withLoop { () throws(SystemError) in
          var registrations: [Registration] = []
          let victim = Box<[Registration]>([])
          let numbers = [first.right.release(), second.right.release()]
          for (index, number) in numbers.enumerated() {
            let recorder = Recorder()
            recorder.onReady = { readiness in
              guard readiness.contains(.readable) else { return }
              readable.value += 1
              guard readable.value == 1 else { return }
              let other = numbers[1 - index]
              loop.deregister(victim.value[1 - index])
              close(other)
              let newcomer = Recorder()
              newcomer.onReady = { if $0.contains(.readable) { stale.value += 1 } }
              // A socket without bytes in the number of the one that had some.
              if let (left, right) = try? Syscall.socketPair() {
                close(left == other ? right : left)
                #expect(left == other || right == other)
                if let registration = try? loop.register(other, handler: newcomer) {
                  loop.enqueue {
                    loop.deregister(registration)
                    loop.deregister(victim.value[index])
                    close(other)
                    close(number)
                    rounds.raise()
                  }
                }
              }
            }
            registrations.append(try loop.register(number, handler: recorder))
          }
          victim.value = registrations
          _ = [UInt8(1)].withUnsafeBytes { Syscall.send(first.left.rawValue, $0) }
          _ = [UInt8(1)].withUnsafeBytes { Syscall.send(second.left.rawValue, $0) }
        }
        #expect(rounds.wait())
        loop.withLoop {
          #expect(readable.value == 1)
        }
      }
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
