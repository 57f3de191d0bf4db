// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import BluebonnetURLLoading
import Synchronization

/// Bytes in pieces, as an asynchronous sequence that tells what was taken from it. Iterated again, it begins anew.
struct Pieces<Element: Sendable>: AsyncSequence, Sendable {
  /// What has happened to the sequence.
  final class Record: Sendable {
    let begun = Atomic(0)
    let taken = Atomic(0)
    let cancelled = Atomic(0)
    let released = Atomic(0)
  }

  /// Goes with its iterator.
  final class Token: Sendable {
    private let record: Record

    init(_ record: Record) { self.record = record }

    deinit { record.released.add(1, ordering: .relaxed) }
  }

  struct Broken: Error, Equatable {}

  /// What comes behind the pieces.
  enum End: Sendable { case end, failure, never }

  let record = Record()
  let count: Int
  let end: End
  let piece: @Sendable (Int) -> Element

  init(_ count: Int, then end: End = .end, piece: @escaping @Sendable (Int) -> Element) {
    self.count = count
    self.end = end
    self.piece = piece
  }

  init(_ pieces: [Element], then end: End = .end) {
    self.init(pieces.count, then: end) { pieces[$0] }
  }

  struct Iterator: AsyncIteratorProtocol {
    let pieces: Pieces
    let token: Token
    var next = 0

    mutating func next() async throws -> Element? {
      if next < pieces.count {
        defer { next += 1 }
        pieces.record.taken.add(1, ordering: .relaxed)
        return pieces.piece(next)
      }
      switch pieces.end {
      case .end: return nil
      case .failure: throw Broken()
      case .never:
        await Pause.forever()
        pieces.record.cancelled.add(1, ordering: .relaxed)
        throw CancellationError()
      }
    }
  }

  func makeAsyncIterator() -> Iterator {
    record.begun.add(1, ordering: .relaxed)
    return Iterator(pieces: self, token: Token(record))
  }
}

extension Pieces.Record {
  var beginnings: Int { begun.load(ordering: .relaxed) }
  var elements: Int { taken.load(ordering: .relaxed) }
  var cancellations: Int { cancelled.load(ordering: .relaxed) }
  /// Whoever began has let go.
  var isAtRest: Bool { released.load(ordering: .relaxed) == beginnings }
}
