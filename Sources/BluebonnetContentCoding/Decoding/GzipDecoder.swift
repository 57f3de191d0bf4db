// SPDX-License-Identifier: MIT

/// gzip: one or more members, one after the other (RFC 1952 §2.2).
final class GzipDecoder: StageDecoder {
  private enum State {
    /// Nothing came yet.
    case empty
    case insideMember
    case afterMember
    /// Behind a member came the first byte of another one's signature.
    case afterHalfSignature
    /// The next bytes are no further member and are passed over.
    case afterLast
  }

  private let stream: InflateStream
  private var state = State.empty

  init() throws(ContentCodingError) {
    stream = try InflateStream(.gzip, coding: .gzip)
  }

  func next(_ input: inout UnsafeRawBufferPointer) throws(ContentCodingError) -> UnsafeRawBufferPointer? {
    while true {
      if case .insideMember = state {
        if let output = try stream.next(&input) { return output }
        guard stream.hasEnded else { return nil }
        state = .afterMember
      }
      guard !input.isEmpty else { return nil }
      switch state {
      case .empty, .insideMember: state = .insideMember
      case .afterMember: look(for: &input)
      case .afterHalfSignature: try resume(at: input)
      case .afterLast: input.drop()
      }
    }
  }

  func finish() throws(ContentCodingError) {
    if case .insideMember = state { throw .truncated(.gzip) }
  }

  private func look(for rest: inout UnsafeRawBufferPointer) {
    guard rest[0] == Self.signature[0] else {
      state = .afterLast
      return
    }
    if rest.count == 1 {
      state = .afterHalfSignature
      rest.drop()
    } else if rest[1] == Self.signature[1] {
      stream.reset()
      state = .insideMember
    } else {
      state = .afterLast
    }
  }

  private func resume(at rest: UnsafeRawBufferPointer) throws(ContentCodingError) {
    guard rest[0] == Self.signature[1] else {
      state = .afterLast
      return
    }
    stream.reset()
    // Nothing comes out of a signature.
    try withUnsafeBytes(of: Self.signature[0]) { bytes throws(ContentCodingError) in
      var byte = bytes
      _ = try stream.next(&byte)
    }
    state = .insideMember
  }

  private static let signature: [2 of UInt8] = [0x1f, 0x8b]
}
