// SPDX-License-Identifier: MIT
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
    /// The last line has ended with a CR, to which a LF belongs that comes next.
    private var skipsLF = false

    fileprivate init(source: Base.AsyncIterator, limit: Int) {
      (self.source, self.limit) = (source, limit)
    }

    /// The next line; nil at the end.
    ///
    /// - Throws: What the bytes throw; `URLError.dataLengthExceedsMaximum` for a line beyond the limit.
    public mutating func next() async throws -> String? {
      while let byte = try await source.next() {
        let followsCR = skipsLF
        skipsLF = byte == 0x0D
        switch byte {
        case 0x0A where followsCR: continue
        case 0x0A, 0x0B, 0x0C, 0x0D: try requireLength(line.count <= limit)
        // NEL and the separators, whose first bytes are in the line already.
        case 0x85 where line.last == 0xC2: line.removeLast()
        case 0xA8 where separatorStart == 2, 0xA9 where separatorStart == 2: line.removeLast(2)
        default:
          line.append(byte)
          try requireLength(line.count - separatorStart <= limit)
          continue
        }
        if let line = take() { return line }
      }
      return take()
    }

    /// Bytes at the end of the line that may turn out to be no part of it.
    private var separatorStart: Int {
      switch line.last {
      case 0xC2, 0xE2: 1
      case 0x80 where line.suffix(2) == [0xE2, 0x80]: 2
      default: 0
      }
    }

    private func requireLength(_ isAllowed: Bool) throws {
      guard isAllowed else {
        throw URLError.loading(
          .dataLengthExceedsMaximum, url: nil, phase: .receivingBody,
          reason: "a line of the body is longer than \(limit) bytes", fault: .server)
      }
    }

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
