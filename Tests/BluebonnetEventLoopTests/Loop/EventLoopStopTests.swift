// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetEventLoop

extension LiveTests {
  @Suite struct EventLoopStopTests {
    @Test func leavesNoDescriptorBehind() async {
      await #expect(processExitsWith: .success) {
        let before = openDescriptors()
        for _ in 0..<descriptorRounds {
          let loop = EventLoop(name: "test")
          loop.stop()
          loop.stop()
        }
        #expect(openDescriptors() < before + descriptorRounds)
      }
    }

    @Test func jobsFromBeforeAndAfterAreDone() {
      let loop = EventLoop(name: "test")
      let done = Signal()
      for _ in 0..<100 { loop.enqueue { done.raise() } }
      loop.stop()
      #expect(done.wait(for: 100, seconds: 0))
      loop.execute { done.raise() }
      loop.enqueue { done.raise() }
      loop.execute { loop.enqueue { done.raise() } }
      for _ in 0..<200 { loop.enqueue { done.raise() } }
      #expect(done.wait(for: 303, seconds: 0))
    }

    @Test func fromWithinTheLoopDoesNotDeadlock() {
      let loop = EventLoop(name: "test")
      let done = Signal()
      loop.enqueue {
        loop.stop()
        done.raise()
      }
      #expect(done.wait())
    }

    @Test func stoppedLoopTakesNoRegistration() throws {
      let loop = EventLoop(name: "test")
      loop.stop()
      let pair = try SocketPair()
      let handler = Recorder()
      #expect(throws: SystemError.self) {
        try loop.withLoop { () throws(SystemError) in
          _ = try loop.register(pair.left.rawValue, handler: handler)
        }
      }
    }

    @Test func threadCarriesTheName() {
      let loop = EventLoop(name: "a-name-that-is-far-too-long")
      defer { loop.stop() }
      let name = Box("")
      let done = Signal()
      loop.enqueue {
        var text = [CChar](repeating: 0, count: 32)
        if let file = fopen("/proc/thread-self/comm", "r") {
          fgets(&text, Int32(text.count), file)
          fclose(file)
        }
        name.value = String(decoding: text.prefix { $0 > 32 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        done.raise()
      }
      #expect(done.wait())
      #expect(name.value == "a-name-that-is-")
    }
  }
}
