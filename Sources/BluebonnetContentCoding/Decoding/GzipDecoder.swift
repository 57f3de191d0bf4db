/// gzip: one or more members, one after the other (RFC 1952 §2.2).
final class GzipDecoder: StageDecoder {
  private enum State {
    /// Nothing came yet.
    case empty
    case insideMember
    case afterMember
    /// Behind a member came the first byte of another one's signature.
    case afterHalfSignature
    /// What comes is no further member and is passed over.
    case afterLast
  }

  private let stream: InflateStream
  private var state = State.empty

  init() throws(ContentCodingError) {
    stream = try InflateStream(.gzip, coding: .gzip)
  }

  func decode(_ input: UnsafeRawBufferPointer, _ sink: StageSink) throws(ContentCodingError) {
    var rest = input
    while !rest.isEmpty {
      switch state {
      case .empty: state = .insideMember
      case .insideMember:
        let progress = try stream.run(rest, sink)
        rest = UnsafeRawBufferPointer(rebasing: rest[progress.consumed...])
        if progress.hasEnded { state = .afterMember }
      case .afterMember: look(for: &rest)
      case .afterHalfSignature: try resume(at: rest, sink)
      case .afterLast: return
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
      rest = UnsafeRawBufferPointer(rebasing: rest[1...])
    } else if rest[1] == Self.signature[1] {
      stream.reset()
      state = .insideMember
    } else {
      state = .afterLast
    }
  }

  private func resume(at rest: UnsafeRawBufferPointer, _ sink: StageSink) throws(ContentCodingError) {
    guard rest[0] == Self.signature[1] else {
      state = .afterLast
      return
    }
    stream.reset()
    var first = Self.signature[0]
    try withUnsafeBytes(of: &first) { byte throws(ContentCodingError) in _ = try stream.run(byte, sink) }
    state = .insideMember
  }

  private static let signature: [2 of UInt8] = [0x1f, 0x8b]
}
