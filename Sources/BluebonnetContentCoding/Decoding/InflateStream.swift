import CBluebonnetZlib

/// A zlib decompressor and its output buffer.
final class InflateStream {
  /// What is around the compressed data.
  enum Wrapping {
    case gzip
    case zlib
    case none

    /// zlib's code: 15 bits of window, and the format in the rest.
    var windowBits: Int32 {
      switch self {
      case .gzip: 15 + 16
      case .zlib: 15
      case .none: -15
      }
    }
  }

  struct Progress {
    var consumed: Int
    var hasEnded: Bool
  }

  private let coding: ContentCoding
  /// On the heap, because zlib keeps a pointer back to it.
  private let stream: UnsafeMutablePointer<z_stream>
  private let buffer: UnsafeMutableRawBufferPointer

  init(_ wrapping: Wrapping, coding: ContentCoding) throws(ContentCodingError) {
    self.coding = coding
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    buffer = .allocate(byteCount: Self.bufferSize, alignment: 16)
    let status = inflateInit2_(
      stream, wrapping.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw .outOfMemory }
  }

  deinit {
    // Harmless on a stream whose initialisation failed.
    inflateEnd(stream)
    stream.deallocate()
    buffer.deallocate()
  }

  /// Makes ready for another stream.
  func reset() {
    inflateReset(stream)
  }

  /// Decompresses until the input is used up or the stream ends.
  func run(_ input: UnsafeRawBufferPointer, _ sink: StageSink) throws(ContentCodingError) -> Progress {
    var progress = Progress(consumed: 0, hasEnded: false)
    let bytes = input.bindMemory(to: UInt8.self)
    var isFull = false
    while !progress.hasEnded, isFull || progress.consumed < input.count {
      let portion = min(input.count - progress.consumed, Int(UInt32.max))
      // zlib takes a mutable pointer and never writes through it.
      stream.pointee.next_in = UnsafeMutablePointer(
        mutating: bytes.baseAddress.map { $0 + progress.consumed })
      stream.pointee.avail_in = UInt32(portion)
      stream.pointee.next_out = buffer.bindMemory(to: UInt8.self).baseAddress
      stream.pointee.avail_out = UInt32(buffer.count)
      let status = inflate(stream, Z_NO_FLUSH)
      progress.consumed += portion - Int(stream.pointee.avail_in)
      let produced = buffer.count - Int(stream.pointee.avail_out)
      if produced > 0 { try sink(UnsafeRawBufferPointer(rebasing: buffer[..<produced])) }
      isFull = produced == buffer.count
      switch status {
      case Z_OK: break
      case Z_STREAM_END: progress.hasEnded = true
      // No progress possible, which is no error between two inputs.
      case Z_BUF_ERROR: return progress
      case Z_MEM_ERROR: throw .outOfMemory
      default: throw .corrupt(coding)
      }
    }
    return progress
  }

  private static let bufferSize = 64 * 1024
}
