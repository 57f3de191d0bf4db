// SPDX-License-Identifier: MIT
import CBluebonnetZlib

/// Compresses the messages of one direction (RFC 7692 §7.2.1).
///
/// Owns its zlib stream, so that it is a value like everything else here, one that is moved and not copied.
///
/// `@unchecked Sendable`: the memory is reached through this value only, and it has one owner.
struct MessageDeflater: ~Copyable, @unchecked Sendable {
  /// On the heap, because zlib keeps a pointer back to it.
  private let stream: UnsafeMutablePointer<z_stream>
  private let forgets: Bool

  /// - Parameters:
  ///   - windowBits: 9 to 15: zlib has no smaller window for bare deflate data.
  ///   - forgets: Each message begins anew.
  init(windowBits: Int, forgets: Bool) throws(WebSocketError) {
    self.forgets = forgets
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = deflateInit2_(
      stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -Int32(windowBits), Self.memoryLevel, Z_DEFAULT_STRATEGY,
      ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw WebSocketError(.outOfMemory, fault: .local) }
  }

  deinit {
    // Harmless on a stream that failed to initialise.
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Compresses a fragment of a message.
  mutating func deflate(_ input: UnsafeRawBufferPointer, isLast: Bool) -> [UInt8] {
    var output: [UInt8] = []
    var rest = input
    repeat {
      let portion = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(portion.count))
      run(portion, rest.isEmpty ? Z_SYNC_FLUSH : Z_NO_FLUSH, into: &output)
    } while !rest.isEmpty
    guard isLast else { return output }
    // After a flush there is nothing to flush: an empty fragment is the first byte of an empty block (§7.2.3.6).
    if output.isEmpty { output = [0] } else { output.removeLast(DeflateTail.bytes.count) }
    if forgets { deflateReset(stream) }
    return output
  }

  private mutating func run(_ input: UnsafeRawBufferPointer, _ flush: Int32, into output: inout [UInt8]) {
    // zlib takes a mutable pointer and never writes through it.
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(input.count)
    var room = max(input.count / 2, 64)
    repeat {
      let start = output.count
      output.append(contentsOf: repeatElement(0, count: room))
      output.withUnsafeMutableBytes { bytes in
        stream.pointee.next_out = bytes.bindMemory(to: UInt8.self).baseAddress.map { $0 + start }
        stream.pointee.avail_out = UInt32(room)
        // Cannot fail on a consistent stream; "no progress" only says that nothing was left to do.
        _ = CBluebonnetZlib.deflate(stream, flush)
      }
      output.removeLast(Int(stream.pointee.avail_out))
      room = min(room * 2, 1 << 20)
    } while stream.pointee.avail_out == 0
  }

  /// zlib's default: 256 KiB with the widest window.
  private static var memoryLevel: Int32 { 8 }
}
