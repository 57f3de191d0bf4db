// SPDX-License-Identifier: MIT
import BluebonnetSemantics

/// Takes the pieces of a body. A write returns when its piece is next to be sent, and waits while another one is.
struct PieceWriter {
  private let source: PieceSource
  private let attempt: Int
  private var length: DeclaredLength
  /// The last byte of all, while it is not known to be.
  private var last: UInt8?

  init(_ source: PieceSource, attempt: Int, length: Int?) {
    self.source = source
    self.attempt = attempt
    self.length = DeclaredLength(length.map(Int64.init))
  }

  /// - Throws: `CancellationError` if the body is no longer wanted, or a mismatch with the declared length.
  mutating func write(_ piece: [UInt8]) async throws {
    guard let final = piece.last else { return }
    guard try length.follow(piece.count) else { return try await source.put(piece, in: attempt) }
    last = final
    try await source.put(piece.dropLast(), in: attempt)
  }

  /// There are no more pieces.
  mutating func finish() async throws {
    try length.end()
    if let last { try await source.put([last], in: attempt) }
  }
}
