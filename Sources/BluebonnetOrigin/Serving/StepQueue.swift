// SPDX-License-Identifier: MIT

/// Walks through a script in pieces small enough to be buffered.
struct StepQueue {
  enum Action {
    case send(ArraySlice<UInt8>)
    case pause(milliseconds: Int)
    case hang
    case closeWrite
    case close
    case abruptClose
    case reset
  }

  /// No piece is longer, so that a slow client holds little memory whatever the script.
  static let pieceSize = 65_536

  private let steps: [ScriptedReply.Step]
  private var index = 0
  /// The number of bytes of a step that are done.
  private var done = 0
  /// A pattern repeated to about a piece, made once.
  private var page: [UInt8] = []

  init(_ steps: [ScriptedReply.Step]) { self.steps = steps }

  /// The next thing to do, or nil at the end.
  mutating func next() -> Action? {
    while index < steps.count {
      switch steps[index] {
      case .bytes(let bytes):
        if let piece = piece(of: bytes) { return .send(piece) }
      case .repeating(let pattern, let count):
        if let piece = piece(repeating: pattern, count: count) { return .send(piece) }
      case .pause(let milliseconds):
        index += 1
        return .pause(milliseconds: milliseconds)
      case .hang: return .hang
      case .closeWrite: return .closeWrite
      case .close: return .close
      case .abruptClose: return .abruptClose
      case .reset: return .reset
      }
    }
    return nil
  }

  private mutating func piece(of bytes: [UInt8]) -> ArraySlice<UInt8>? {
    let piece = bytes[done..<min(done + Self.pieceSize, bytes.count)]
    if piece.isEmpty {
      advance()
      return nil
    }
    done += piece.count
    return piece
  }

  private mutating func piece(repeating pattern: [UInt8], count: Int?) -> ArraySlice<UInt8>? {
    let rest = count.map { $0 - done } ?? .max
    if pattern.isEmpty || rest <= 0 {
      advance()
      return nil
    }
    if page.isEmpty {
      let turns = max(1, Self.pieceSize / pattern.count)
      let needed = (rest - 1) / pattern.count + 1
      page = Self.page(of: pattern, turns: min(turns, needed))
    }
    let piece = page.prefix(rest)
    // An endless pattern counts nothing, so that it cannot overflow.
    if count != nil { done += piece.count }
    return piece
  }

  /// The pattern so many times: in blocks, each twice as long as the one before, since single bytes are slow in debug builds.
  private static func page(of pattern: [UInt8], turns: Int) -> [UInt8] {
    let length = pattern.count * turns
    if pattern.count == 1 { return [UInt8](repeating: pattern[0], count: length) }
    var page = pattern
    while page.count < length { page += page.prefix(length - page.count) }
    return page
  }

  private mutating func advance() {
    index += 1
    done = 0
    page = []
  }
}
