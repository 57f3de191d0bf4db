// SPDX-License-Identifier: MIT
import BluebonnetTransport

/// A body on its way from the task that produces it to the loop that sends it.
///
///     idle ──asked for──▶ producing ──ended──▶ ended
///      ▲                   │   └─────failed──▶ failed
///      └─────begun anew────┴──────────────────────┘
///
/// Of two pieces of memory one is filled while the other is lent, so that no more than one is ahead of the wire. A value:
/// the parties to be started or woken come back as an answer.
struct BodyPipe {
  private enum Phase {
    case idle
    case producing
    case ended
    case failed(String, cause: (any Error)?)
  }

  /// The next step for the transport.
  enum Next {
    /// The bytes of the piece from the offset on.
    case lend(BodyPiece, offset: Int, makesRoom: Bool)
    /// Nothing yet; the body has to be produced from its beginning.
    case start
    case none(BodyReading)
  }

  /// The fate of bytes that were to be appended.
  struct Appended {
    /// They are not wanted: their attempt is over.
    var isOver = false
    /// The number that there was room for.
    var count = 0
    /// The transport waits for them.
    var wakes = false
  }

  private let capacity: Int
  private var phase = Phase.idle
  /// The number of times that the body has begun.
  private(set) var attempt = 0
  /// Whether bytes have been asked for, so that some may be lost for good.
  private(set) var wasAsked = false
  private var filling: BodyPiece?
  private var lent: BodyPiece?
  private var offset = 0
  private var isAwaited = false

  /// - Parameter capacity: Bytes that may be ahead, and as many that may be lent.
  init(capacity: Int) {
    self.capacity = capacity
  }

  // MARK: The loop's side

  mutating func next() -> Next {
    wasAsked = true
    if let lent, offset < lent.count { return .lend(lent, offset: offset, makesRoom: false) }
    if let full = filling, full.count > 0 {
      filling = lent
      filling?.count = 0
      (lent, offset) = (full, 0)
      return .lend(full, offset: 0, makesRoom: true)
    }
    switch phase {
    case .idle:
      phase = .producing
      isAwaited = true
      return .start
    case .producing:
      isAwaited = true
      return .none(.later)
    case .ended: return .none(.end)
    case .failed(let text, let cause): return .none(.failed(text, cause: cause))
    }
  }

  /// The transport has taken so many of the bytes lent.
  mutating func took(_ count: Int) { offset += count }

  /// The bytes on their way are not wanted any more; the next one lent is the first byte.
  mutating func beginAnew() {
    attempt += 1
    phase = .idle
    isAwaited = false
    offset = 0
    (filling, lent) = (nil, nil)
  }

  // MARK: The producer's side

  func hasRoom(in attempt: Int) -> Bool {
    !isProducing(attempt) || (filling?.count ?? 0) < capacity
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer, in attempt: Int) -> Appended {
    guard isProducing(attempt) else { return Appended(isOver: true) }
    let piece = filling ?? BodyPiece(capacity: capacity)
    filling = piece
    let count = min(bytes.count, capacity - piece.count)
    guard count > 0 else { return Appended() }
    piece.append(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    defer { isAwaited = false }
    return Appended(count: count, wakes: isAwaited)
  }

  /// The body is complete, or cannot be completed.
  ///
  /// - Returns: whether the transport waits to hear of it.
  mutating func end(in attempt: Int, failure: (text: String, cause: (any Error)?)? = nil) -> Bool {
    guard isProducing(attempt) else { return false }
    phase = failure.map { .failed($0.text, cause: $0.cause) } ?? .ended
    defer { isAwaited = false }
    return isAwaited
  }

  private func isProducing(_ attempt: Int) -> Bool {
    guard case .producing = phase else { return false }
    return attempt == self.attempt
  }
}
