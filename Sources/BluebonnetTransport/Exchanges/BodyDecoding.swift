// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetHTTP1

/// A response body's content decoder, and its bytes not decoded yet.
///
///     decoding ──held, or its turn is over──▶ stopped, with a rest ──it flows again──▶ decoding
struct BodyDecoding {
  enum Progress {
    /// All that came in has been decoded.
    case done
    /// There may be more to come, but the reader does not want it now.
    case stopped
    /// There may be more to come, but it is others' turn.
    case turnIsOver
  }

  /// Coded bytes that came in and have not been decoded.
  struct Rest {
    /// Copied once, however often the decoder stops within them.
    private let bytes: [UInt8]
    /// So many of them are done with.
    private var start = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = Array(bytes) }

    /// - Parameter take: Takes what it likes from the front.
    mutating func lend<Result>(to take: (inout UnsafeRawBufferPointer) -> Result) -> Result {
      bytes.withUnsafeBytes { bytes in
        var input = UnsafeRawBufferPointer(rebasing: bytes[start...])
        defer { start = bytes.count - input.count }
        return take(&input)
      }
    }
  }

  /// The most output in one turn. A few bytes may expand without end, which would keep the loop from all other work,
  /// cancellation and time-outs included.
  private static var outputPerTurn: Int { 2 << 20 }

  private let decoder: ContentDecoder
  /// Nil unless the decoder was stopped. It may have more to give even if no bytes are left.
  var rest: Rest?

  /// The decoding of a response's body on its way to the client.
  ///
  /// - Parameters:
  ///   - decodesContent: Whether content codings are undone.
  ///   - transferCodings: Those that the response may have.
  ///   - limit: Asked for coded bodies only.
  /// - Returns: nil if there is nothing to decode.
  @inline(__always)
  init?(
    of response: ReceivedHead, decodesContent: Bool, transferCodings: TransferCodings,
    limit: () -> DecompressionLimit
  ) throws(ContentCodingError) {
    guard response.bytesExpected != 0,
      let codings = ContentCoding.codings(
        of: response.head.fields, decodesContent: decodesContent, transferCodings: transferCodings)
    else { return nil }
    decoder = try ContentDecoder(codings: codings, limit: limit())
  }

  /// Decodes what there is for as long as it is wanted. The value itself stays as it is, so that `deliver` may do away with it.
  ///
  /// - Parameter deliver: Says whether more is wanted now.
  func decode(
    from input: inout UnsafeRawBufferPointer, _ deliver: (UnsafeRawBufferPointer) -> Bool
  ) throws(ContentCodingError) -> Progress {
    var left = Self.outputPerTurn
    let isDone = try decoder.decode(from: &input) { piece in
      left -= piece.count
      return deliver(piece) && left > 0
    }
    return isDone ? .done : left <= 0 ? .turnIsOver : .stopped
  }

  /// The response has ended: so must its coding.
  func finish() throws(ContentCodingError) {
    // The connection holds the end back, too, so that it looks for the peer's end behind it.
    assert(rest == nil, "the end comes behind the body")
    try decoder.finish()
  }
}
