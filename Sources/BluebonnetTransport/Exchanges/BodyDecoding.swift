import BluebonnetContentCoding
import BluebonnetHTTP1

/// A response body's content decoder, and what a pause left undecoded.
struct BodyDecoding {
  let decoder: ContentDecoder
  /// Coded bytes that came in while the application was holding the body back.
  var pending: [UInt8] = []
  /// The response ended on the wire while bytes were pending; what becomes of its connection.
  var end: HTTP1Exchange.Ending?

  init(_ decoder: ContentDecoder) {
    self.decoder = decoder
  }
}

extension Exchange {
  /// Coded bytes are decoded in pieces of this size, so that a pause takes effect before a small
  /// input has become a large output.
  private static var pieceSize: Int { 16 * 1024 }

  func decode(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    while offset < bytes.count, !isPaused, let decoder = decoding?.decoder {
      let end = Swift.min(offset + Self.pieceSize, bytes.count)
      do throws(ContentCodingError) {
        try decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[offset..<end])) { deliver($0) }
      } catch {
        return fail(.coding(error))
      }
      offset = end
    }
    if offset < bytes.count { decoding?.pending.append(contentsOf: bytes[offset...]) }
  }

  /// Goes on where a pause stopped.
  func decodePending() {
    guard let pending = decoding?.pending, !pending.isEmpty else { return }
    decoding?.pending = []
    pending.withUnsafeBytes { decode($0) }
    guard case .exchanging(let connection) = state, decoding?.pending.isEmpty == true,
      let ending = decoding?.end
    else { return }
    responseEnded(on: connection, ending)
  }
}
