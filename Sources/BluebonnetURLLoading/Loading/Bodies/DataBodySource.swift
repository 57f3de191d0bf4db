import BluebonnetFoundation
import BluebonnetTransport

/// A request body in memory.
// Unchecked: the offset is touched only while the loop is held.
final class DataBodySource: BodySource, @unchecked Sendable {
  private let data: Data
  private var offset = 0

  init(_ data: Data) {
    self.data = data
  }

  var length: Int? { data.count }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyReading {
    let count = Swift.min(buffer.count, data.count - offset)
    guard count > 0 else { return .end }
    let from = data.startIndex + offset
    data.copyBytes(to: buffer.bindMemory(to: UInt8.self), from: from..<(from + count))
    offset += count
    return .bytes(count)
  }

  func rewind() -> Bool {
    offset = 0
    return true
  }
}
