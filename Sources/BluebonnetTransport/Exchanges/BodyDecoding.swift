import BluebonnetContentCoding

/// A response body's content decoder, and its bytes not decoded yet.
///
///     decoding ──held, or its turn is over──▶ stopped, with a rest ──it flows again──▶ decoding
struct BodyDecoding {
  /// Coded bytes that came in and have not been decoded.
  struct Rest {
    /// Copied once, however often the decoder stops within them.
    let bytes: [UInt8]
    /// So many of them are done with.
    var start = 0
  }

  let decoder: ContentDecoder
  /// Nil unless the decoder was stopped. It may have more to give even if no bytes are left.
  var rest: Rest?

  init(_ decoder: ContentDecoder) {
    self.decoder = decoder
  }
}
