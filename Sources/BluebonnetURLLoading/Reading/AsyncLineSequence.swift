import BluebonnetFoundation

/// The lines of a sequence of bytes, read as UTF-8. Works.
///
/// As on Apple's systems, a line ends with LF, VT, FF, CR, CRLF, NEL (U+0085), LINE SEPARATOR or PARAGRAPH SEPARATOR; its end is no
/// part of it, and empty lines are left out. For event streams, in which empty lines matter, there are serializers of their own.
public struct AsyncLineSequence<Base: AsyncSequence>: AsyncSequence where Base.Element == UInt8 {
  /// One line.
  public typealias Element = String

  private let base: Base
  private let limit: Int

  /// Bytes that a line may have: 16 MiB.
  public static var usualLimit: Int { 16 * 1024 * 1024 }

  init(_ base: Base, limit: Int) {
    (self.base, self.limit) = (base, limit)
  }

  /// Begins to read.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(source: base.makeAsyncIterator(), limit: limit)
  }

  /// Reads line by line.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var source: Base.AsyncIterator
    private let limit: Int
    private var line: [UInt8] = []
    /// Looked at already, and not part of the line before.
    private var leftover: UInt8?
    /// The last line has ended with a CR, to which a LF belongs that comes next.
    private var skipsLF = false

    fileprivate init(source: Base.AsyncIterator, limit: Int) {
      (self.source, self.limit) = (source, limit)
    }

    /// The next line; nil at the end.
    ///
    /// - Throws: What the bytes throw; `URLError.dataLengthExceedsMaximum` for a line beyond the limit.
    public mutating func next() async throws -> String? {
      while let byte = try await nextByte() {
        let followsCR = skipsLF
        skipsLF = byte == 0x0D
        switch byte {
        case 0x0A where followsCR: continue
        case 0x0A, 0x0B, 0x0C, 0x0D:
          if let line = take() { return line }
        case 0xC2:
          guard let next = try await nextByte() else {
            line.append(byte)
            return take()
          }
          if next == 0x85 {
            if let line = take() { return line }
          } else {
            try append(byte)
            leftover = next
          }
        case 0xE2:
          guard let second = try await nextByte() else {
            line.append(byte)
            return take()
          }
          guard second == 0x80 else {
            try append(byte)
            leftover = second
            continue
          }
          guard let third = try await nextByte() else {
            line.append(contentsOf: [byte, second])
            return take()
          }
          if third == 0xA8 || third == 0xA9 {
            if let line = take() { return line }
          } else {
            try append(byte)
            try append(second)
            leftover = third
          }
        default: try append(byte)
        }
      }
      return take()
    }

    private mutating func nextByte() async throws -> UInt8? {
      if let byte = leftover.take() { return byte }
      return try await source.next()
    }

    private mutating func append(_ byte: UInt8) throws {
      guard line.count < limit else {
        throw URLError.loading(
          .dataLengthExceedsMaximum, url: nil, phase: .receivingBody,
          reason: "a line of the body is longer than \(limit) bytes", fault: .server)
      }
      line.append(byte)
    }

    /// The line, unless it is empty.
    private mutating func take() -> String? {
      if line.isEmpty { return nil }
      defer { line.removeAll(keepingCapacity: line.count <= 64 * 1024) }
      return String(decoding: line, as: UTF8.self)
    }
  }
}

extension AsyncLineSequence: Sendable where Base: Sendable {}

extension AsyncSequence where Element == UInt8 {
  /// The lines of these bytes, each of 16 MiB at most.
  public var lines: AsyncLineSequence<Self> { lines(ofAtMost: AsyncLineSequence<Self>.usualLimit) }

  /// The lines of these bytes. An addition of this package.
  ///
  /// - Parameter limit: Bytes that a line may have; one beyond that ends the sequence with
  ///   `URLError.dataLengthExceedsMaximum`.
  /// - Returns: The lines.
  public func lines(ofAtMost limit: Int) -> AsyncLineSequence<Self> { AsyncLineSequence(self, limit: limit) }
}
