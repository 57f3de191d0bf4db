// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

/// Takes a stream apart at its line feeds, whatever pieces it comes in, as newline-delimited JSON wants it.
///
/// A CR before the LF belongs to the end of the line. The last line may lack its end; `finish` hands it out.
package struct LineParser: Sendable {
  private let limit: Int
  private var line: [UInt8] = []
  private var failure: FramingError?

  /// - Parameter limit: Bytes that a line may have, without its end.
  package init(limit: Int) {
    self.limit = limit
  }

  /// Reads a piece.
  ///
  /// - Parameter take: Gets the lines that are complete with it, one by one, without their ends.
  /// - Throws: for a line beyond the limit; again for whatever comes after it.
  package mutating func append(
    _ piece: Span<UInt8>, _ take: (ArraySlice<UInt8>) -> Void
  ) throws(FramingError) {
    if let failure { throw failure }
    let lf = Byte.lf
    var start = 0
    for end in piece.indices where piece[end] == lf {
      try add(piece, start..<end)
      take(content)
      line.removeAll(keepingCapacity: line.count <= 64 * 1024)
      start = end + 1
    }
    try add(piece, start..<piece.count)
  }

  /// The stream has ended.
  ///
  /// - Returns: The last line, if it had no end; nil if there is none.
  package mutating func finish() -> ArraySlice<UInt8>? {
    guard failure == nil, !line.isEmpty else { return nil }
    defer { line = [] }
    return content
  }

  private mutating func add(_ piece: Span<UInt8>, _ part: Range<Int>) throws(FramingError) {
    // One more for a CR that may turn out to belong to the end.
    guard line.count + part.count <= limit + 1 else { throw fail() }
    piece.extracting(part).withUnsafeBufferPointer { line += $0 }
    if line.count > limit, line.last != Byte.cr { throw fail() }
  }

  private mutating func fail() -> FramingError {
    let error = FramingError.lineTooLong(limit: limit)
    failure = error
    line = []
    return error
  }

  private var content: ArraySlice<UInt8> { line.last == Byte.cr ? line.dropLast() : line[...] }
}
