/// deflate: the zlib format (RFC 1950), or what some servers take it for, bare deflate data (RFC 1951).
///
/// The first two bytes tell. Bare data that begins like a zlib header would be a stored block of a length
/// that no compressor chooses.
final class DeflateDecoder: StageDecoder {
  private var stream: InflateStream?
  /// A first byte that came alone.
  private var firstByte: UInt8?
  private var hasEnded = false

  func decode(_ input: UnsafeRawBufferPointer, _ sink: StageSink) throws(ContentCodingError) {
    guard !hasEnded, !input.isEmpty else { return }
    if let stream { return try run(stream, input, sink) }
    if let firstByte {
      let stream = try open(firstByte, input[0])
      var first = firstByte
      try withUnsafeBytes(of: &first) { byte throws(ContentCodingError) in try run(stream, byte, sink) }
      try run(stream, input, sink)
    } else if input.count == 1 {
      firstByte = input[0]
    } else {
      try run(open(input[0], input[1]), input, sink)
    }
  }

  func finish() throws(ContentCodingError) {
    guard hasEnded || (stream == nil && firstByte == nil) else { throw .truncated(.deflate) }
  }

  private func open(_ first: UInt8, _ second: UInt8) throws(ContentCodingError) -> InflateStream {
    // Method 8, a window of at most 32 KiB, and a header divisible by 31 (RFC 1950 §2.2).
    let isZlib =
      first & 0x0f == 8 && first >> 4 <= 7 && (Int(first) << 8 | Int(second)).isMultiple(of: 31)
    let stream = try InflateStream(isZlib ? .zlib : .none, coding: .deflate)
    self.stream = stream
    return stream
  }

  private func run(
    _ stream: InflateStream, _ input: UnsafeRawBufferPointer, _ sink: StageSink
  ) throws(ContentCodingError) {
    hasEnded = try stream.run(input, sink).hasEnded
  }
}
