// SPDX-License-Identifier: MIT

/// A message as it comes in, fragment by fragment.
struct IncomingMessage: Sendable {
  /// Beyond this, memory is not kept for the next message.
  static let keptCapacity = 64 * 1024

  let kind: WebSocketMessageKind
  let isCompressed: Bool
  private(set) var bytes: [UInt8]
  private var text = TextCheck()

  /// - Parameter bytes: Empty; its memory is used.
  init(_ kind: WebSocketMessageKind, isCompressed: Bool, into bytes: consuming [UInt8]) {
    self.kind = kind
    self.isCompressed = isCompressed
    self.bytes = bytes
  }

  /// Makes room for a frame of so many bytes. They have been announced, not sent: no more is taken than a few pages.
  mutating func prepare(for length: Int) {
    if bytes.isEmpty { bytes.reserveCapacity(min(length, Self.keptCapacity)) }
  }

  mutating func append(
    _ piece: UnsafeRawBufferPointer, unmasking mask: inout Mask?, limit: Int
  ) throws(WebSocketError) {
    let start = bytes.count
    // What fits is looked at first: the earlier of two mistakes counts, wherever the network cuts.
    let fitting = UnsafeRawBufferPointer(rebasing: piece.prefix(max(limit - start, 0)))
    bytes.append(contentsOf: fitting)
    mask.unmask(&bytes, from: start)
    if kind == .text {
      guard (bytes.withUnsafeBytes { text.take(UnsafeRawBufferPointer(rebasing: $0[start...])) }) else {
        throw WebSocketError(.invalidText)
      }
    }
    guard fitting.count == piece.count else { throw WebSocketError(.messageTooLong) }
  }

  /// The last fragment has come.
  func end() throws(WebSocketError) {
    guard text.isBetweenCharacters else { throw WebSocketError(.invalidText) }
  }
}

extension Mask? {
  /// Unmasks the end of `bytes`, if it is masked.
  mutating func unmask(_ bytes: inout [UInt8], from start: Int) {
    guard var mask = self else { return }
    bytes.withUnsafeMutableBytes { mask.apply(to: UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
    self = mask
  }
}
