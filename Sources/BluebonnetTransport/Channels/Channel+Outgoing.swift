// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetLibc

extension Channel {
  /// Sends what an exchange wants to be sent, its framing in between, in one call.
  ///
  /// - Parameters:
  ///   - outgoing: A copy: the framing lies within, and must not be touched while it is lent.
  ///   - rest: Begins with the rest of the piece of the body that was lent last.
  func write(
    _ outgoing: HTTP1Exchange.Outgoing, head: [UInt8], rest: UnsafeRawBufferPointer
  ) -> ChannelWriting {
    let rest = rest.assumingMemoryBound(to: UInt8.self).span
    return outgoing.withSegments(head: head.span, rest: rest) { head, prefix, piece, suffix in
      head.withUnsafeBytes { head in
        prefix.withUnsafeBytes { prefix in
          piece.withUnsafeBytes { piece in
            suffix.withUnsafeBytes { suffix in write(head, prefix, piece, suffix) }
          }
        }
      }
    }
  }

  /// Sends four pieces one behind the other, each perhaps empty.
  private func write(
    _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, _ third: UnsafeRawBufferPointer,
    _ fourth: UnsafeRawBufferPointer
  ) -> ChannelWriting {
    withUnsafeTemporaryAllocation(of: iovec.self, capacity: 4) { pieces in
      var count = 0
      func add(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        // Only read: the type is that of a call that is used for receiving, too.
        let base = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        pieces.initializeElement(at: count, to: iovec(iov_base: base, iov_len: bytes.count))
        count += 1
      }
      add(first)
      add(second)
      add(third)
      add(fourth)
      return write(UnsafeMutableBufferPointer(rebasing: pieces[..<count]))
    }
  }
}
