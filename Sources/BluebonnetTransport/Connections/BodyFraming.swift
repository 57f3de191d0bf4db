import BluebonnetHTTP1

/// Takes a request body from its source into the outgoing buffer, framed as the head announced.
struct BodyFraming {
  enum Outcome {
    case staged(Int)
    /// The source will signal.
    case later
    /// The whole body, with its last chunk if any, is in the buffer.
    case finished
    case failed(String)
  }

  /// One read's worth: large enough that a gigabyte needs few system calls.
  static let pieceSize = 128 * 1024

  private let source: any BodySource
  /// nil: chunked.
  private var remaining: Int?

  init(_ source: any BodySource) {
    self.source = source
    remaining = source.length
  }

  mutating func stage(into buffer: inout OutgoingBuffer) -> Outcome {
    if let remaining { return stageCounted(remaining, into: &buffer) }
    return stageChunk(into: &buffer)
  }

  private mutating func stageCounted(_ left: Int, into buffer: inout OutgoingBuffer) -> Outcome {
    guard left > 0 else { return .finished }
    let want = Swift.min(left, Self.pieceSize)
    let room = UnsafeMutableRawBufferPointer(rebasing: buffer.room(for: want)[..<want])
    switch source.read(into: room) {
    case .bytes(let count):
      buffer.filled(count)
      remaining = left - count
      return .staged(count)
    case .later: return .later
    case .end: return .failed("it ended \(left) bytes short of its declared length")
    case .failed(let text): return .failed(text)
    }
  }

  private func stageChunk(into buffer: inout OutgoingBuffer) -> Outcome {
    // The chunk's size is known only after reading, so the data is read behind the longest
    // size line and moved up to the real one.
    let longestSizeLine = 10
    let room = buffer.room(for: longestSizeLine + Self.pieceSize + 2)
    let data = UnsafeMutableRawBufferPointer(
      rebasing: room[longestSizeLine..<(longestSizeLine + Self.pieceSize)])
    switch source.read(into: data) {
    case .bytes(let count):
      let sizeLine = ChunkedEncoder.header(size: count)
      let end = ChunkedEncoder.chunkEnd
      room.copyBytes(from: sizeLine)
      UnsafeMutableRawBufferPointer(rebasing: room[sizeLine.count...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: data[..<count]))
      UnsafeMutableRawBufferPointer(rebasing: room[(sizeLine.count + count)...]).copyBytes(from: end)
      buffer.filled(sizeLine.count + count + end.count)
      return .staged(count)
    case .later: return .later
    case .end:
      ChunkedEncoder.terminator.withUnsafeBytes { buffer.append($0) }
      return .finished
    case .failed(let text): return .failed(text)
    }
  }
}
