// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// Makes sequences of what a streaming request receives.
public struct DataStreamTask: Sendable {
  /// A sequence of a stream's events: each part of the body, and at last how it ended.
  public typealias Stream<Success: Sendable, Failure: Error> =
    StreamOf<DataStreamRequest.Stream<Success, Failure>>

  private let request: DataStreamRequest

  init(request: DataStreamRequest) {
    self.request = request
  }

  /// The parts of the body.
  ///
  /// - Parameters:
  ///   - shouldAutomaticallyCancel: Whether the request is cancelled when a loop over this sequence ends early.
  ///   - bufferingPolicy:           How much to keep for a slow reader. A request with one reader keeps little: beyond
  ///                                half a megabyte the body waits on the network until it is read.
  /// - Returns: The sequence.
  public func streamingData(
    automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
    bufferingPolicy: Stream<Data, Never>.BufferingPolicy = .unbounded
  ) -> Stream<Data, Never> {
    events(shouldAutomaticallyCancel, bufferingPolicy) { request, queue, handler in
      request.responseStream(on: queue, stream: handler)
    }
  }

  /// The parts of the body, read as UTF-8.
  ///
  /// - Parameters:
  ///   - shouldAutomaticallyCancel: Whether the request is cancelled when a loop over this sequence ends early.
  ///   - bufferingPolicy:           How much to keep for a slow reader.
  /// - Returns: The sequence.
  public func streamingStrings(
    automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
    bufferingPolicy: Stream<String, Never>.BufferingPolicy = .unbounded
  ) -> Stream<String, Never> {
    events(shouldAutomaticallyCancel, bufferingPolicy) { request, queue, handler in
      request.responseStreamString(on: queue, stream: handler)
    }
  }

  /// Values, one decoded from each part of the body.
  ///
  /// - Parameters:
  ///   - type:                      What to decode.
  ///   - shouldAutomaticallyCancel: Whether the request is cancelled when a loop over this sequence ends early.
  ///   - bufferingPolicy:           How much to keep for a slow reader.
  /// - Returns: The sequence.
  public func streamingDecodables<T: Decodable & Sendable>(
    _ type: T.Type = T.self, automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
    bufferingPolicy: Stream<T, AFError>.BufferingPolicy = .unbounded
  ) -> Stream<T, AFError> {
    streamingResponses(
      serializedUsing: DecodableStreamSerializer<T>(), automaticallyCancelling: shouldAutomaticallyCancel,
      bufferingPolicy: bufferingPolicy)
  }

  /// The values that a serializer makes of each part of the body.
  ///
  /// - Parameters:
  ///   - serializer:                Makes a value of each part.
  ///   - shouldAutomaticallyCancel: Whether the request is cancelled when a loop over this sequence ends early.
  ///   - bufferingPolicy:           How much to keep for a slow reader.
  /// - Returns: The sequence.
  public func streamingResponses<Serializer: DataStreamSerializer>(
    serializedUsing serializer: Serializer,
    automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
    bufferingPolicy: Stream<Serializer.SerializedObject, AFError>.BufferingPolicy = .unbounded
  ) -> Stream<Serializer.SerializedObject, AFError> {
    events(shouldAutomaticallyCancel, bufferingPolicy) { request, queue, handler in
      request.responseStream(using: serializer, on: queue, stream: handler)
    }
  }

  /// Cancels the request: the sequences end with a completion that has the error ``AFError/explicitlyCancelled``.
  public func cancel() { request.cancel() }

  /// Resumes the request, if it was suspended or has not been started.
  public func resume() { request.resume() }

  /// Suspends the request: nothing more is read until it is resumed.
  public func suspend() { request.suspend() }

  func events<Success, Failure>(
    _ cancels: Bool, _ bufferingPolicy: Stream<Success, Failure>.BufferingPolicy,
    listen: (
      DataStreamRequest, DispatchQueue, @escaping DataStreamRequest.Handler<Success, Failure>
    ) -> Void
  ) -> Stream<Success, Failure> {
    Stream<Success, Failure>(
      bufferingPolicy: bufferingPolicy,
      onTermination: { [request] in
        if cancels { request.cancelUnlessOver() }
      }
    ) { continuation in
      // Before the handler starts the request.
      if cancels, Task.isCancelled { request.cancel() }
      listen(request, request.underlyingQueue) { [unowned request] stream in
        // A slow reader holds the body back, so that nothing piles up.
        let holdsBack = request.awaitReader(of: stream)
        continuation.yield(stream, receipt: holdsBack ? stream.receipt : nil)
        if case .complete = stream.event { continuation.finish() }
      }
    }
  }
}

extension DataStreamRequest {
  /// Makes sequences of what the request receives.
  ///
  /// - Returns: Their maker.
  public func streamTask() -> DataStreamTask {
    DataStreamTask(request: self)
  }
}

extension DataStreamTask {
  /// The frames that a framing makes of the body, one at a time.
  ///
  /// - Parameters:
  ///   - framing:                   Takes the body apart, such as `.serverSentEvents` or `.jsonLines(of:)`.
  ///   - shouldAutomaticallyCancel: Whether the request is cancelled when a loop over this sequence ends early.
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
