// SPDX-License-Identifier: MIT

/// One coding being undone.
///
/// It is asked for one piece after the other, so a caller that wants no more for now just stops asking. `finish` throws if the
/// stream that was begun is not complete. Bytes behind a complete stream are passed over, as browsers do: some servers
/// pad, and the stream's own checksum has already vouched for the content.
protocol StageDecoder: AnyObject {
  /// The next bytes that come out, `ContentDecoder.largestPiece` at most, lent until the next call. Takes from the front
  /// of `input` what they need.
  ///
  /// - Returns: nil if nothing comes out before there is more input; all of it has been taken then.
  func next(_ input: inout UnsafeRawBufferPointer) throws(ContentCodingError) -> UnsafeRawBufferPointer?
  func finish() throws(ContentCodingError)
}

extension UnsafeRawBufferPointer {
  /// Takes everything.
  mutating func drop() {
    self = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// Takes so many bytes from the front.
  mutating func drop(_ count: Int) {
    self = UnsafeRawBufferPointer(rebasing: self[count...])
  }
}
