// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetTestSupport

@testable import BluebonnetTransport

/// Takes a while for each piece, so that the peer has always room for the next.
final class SlowSource: BodySource {
  let pieces: Int
  /// Pieces that were made so far.
  let read = Locked(0)
  private let left = Locked<[UInt8]>([])
  private static let piece = [UInt8](cycling: pieceSize)

  init(pieces: Int) {
    self.pieces = pieces
  }

  static let pieceSize = 128 * 1024

  var length: Int? { pieces * Self.pieceSize }

  func lend(to use: (UnsafeRawBufferPointer) -> Int) -> BodyReading {
    left.withLock { left in
      if left.isEmpty {
        Pause.take(microseconds: 5_000)
        left = Self.piece
        read.withLock { $0 += 1 }
      }
      let taken = left.withUnsafeBytes { use($0) }
      left.removeFirst(taken)
      return .lent
    }
  }

  func rewind() -> Bool { false }
}
