// SPDX-License-Identifier: MIT
import Glibc
import Testing

@testable import BluebonnetOrigin

@Suite struct OutboxTests {
  /// Whatever is taken each time, across the borders of pieces or up to them, the bytes come in their order.
  @Test(arguments: [1, 3, 5, 7, 40, 1000])
  func whatIsTakenIsInOrder(limit: Int) {
    var outbox = Outbox()
    var wanted: [UInt8] = []
    for size in [5, 0, 1, 1, 30, 2, 2, 2, 2, 2, 2, 2, 9] {
      let piece = (0..<size).map { UInt8(truncatingIfNeeded: wanted.count + $0) }
      wanted += piece
      outbox.append(([0] + piece + [0])[1..<(size + 1)])
    }
    #expect(outbox.count == wanted.count)
    var taken: [UInt8] = []
    while !outbox.isEmpty {
      let count = outbox.withPieces { pieces -> Int in
        var room = limit
        for piece in pieces {
          let bytes = UnsafeRawBufferPointer(start: piece.iov_base, count: piece.iov_len)
          #expect(!bytes.isEmpty)
          taken += bytes.prefix(room)
          room -= min(room, bytes.count)
        }
        return limit - room
      }
      #expect(count > 0)
      outbox.drop(count)
    }
    #expect(taken == wanted)
    #expect(outbox.withPieces { $0.count } == 0)
  }
}
