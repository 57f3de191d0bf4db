/// A request body: what is in memory, and files that are read while they are sent.
struct BodyPlan: Equatable {
  enum Piece: Equatable {
    case bytes([UInt8])
    case file(path: String, length: Int)
  }

  private(set) var pieces: [Piece] = []

  init(_ bytes: [UInt8] = []) { append(bytes) }

  init(path: String, length: Int) { pieces = [.file(path: path, length: length)] }

  mutating func append(_ bytes: [UInt8]) {
    guard case .bytes(var before) = pieces.last else { return pieces.append(.bytes(bytes)) }
    // Taken out first, so that what is there is not copied for each addition.
    pieces.removeLast()
    before += bytes
    pieces.append(.bytes(before))
  }

  mutating func append(_ other: BodyPlan) {
    for piece in other.pieces {
      if case .bytes(let bytes) = piece { append(bytes) } else { pieces.append(piece) }
    }
  }

  var length: Int {
    pieces.reduce(0) { sum, piece in
      switch piece {
      case .bytes(let bytes): sum + bytes.count
      case .file(_, let length): sum + length
      }
    }
  }

  /// Nil if there are files.
  var bytes: [UInt8]? {
    guard pieces.count == 1, case .bytes(let bytes) = pieces[0] else { return nil }
    return bytes
  }
}
