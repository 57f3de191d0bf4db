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
