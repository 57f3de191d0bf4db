// SPDX-License-Identifier: MIT
import BluebonnetLibc

/// Plaintext that a reply has made and the channel has not taken, piece by piece as it was made.
struct Outbox {
  /// Pieces that go out in one call.
  private static let gathered = 8

  private var pieces: [ArraySlice<UInt8>] = []
  /// The number of bytes.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ bytes: ArraySlice<UInt8>) {
    guard !bytes.isEmpty else { return }
    pieces.append(bytes)
    count += bytes.count
  }

  /// Lends the first pieces, in order.
  func withPieces<R>(_ body: (UnsafeMutableBufferPointer<iovec>) -> R) -> R {
    withUnsafeTemporaryAllocation(of: iovec.self, capacity: Self.gathered) { room in
      lend(pieces.prefix(Self.gathered), from: 0, to: room, body)
    }
  }

  /// Each piece's memory is lent inside of the one before.
  private func lend<R>(
    _ rest: ArraySlice<ArraySlice<UInt8>>, from index: Int, to room: UnsafeMutableBufferPointer<iovec>,
    _ body: (UnsafeMutableBufferPointer<iovec>) -> R
  ) -> R {
    guard let piece = rest.first else { return body(UnsafeMutableBufferPointer(rebasing: room[..<index])) }
    return piece.withUnsafeBytes { bytes in
      // Only read: the type is that of a call that is used for receiving, too.
      let base = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
      room.initializeElement(at: index, to: iovec(iov_base: base, iov_len: bytes.count))
      return lend(rest.dropFirst(), from: index + 1, to: room, body)
    }
  }

  /// So many bytes have been taken.
  mutating func drop(_ taken: Int) {
    count -= taken
    var left = taken
    var whole = 0
    while whole < pieces.count, pieces[whole].count <= left {
      left -= pieces[whole].count
      whole += 1
    }
    pieces.removeFirst(whole)
    if left > 0 { pieces[0] = pieces[0].dropFirst(left) }
  }
}
