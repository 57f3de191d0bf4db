// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import CBluebonnetZlib

/// A zlib compressor and its output buffer.
final class DeflateStream: StageEncoder {
  /// On the heap, because zlib keeps a pointer back to it.
  private let stream: UnsafeMutablePointer<z_stream>
  private let buffer: UnsafeMutableRawBufferPointer

  init(windowBits: Int32, level: Int) throws(ContentCodingError) {
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

  func run(
    _ input: UnsafeRawBufferPointer, _ step: EncodingStep, _ sink: (UnsafeRawBufferPointer) -> Void
  ) throws(ContentCodingError) {
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
        _ = deflate(stream, step.mode)
        let produced = buffer.count - Int(stream.pointee.avail_out)
        if produced > 0 { sink(UnsafeRawBufferPointer(rebasing: buffer[..<produced])) }
      } while stream.pointee.avail_out == 0
    } while !rest.isEmpty
  }

  private static let bufferSize = 32 * 1024
}

extension EncodingStep {
  fileprivate var mode: Int32 {
    switch self {
    case .proceed: Z_NO_FLUSH
    case .flush: Z_SYNC_FLUSH
    case .finish: Z_FINISH
    }
  }
}
