/// A request's body, as the transport pulls it.
package enum RequestBody: Sendable {
  case none
  case source(any BodySource)
}

/// Produces a request body piece by piece. Called by whoever holds the loop; must not block.
package protocol BodySource: AnyObject, Sendable {
  /// The exact number of bytes, or nil when unknown (then the body goes out chunked).
  var length: Int? { get }

  /// Fills `buffer` with what there is.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyReading

  /// Starts again from the first byte, for a retry on a fresh connection or a redirect.
  ///
  /// - Returns: false when the source cannot be replayed.
  func rewind() -> Bool

  /// Called once before reading; `signal` tells the transport that a source that answered
  /// `.later` has bytes again, from any thread.
  func attach(signal: @escaping @Sendable () -> Void)

  /// Lets go of the signal: the exchange is over.
  func detach()
}

/// What a body source answers.
package enum BodyReading: Sendable {
  case bytes(Int)
  /// Nothing yet; the source will signal.
  case later
  case end
  case failed(String)
}

extension BodySource {
  package func attach(signal: @escaping @Sendable () -> Void) {}
  package func detach() {}
}
