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
    _ piece: UnsafeRawBufferPointer, _ take: (ArraySlice<UInt8>) -> Void
  ) throws(FramingError) {
    if let failure { throw failure }
    var rest = piece[...]
    while let end = rest.firstIndex(of: Byte.lf) {
      try add(rest[..<end])
      take(content)
      line.removeAll(keepingCapacity: line.count <= 64 * 1024)
      rest = rest[(end + 1)...]
    }
    try add(rest)
  }

  /// The stream has ended.
  ///
  /// - Returns: The last line, if it had no end; nil if there is none.
  package mutating func finish() -> ArraySlice<UInt8>? {
    guard failure == nil, !line.isEmpty else { return nil }
    defer { line = [] }
    return content
  }

  private mutating func add(_ bytes: Slice<UnsafeRawBufferPointer>) throws(FramingError) {
    // One more for a CR that may turn out to belong to the end.
    guard line.count + bytes.count <= limit + 1 else { throw fail() }
    line.append(contentsOf: bytes)
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
