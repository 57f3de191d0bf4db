// SPDX-License-Identifier: MIT
import BluebonnetTransport

/// A request's body in memory, sent without a copy.
// Unchecked: the offset is touched only while the loop is held.
final class BytesSource: BodySource, @unchecked Sendable {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var length: Int? { bytes.count }

  func lend(to use: (UnsafeRawBufferPointer) -> Int) -> BodyReading {
    guard offset < bytes.count else { return .end }
    offset += bytes.withUnsafeBytes { use(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
    return .lent
  }

  func rewind() -> Bool {
    offset = 0
    return true
  }
}
