// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetTransport

@Suite struct MemoryChannelTests {
  private final class Owner: ChannelOwner {
    var told: [Bool] = []
    func channelIsReady(hasRoom: Bool) { told.append(hasRoom) }
  }

  /// Runs `body` with two ends in loop context, and what they have told by the end of each `settle`.
  private func withEnds(_ body: (MemoryChannel, MemoryChannel, Owner, Owner, () -> Void) -> Void) {
    let loop = EventLoop(name: "test")
    defer { loop.stop() }
    let state = loop.withLoop {
      let (near, far) = MemoryChannel.pair(on: loop)
      let (nearOwner, farOwner) = (Owner(), Owner())
      near.owner = nearOwner
      far.owner = farOwner
      return LoopConfined((near, far, nearOwner, farOwner))
    }
    let (near, far, nearOwner, farOwner) = state.value
    // What is told is told by jobs of the loop, before one that is brought later.
    let settle = {
      let done = Done()
      loop.enqueue { done.isDone = true }
      #expect(Eventually.block { loop.withLoop { done.isDone } })
    }
    body(near, far, nearOwner, farOwner, settle)
    loop.withLoop {
      near.close()
      far.close()
    }
    settle()
  }

  /// Touched in loop context only.
  private final class Done: @unchecked Sendable { var isDone = false }

  private func write(_ channel: MemoryChannel, _ bytes: [UInt8]) -> ChannelWriting {
    bytes.withUnsafeBytes { channel.write($0) }
  }

  private func read(_ channel: MemoryChannel, _ room: Int = 100) -> (ChannelReading, [UInt8]) {
    var buffer = [UInt8](repeating: 0, count: room)
    let reading = buffer.withUnsafeMutableBytes { channel.read(into: $0) }
    if case .bytes(let count) = reading { return (reading, Array(buffer[..<count])) }
    return (reading, [])
  }

  @Test func whatIsWrittenIsRead() {
    withEnds { near, far, nearOwner, farOwner, settle in
      let loop = near.loop
      loop.withLoop {
        #expect(near.isQuiet && far.isQuiet && !far.mayRead)
        #expect(read(far).0 == .later)
        #expect(write(near, [1, 2, 3]) == .bytes(3))
        #expect(write(near, [4]) == .bytes(1))
        #expect(near.unacknowledgedBytes == 4 && !far.isQuiet && far.mayRead)
        #expect(farOwner.told.isEmpty, "not from within the call")
      }
      settle()
      loop.withLoop {
        #expect(farOwner.told == [false] && nearOwner.told.isEmpty)
        #expect(read(far, 3).1 == [1, 2, 3])
        #expect(read(far, 3).1 == [4])
        #expect(read(far).0 == .later)
        #expect(write(far, [9]) == .bytes(1))
        #expect(read(near).1 == [9])
      }
    }
  }

  @Test func aFullEndMakesTheOtherWait() {
    withEnds { near, far, nearOwner, _, settle in
      let loop = near.loop
      let piece = [UInt8](repeating: 7, count: 200_000)
      loop.withLoop {
        #expect(write(near, piece) == .bytes(200_000))
        #expect(write(near, piece) == .bytes(MemoryChannel.capacity - 200_000))
        #expect(write(near, piece) == .later)
        #expect(read(far, 10).0 == .bytes(10))
      }
      settle()
      loop.withLoop {
        #expect(nearOwner.told.isEmpty, "not for ten bytes")
        #expect(read(far, MemoryChannel.capacity).0 == .bytes(MemoryChannel.capacity - 10))
      }
      settle()
      loop.withLoop {
        #expect(nearOwner.told == [true])
        #expect(write(near, piece) == .bytes(200_000))
      }
    }
  }

  @Test func severalPieces() {
    withEnds { near, far, _, _, _ in
      near.loop.withLoop {
        var (one, two): ([UInt8], [UInt8]) = ([1, 2], [3])
        let taken = one.withUnsafeMutableBytes { one in
          two.withUnsafeMutableBytes { two in
            var pieces = [
              iovec(iov_base: one.baseAddress, iov_len: 2), iovec(),
              iovec(iov_base: two.baseAddress, iov_len: 1),
            ]
            return pieces.withUnsafeMutableBufferPointer { near.write($0) }
          }
        }
        #expect(taken == .bytes(3))
        #expect(read(far).1 == [1, 2, 3])
      }
    }
  }

  @Test func theEndComesBehindTheBytes() {
    withEnds { near, far, _, farOwner, settle in
      near.loop.withLoop {
        _ = write(near, [1])
        near.endSending()
        #expect(far.hasHungUp)
      }
      settle()
      near.loop.withLoop {
        #expect(farOwner.told == [false])
        #expect(read(far).1 == [1])
        #expect(read(far).0 == .end && read(far).0 == .end)
        // The other direction goes on.
        #expect(write(far, [2]) == .bytes(1))
        #expect(read(near).1 == [2])
      }
    }
  }

  @Test func closingEndsBoth() {
    withEnds { near, far, nearOwner, farOwner, settle in
      near.loop.withLoop {
        _ = write(near, [1])
        near.close()
        near.close()
        #expect(near.owner == nil && !near.isQuiet)
      }
      settle()
      near.loop.withLoop {
        #expect(farOwner.told == [false] && nearOwner.told.isEmpty)
        #expect(read(far).1 == [1])
        #expect(read(far).0 == .end)
        guard case .failed(.network(let error)) = write(far, [2]) else {
          Issue.record("somebody has taken it")
          return
        }
        #expect(error.errno == EPIPE)
      }
    }
  }

  @Test func aResetDropsTheBytes() {
    withEnds { near, far, _, _, settle in
      near.loop.withLoop {
        _ = write(near, [1])
        near.resetOnClose()
        near.close()
        guard case .failed(.network(let error)) = read(far).0 else {
          Issue.record("something was read")
          return
        }
        #expect(error.errno == ECONNRESET && far.mayRead && far.hasHungUp)
      }
      settle()
    }
  }

  @Test func aLowWaterMarkHoldsTheNewsBack() {
    withEnds { near, far, _, farOwner, settle in
      near.loop.withLoop {
        far.setReceiveLowWater(3)
        _ = write(near, [1, 2])
      }
      settle()
      near.loop.withLoop {
        #expect(farOwner.told.isEmpty)
        _ = write(near, [3])
      }
      settle()
      near.loop.withLoop { #expect(farOwner.told == [false]) }
    }
  }
}
