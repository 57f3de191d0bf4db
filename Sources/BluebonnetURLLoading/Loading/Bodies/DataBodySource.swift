// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetTransport

/// A request body in memory, sent without a copy.
// Unchecked: the offset is touched only while the loop is held.
final class DataBodySource: BodySource, @unchecked Sendable {
  let data: Data
  private var offset = 0

  init(_ data: Data) {
    self.data = data
  }

  var length: Int? { data.count }

  func lend(to use: (UnsafeRawBufferPointer) -> Int) -> BodyReading {
    guard offset < data.count else { return .end }
    offset += data.withUnsafeBytes { use(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
    return .lent
  }

  func rewind() -> Bool {
    offset = 0
    return true
  }
}
