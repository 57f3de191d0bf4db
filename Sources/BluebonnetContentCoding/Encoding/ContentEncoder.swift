import CBluebonnetZlib

/// Applies gzip or deflate to a body as it goes out.
package final class ContentEncoder {
  /// On the heap, because zlib keeps a pointer back to it.
  private let stream: UnsafeMutablePointer<z_stream>
  private let buffer: UnsafeMutableRawBufferPointer

  /// - Parameters:
  ///   - coding: `gzip` or `deflate`, which writes the zlib format.
  ///   - level: 0 (stored) to 9 (smallest); the default is zlib's compromise, 6.
  package init(_ coding: ContentCoding, level: Int = 6) throws(ContentCodingError) {
    let windowBits: Int32
    switch coding {
    case .gzip: windowBits = 15 + 16
    case .deflate: windowBits = 15
    case .brotli: throw .unsupported("br, for encoding")
    }
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    buffer = .allocate(byteCount: Self.bufferSize, alignment: 16)
    let status = deflateInit2_(
      stream, Int32(min(max(level, 0), 9)), Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw .outOfMemory }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
    buffer.deallocate()
  }

  /// Encodes the next part of the body; `sink` gets what is ready.
  package func encode(_ input: UnsafeRawBufferPointer, _ sink: (UnsafeRawBufferPointer) -> Void) {
    run(input, Z_NO_FLUSH, sink)
  }

  /// Makes everything encoded so far decodable, at the cost of some compression: for streams that pause.
  package func flush(_ sink: (UnsafeRawBufferPointer) -> Void) {
    run(UnsafeRawBufferPointer(start: nil, count: 0), Z_SYNC_FLUSH, sink)
  }

  /// Completes the stream. Nothing may be encoded after it.
  package func finish(_ sink: (UnsafeRawBufferPointer) -> Void) {
    run(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH, sink)
  }

  /// A whole body at once.
  package static func encode(
    _ bytes: [UInt8], as coding: ContentCoding, level: Int = 6
  ) throws(ContentCodingError) -> [UInt8] {
    let encoder = try ContentEncoder(coding, level: level)
    var result: [UInt8] = []
    bytes.withUnsafeBytes { encoder.encode($0) { result.append(contentsOf: $0) } }
    encoder.finish { result.append(contentsOf: $0) }
    return result
  }

  private func run(
    _ input: UnsafeRawBufferPointer, _ flush: Int32, _ sink: (UnsafeRawBufferPointer) -> Void
  ) {
    var rest = input
    repeat {
      let portion = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(UInt32.max)))
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(portion.count))
      // zlib takes a mutable pointer and never writes through it.
      stream.pointee.next_in = UnsafeMutablePointer(mutating: portion.bindMemory(to: UInt8.self).baseAddress)
      stream.pointee.avail_in = UInt32(portion.count)
      repeat {
        stream.pointee.next_out = buffer.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = UInt32(buffer.count)
        // Cannot fail on a consistent stream; "no progress" only says that nothing was left to do.
        _ = deflate(stream, flush)
        let produced = buffer.count - Int(stream.pointee.avail_out)
        if produced > 0 { sink(UnsafeRawBufferPointer(rebasing: buffer[..<produced])) }
      } while stream.pointee.avail_out == 0
    } while !rest.isEmpty
  }

  private static let bufferSize = 32 * 1024
}
