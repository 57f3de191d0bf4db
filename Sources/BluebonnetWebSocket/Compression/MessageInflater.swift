// SPDX-License-Identifier: MIT
import CBluebonnetZlib

/// Inflates the messages of one direction (RFC 7692 §7.2.2).
///
/// Owns its zlib stream, so that it is a value like everything else here, one that is moved and not copied.
///
/// `@unchecked Sendable`: the memory is reached through this value only, and it has one owner.
struct MessageInflater: ~Copyable, @unchecked Sendable {
  /// On the heap, because zlib keeps a pointer back to it.
  private let stream: UnsafeMutablePointer<z_stream>
  private let forgets: Bool
  private let buffer: UnsafeMutableRawBufferPointer
  /// All that has come belongs to whole blocks, and the next one begins with a byte.
  private var isBetweenBlocks = true

  /// The window is the largest, whatever has been agreed on. With a smaller one, zlib refuses references too far back only if
  /// they came with another call, so that the network's cuts would decide about faults.
  ///
  /// - Parameter forgets: The peer begins each message anew.
  init(forgets: Bool) throws(WebSocketError) {
    self.forgets = forgets
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    buffer = .allocate(byteCount: Self.bufferSize, alignment: 16)
    let status = inflateInit2_(stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw WebSocketError(.outOfMemory, fault: .local) }
  }

  deinit {
    // Harmless on a stream that failed to initialise.
    inflateEnd(stream)
    stream.deallocate()
    buffer.deallocate()
  }

  /// Inflates the next part of a message; `sink` gets what comes out, in pieces that are gone when it returns.
  mutating func inflate(
    _ input: UnsafeRawBufferPointer, _ sink: (UnsafeRawBufferPointer) throws(WebSocketError) -> Void
  ) throws(WebSocketError) {
    // Frames are as long as a machine's memory; zlib's counts have 32 bits.
    var rest = input
    while !rest.isEmpty {
      let portion = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(portion.count))
      try run(portion, sink)
    }
  }

  /// Ends a message: puts back the four bytes that its sender has taken away, and which end a block without a byte in it.
  /// Anything else that they end was cut off, and what came of it is not the sender's. Some senders take nothing away.
  mutating func finish() throws(WebSocketError) {
    if !isBetweenBlocks {
      var tail = DeflateTail.bytes
      try withUnsafeBytes(of: &tail) { bytes throws(WebSocketError) in
        try run(bytes) { _ throws(WebSocketError) in throw WebSocketError(.invalidDeflate) }
      }
      guard isBetweenBlocks else { throw WebSocketError(.invalidDeflate) }
    }
    guard forgets else { return }
    inflateReset(stream)
    isBetweenBlocks = true
  }

  private mutating func run(
    _ input: UnsafeRawBufferPointer, _ sink: (UnsafeRawBufferPointer) throws(WebSocketError) -> Void
  ) throws(WebSocketError) {
    // zlib takes a mutable pointer and never writes through it.
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(input.count)
    while true {
      stream.pointee.next_out = buffer.bindMemory(to: UInt8.self).baseAddress
      stream.pointee.avail_out = UInt32(buffer.count)
      let status = CBluebonnetZlib.inflate(stream, Z_SYNC_FLUSH)
      let produced = buffer.count - Int(stream.pointee.avail_out)
      if produced > 0 { try sink(UnsafeRawBufferPointer(rebasing: buffer[..<produced])) }
      switch status {
      case Z_OK: if stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 { return standStill() }
      // A last block (RFC 7692 §7.2.3.4): the next one may refer to earlier bytes.
      case Z_STREAM_END:
        inflateResetKeep(stream)
        if stream.pointee.avail_in == 0 {
          isBetweenBlocks = true
          return
        }
      // No progress possible: no error between two inputs.
      case Z_BUF_ERROR: return standStill()
      case Z_MEM_ERROR: throw WebSocketError(.outOfMemory, fault: .local)
      default: throw WebSocketError(.invalidDeflate)
      }
    }
  }

  private mutating func standStill() {
    // zlib.h of `inflate`: 128 at the end of a block, 64 within the last one, and below that bits that are left of a byte.
    isBetweenBlocks = stream.pointee.data_type & 0xFF == 128
  }

  private static var bufferSize: Int { 16 * 1024 }
}

/// The empty stored block that ends what a flush writes, without its first bits: not sent (RFC 7692 §7.2.1).
enum DeflateTail {
  static let bytes: [4 of UInt8] = [0x00, 0x00, 0xFF, 0xFF]
}
