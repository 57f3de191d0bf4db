// SPDX-License-Identifier: MIT

/// deflate: the zlib format (RFC 1950), or what some servers take it for, bare deflate data (RFC 1951).
///
/// The first two bytes tell. Bare data that begins like a zlib header would be a stored block of a length
/// that no compressor chooses.
final class DeflateDecoder: StageDecoder {
  private var stream: InflateStream?
  /// A first byte that came alone.
  private var firstByte: UInt8?

  func next(_ input: inout UnsafeRawBufferPointer) throws(ContentCodingError) -> UnsafeRawBufferPointer? {
    if let stream { return try next(of: stream, &input) }
    guard !input.isEmpty else { return nil }
    if let firstByte {
      let stream = try open(firstByte, input[0])
      // One byte is too little for anything to come out.
      try withUnsafeBytes(of: firstByte) { bytes throws(ContentCodingError) in
        var byte = bytes
        _ = try stream.next(&byte)
      }
      return try next(of: stream, &input)
    }
    guard input.count > 1 else {
      firstByte = input[0]
      input.drop()
      return nil
    }
    return try next(of: open(input[0], input[1]), &input)
  }

  func finish() throws(ContentCodingError) {
    guard stream?.hasEnded ?? (firstByte == nil) else { throw .truncated(.deflate) }
  }

  private func open(_ first: UInt8, _ second: UInt8) throws(ContentCodingError) -> InflateStream {
    // Method 8, a window of at most 32 KiB, and a header divisible by 31 (RFC 1950 §2.2).
    let isZlib =
      first & 0x0f == 8 && first >> 4 <= 7 && (Int(first) << 8 | Int(second)).isMultiple(of: 31)
    let stream = try InflateStream(isZlib ? .zlib : .none, coding: .deflate)
    self.stream = stream
    return stream
  }

  private func next(
    of stream: InflateStream, _ input: inout UnsafeRawBufferPointer
  ) throws(ContentCodingError) -> UnsafeRawBufferPointer? {
    if let output = try stream.next(&input) { return output }
    input.drop()
    return nil
  }
}
