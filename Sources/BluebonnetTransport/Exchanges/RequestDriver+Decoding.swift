// SPDX-License-Identifier: MIT
import BluebonnetContentCoding

// Content codings are undone on the way.
extension RequestDriver {
  /// A piece of a coded body. Nothing of it is decoded before it is wanted: a few bytes may become many.
  func decode(_ bytes: UnsafeRawBufferPointer) {
    assert(state.decoding?.rest == nil, "nothing is read while there is something to decode")
    var input = bytes
    if !decode(from: &input) { state.decoding?.rest = BodyDecoding.Rest(input) }
  }

  /// Goes on where a hold stopped.
  func decodeRest() {
    guard var rest = state.decoding?.rest.take() else { return }
    if !rest.lend(to: { decode(from: &$0) }) { state.decoding?.rest = rest }
  }

  /// - Returns: false if it was stopped, and there may be more to come.
  private func decode(from input: inout UnsafeRawBufferPointer) -> Bool {
    guard let decoding = state.decoding else { return true }
    do throws(ContentCodingError) {
      let progress = try decoding.decode(from: &input) { piece in
        deliver(piece)
        // The client may hold the body back, or end the request.
        return !isPaused && state.decoding != nil
      }
      if progress == .turnIsOver {
        // After all work already queued.
        hold(.turn)
        release(.turn)
      }
      return progress == .done
    } catch {
      fail(.coding(error))
      return true
    }
  }
}
