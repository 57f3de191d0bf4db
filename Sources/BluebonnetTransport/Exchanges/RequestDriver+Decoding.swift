import BluebonnetContentCoding
import BluebonnetHTTP1

// Content codings are undone on the way.
extension RequestDriver {
  /// Coded bytes are decoded in pieces of this size, so that a pause takes effect before a small
  /// input has become a large output.
  private static var pieceSize: Int { 16 * 1024 }

  func decode(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    while offset < bytes.count, !isPaused, let decoder = state.decoding?.decoder {
      let end = Swift.min(offset + Self.pieceSize, bytes.count)
      do throws(ContentCodingError) {
        try decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[offset..<end])) { deliver($0) }
      } catch {
        return fail(.coding(error))
      }
      offset = end
    }
    if offset < bytes.count { state.decoding?.pending.append(contentsOf: bytes[offset...]) }
  }

  /// Goes on where a pause stopped.
  func decodePending() {
    guard let pending = state.decoding?.pending, !pending.isEmpty else { return }
    state.decoding?.pending = []
    pending.withUnsafeBytes { decode($0) }
    guard case .exchanging = state.stage, state.decoding?.pending.isEmpty == true,
      let ending = state.decoding?.end
    else { return }
    responseEnded(ending)
  }
}
