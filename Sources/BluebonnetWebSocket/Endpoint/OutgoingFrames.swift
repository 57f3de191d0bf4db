// SPDX-License-Identifier: MIT

/// Frames on their way out, in one piece of memory: sent bytes are taken off at the front.
struct OutgoingFrames: Sendable {
  private var bytes: [UInt8] = []
  /// So many have been sent.
  private var start = 0

  var count: Int { bytes.count - start }

  /// Writes a frame behind those that wait.
  ///
  /// - Parameter mask: Nil for a server's.
  mutating func append(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) {
    header.append(to: &bytes)
    let payloadStart = bytes.count
    bytes.append(contentsOf: payload)
    var mask = header.mask.map { Mask($0) }
    mask.unmask(&bytes, from: payloadStart)
  }

  func withBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    try body(bytes.span.extracting(start...))
  }

  mutating func sent(_ count: Int) {
    precondition(count >= 0 && count <= self.count, "no more is sent than there is")
    start += count
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= IncomingMessage.keptCapacity)
      start = 0
    } else if start > IncomingMessage.keptCapacity, start > bytes.count / 2 {
      bytes.removeFirst(start)
      start = 0
    }
  }
}
