// SPDX-License-Identifier: MIT
import CBluebonnetZlib

/// A zlib decompressor and its output buffer.
final class InflateStream {
  /// The wrapping of the compressed data.
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

  private let coding: ContentCoding
  /// On the heap, because zlib keeps a pointer back to it.
  private let stream: UnsafeMutablePointer<z_stream>
  private let buffer: UnsafeMutableRawBufferPointer
  /// The end was reached: nothing more comes out, and no input is taken.
  private(set) var hasEnded = false
  /// The last piece filled the buffer: more may come without further input.
  private var isFull = false
  /// The fault behind the last piece.
  private var failure: ContentCodingError?

  init(_ wrapping: Wrapping, coding: ContentCoding) throws(ContentCodingError) {
    self.coding = coding
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    buffer = .allocate(byteCount: ContentDecoder.largestPiece, alignment: 16)
    let status = inflateInit2_(
      stream, wrapping.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw .outOfMemory }
  }

  deinit {
    // Harmless on a stream that failed to initialise.
    inflateEnd(stream)
    stream.deallocate()
    buffer.deallocate()
  }

  /// Makes ready for another stream.
  func reset() {
    inflateReset(stream)
    hasEnded = false
    isFull = false
  }

  /// The next piece that comes out, lent until the next call; nil if there is none without more input, or behind the
  /// stream's end.
  func next(_ input: inout UnsafeRawBufferPointer) throws(ContentCodingError) -> UnsafeRawBufferPointer? {
    if let failure { throw failure }
    while !hasEnded, isFull || !input.isEmpty {
      let status = inflate(&input)
      let produced = buffer.count - Int(stream.pointee.avail_out)
      isFull = produced == buffer.count
      switch status {
      case Z_OK: break
      case Z_STREAM_END: hasEnded = true
      // No progress possible: no error between two inputs.
      case Z_BUF_ERROR: if produced == 0 { return nil }
      case Z_MEM_ERROR: failure = .outOfMemory
      default: failure = .corrupt(coding)
      }
      // The good bytes before a fault come out, too.
      if produced > 0 { return UnsafeRawBufferPointer(rebasing: buffer[..<produced]) }
      if let failure { throw failure }
    }
    return nil
  }

  private func inflate(_ input: inout UnsafeRawBufferPointer) -> Int32 {
    let portion = min(input.count, Int(UInt32.max))
    // zlib takes a mutable pointer and never writes through it.
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(portion)
    stream.pointee.next_out = buffer.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_out = UInt32(buffer.count)
    let status = CBluebonnetZlib.inflate(stream, Z_NO_FLUSH)
    input.drop(portion - Int(stream.pointee.avail_in))
    return status
  }
}
