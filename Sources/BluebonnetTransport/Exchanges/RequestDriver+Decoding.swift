import BluebonnetContentCoding
import BluebonnetHTTP1

// Content codings are undone on the way.
extension RequestDriver {
  /// The most output in one turn. A few bytes may expand without end, which would keep the loop from all other work,
  /// cancellation and time-outs included.
  private static var outputPerTurn: Int { 2 << 20 }

  /// A piece of a coded body. Nothing of it is decoded before it is wanted: a few bytes may become many.
  func decode(_ bytes: UnsafeRawBufferPointer) {
    assert(state.decoding?.rest == nil, "nothing is read while there is something to decode")
    var input = bytes
    if !decode(from: &input) { state.decoding?.rest = BodyDecoding.Rest(bytes: Array(input)) }
  }

  /// Goes on where a hold stopped.
  func decodeRest() {
    guard var rest = state.decoding?.rest.take() else { return }
    let isDone = rest.bytes.withUnsafeBytes { bytes in
      var input = UnsafeRawBufferPointer(rebasing: bytes[rest.start...])
      defer { rest.start = bytes.count - input.count }
      return decode(from: &input)
    }
    if !isDone { state.decoding?.rest = rest }
  }

  /// - Returns: false if it was stopped, and there may be more to come.
  private func decode(from input: inout UnsafeRawBufferPointer) -> Bool {
    guard let decoder = state.decoding?.decoder else { return true }
    var left = Self.outputPerTurn
    do throws(ContentCodingError) {
      let isDone = try decoder.decode(from: &input) { piece in
        deliver(piece)
        left -= piece.count
        // The client may hold the body back, or end the request.
        return left > 0 && !isPaused && state.decoding != nil
      }
      if !isDone, left <= 0 { goOnLater() }
      return isDone
    } catch {
      fail(.coding(error))
      return true
    }
  }

  /// Lets the body flow again after all work already queued.
  private func goOnLater() {
    hold(.turn)
    release(.turn)
  }
}
