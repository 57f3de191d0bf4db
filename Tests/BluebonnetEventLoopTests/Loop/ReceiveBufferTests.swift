// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetEventLoop

@Suite struct ReceiveBufferTests {
  private static func whole(_ buffer: UnsafeMutableRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(buffer)
  }

  @Test func theSameMemoryIsLentAgain() {
    var buffer = ReceiveBuffer()
    let first = buffer.lend()
    buffer.giveBack(first)
    let second = buffer.lend()
    buffer.giveBack(second)
    #expect(first.baseAddress == second.baseAddress)
  }

  @Test func keptMemoryIsNotLentUntilItIsLetGo() throws {
    var buffer = ReceiveBuffer()
    let first = buffer.lend()
    first[0] = 7
    var kept = buffer.keep(Self.whole(first))
    #expect(kept != nil)
    buffer.giveBack(first)

    let second = buffer.lend()
    #expect(second.baseAddress != first.baseAddress)
    second[0] = 8
    #expect(try #require(kept).memory[0] == 7)
    buffer.giveBack(second)

    kept = nil
    // Back in the store, and taken again when the one at hand is kept.
    let third = buffer.lend()
    let keptThird = buffer.keep(Self.whole(third))
    buffer.giveBack(third)
    let fourth = buffer.lend()
    #expect(fourth.baseAddress == first.baseAddress)
    buffer.giveBack(fourth)
    withExtendedLifetime(keptThird) {}
  }

  @Test func theBorrowerMayReadOnAfterTheKeeperHasLetGo() {
    var buffer = ReceiveBuffer()
    let memory = buffer.lend()
    memory[memory.count - 1] = 9
    // Let go at once.
    #expect(buffer.keep(Self.whole(memory)) != nil)
    #expect(memory[memory.count - 1] == 9)
    buffer.giveBack(memory)
  }

  @Test func piecesOfOneLoanShareOneOwner() {
    var buffer = ReceiveBuffer()
    let memory = buffer.lend()
    let half = memory.count / 2
    let first = buffer.keep(UnsafeRawBufferPointer(rebasing: memory[..<half]))
    let second = buffer.keep(UnsafeRawBufferPointer(rebasing: memory[half...]))
    #expect(first != nil && first === second)
    buffer.giveBack(memory)
  }

  @Test func littleOrForeignBytesAreNotKept() {
    var buffer = ReceiveBuffer()
    let memory = buffer.lend()
    #expect(buffer.keep(UnsafeRawBufferPointer(rebasing: memory[..<(memory.count / 2 - 1)])) == nil)
    let foreign = UnsafeMutableRawBufferPointer.allocate(byteCount: memory.count, alignment: 1)
    defer { foreign.deallocate() }
    #expect(buffer.keep(Self.whole(foreign)) == nil)
    buffer.giveBack(memory)
    // Without a loan there is nothing to keep.
    #expect(buffer.keep(Self.whole(memory)) == nil)
  }

  @Test func keptBuffersOutliveTheLender() throws {
    var kept: RetainedBuffer?
    do {
      var buffer = ReceiveBuffer()
      let memory = buffer.lend()
      memory[1] = 5
      kept = buffer.keep(Self.whole(memory))
      buffer.giveBack(memory)
    }
    #expect(try #require(kept).memory[1] == 5)
  }
}
