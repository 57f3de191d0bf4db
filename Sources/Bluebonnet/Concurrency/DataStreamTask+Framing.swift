// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension DataStreamTask {
  /// The frames that a framing makes of the body, one at a time.
  ///
  /// - Parameters:
  ///   - framing:                   Takes the body apart, such as `.serverSentEvents` or `.jsonLines(of:)`.
  ///   - shouldAutomaticallyCancel: Whether the request is cancelled when it has no reader left.
  ///   - bufferingPolicy:           How much to keep for a slow reader.
  /// - Returns: The sequence.
  public func streamingFrames<Framing: DataStreamFraming>(
    _ framing: Framing, automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
    bufferingPolicy: Stream<Framing.Frame, AFError>.BufferingPolicy = .unbounded
  ) -> Stream<Framing.Frame, AFError> {
    events(shouldAutomaticallyCancel, bufferingPolicy) { request, queue, handler in
      request.responseStream(framedBy: framing, on: queue, stream: handler)
    }
  }
}
