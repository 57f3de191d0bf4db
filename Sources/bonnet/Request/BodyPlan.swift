// SPDX-License-Identifier: MIT

/// A request body: bytes in memory, and files that are read while they are sent.
struct BodyPlan: Equatable, Sendable {
  enum Piece: Equatable, Sendable {
    case bytes([UInt8])
    case file(path: String, offset: Int = 0, length: Int)
  }

  private(set) var pieces: [Piece] = []

  init(_ bytes: [UInt8] = []) { append(bytes) }

  /// - Parameters:
  ///   - offset: Where in the file it begins.
  ///   - length: How much of the file it is.
  init(path: String, offset: Int = 0, length: Int) {
    pieces = [.file(path: path, offset: offset, length: length)]
  }

  mutating func append(_ bytes: [UInt8]) {
    guard case .bytes(var before) = pieces.last else { return pieces.append(.bytes(bytes)) }
    // Taken out first, so that the present bytes are not copied for each addition.
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
      case .file(_, _, let length): sum + length
      }
    }
  }

  /// Nil if there are files.
  var bytes: [UInt8]? {
    guard pieces.count == 1, case .bytes(let bytes) = pieces[0] else { return nil }
    return bytes
  }

  /// Without its first bytes; an upload goes on behind them.
  func dropping(_ count: Int) throws(CommandError) -> BodyPlan {
    guard count <= length, pieces.count <= 1 else {
      throw CommandError(.badResume, "the body ends at byte \(count): nothing is left to send")
    }
    switch pieces.first {
    case nil: return self
    case .bytes(let bytes): return BodyPlan(Array(bytes.dropFirst(count)))
    case .file(let path, let offset, let length):
      return BodyPlan(path: path, offset: offset + count, length: length - count)
    }
  }

  /// With CRLF where a line ends with LF alone.
  func withCRLF() throws(CommandError) -> BodyPlan {
    guard let bytes else { throw CommandError(.usage, "--crlf takes files of up to 1 MiB") }
    var converted: [UInt8] = []
    converted.reserveCapacity(bytes.count + bytes.count / 32)
    for byte in bytes {
      if byte == 0x0A, converted.last != 0x0D { converted.append(0x0D) }
      converted.append(byte)
    }
    return BodyPlan(converted)
  }
}

/// The files that become parts of a request.
struct BodyFiles: Sendable {
  /// Reads a whole file; `-` is standard input.
  let read: @Sendable (String) throws(CommandError) -> [UInt8]
  /// The length of a file that is too large to be kept; nil for any other.
  var largeLength: @Sendable (String) -> Int? = { _ in nil }
  /// The time of a file's last change, in seconds since 1970; nil if there is none.
  var changeTime: @Sendable (String) -> Int? = { _ in nil }

  /// A file as it is.
  func body(_ path: String) throws(CommandError) -> BodyPlan {
    if let length = largeLength(path) { return BodyPlan(path: path, length: length) }
    return BodyPlan(try read(path))
  }
}
