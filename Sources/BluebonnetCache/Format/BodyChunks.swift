// SPDX-License-Identifier: MIT
import BluebonnetSemantics

// A large body, as a file of its own:
//
//     { up to 65,536 bytes  their checksum (8) }*
//
// All chunks but the last one are full. So a piece from anywhere can be checked without the ones before it. The body's length
// and number are in the file of its variants.
/// The form of a body in a file of its own.
enum BodyChunks {
  static let chunk = 64 * 1024
  private static let sum = 8

  /// Bytes of the file of a body.
  static func fileLength(_ length: Int64) -> Int64 {
    length + (length + Int64(chunk) - 1) / Int64(chunk) * Int64(sum)
  }

  /// The place in the file of the chunks with a part of a body.
  ///
  /// - Parameters:
  ///   - offset: The beginning of the part in the body; less than `length`.
  ///   - limit: The most chunks that there may be; at least one.
  static func place(of offset: Int64, limit: Int, length: Int64) -> (first: Int64, file: Range<Int64>) {
    let first = offset / Int64(chunk)
    let start = first * Int64(chunk + sum)
    return (first, start..<min(start + Int64(limit * (chunk + sum)), fileLength(length)))
  }

  /// Takes chunks apart that were read from such a place.
  ///
  /// - Returns: The body from the first chunk's beginning.
  static func body(of bytes: [UInt8], first: Int64, number: UInt64) throws(ResponseStoreError) -> [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(bytes.count)
    var (position, index) = (0, first)
    while position < bytes.count {
      let end = min(position + chunk + sum, bytes.count)
      guard end - position > sum else { throw .damaged("a body ends too soon") }
      let payload = bytes[position..<(end - sum)]
      let stated = UInt64(bigEndianBytes: bytes[(end - sum)..<end])
      guard BlockChecksum.of(payload, seed: seed(index, number)) == stated else {
        throw .damaged("the checksum of a body is another one")
      }
      body += payload
      position = end
      index += 1
    }
    return body
  }

  /// The identity of a chunk: its body, and its place in it.
  private static func seed(_ index: Int64, _ number: UInt64) -> UInt64 {
    number &+ UInt64(bitPattern: index) &* 0x9E37_79B9_7F4A_7C15
  }

  /// Makes chunks of what comes.
  struct Writer {
    let number: UInt64
    /// The bytes to be written.
    private(set) var bytes: [UInt8] = []
    /// Bytes of the chunk that has begun.
    private var begun = 0
    private var index: Int64 = 0

    init(number: UInt64) { self.number = number }

    /// Takes the next bytes of the body, up to the end of a chunk.
    ///
    /// - Returns: How many it has taken.
    mutating func append(_ piece: some Collection<UInt8>) -> Int {
      let taken = piece.prefix(chunk - begun)
      bytes += taken
      begun += taken.count
      if begun == chunk { endChunk() }
      return taken.count
    }

    /// The body is at its end.
    mutating func finish() { if begun > 0 { endChunk() } }

    /// The bytes that can be written by now: all chunks that have ended.
    mutating func takeBytes() -> [UInt8] {
      let end = bytes.count - begun
      let taken = Array(bytes[..<end])
      bytes.removeFirst(end)
      return taken
    }

    private mutating func endChunk() {
      bytes += BlockChecksum.of(bytes.suffix(begun), seed: seed(index, number)).bigEndianBytes
      begun = 0
      index += 1
    }
  }
}
