import BluebonnetLocks

@testable import BluebonnetTransport

/// Takes a while for each piece, so that the peer has always room for the next.
final class SlowSource: BodySource {
  let pieces: Int
  let read = Locked(0)

  init(pieces: Int) {
    self.pieces = pieces
  }

  var length: Int? { pieces * BodyFraming.pieceSize }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyReading {
    for index in buffer.indices { buffer[index] = UInt8(truncatingIfNeeded: index) }
    read.withLock { $0 += 1 }
    return .bytes(buffer.count)
  }

  func rewind() -> Bool { false }
}
