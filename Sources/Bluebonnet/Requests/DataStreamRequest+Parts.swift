// SPDX-License-Identifier: MIT
import BluebonnetFoundation

extension DataStreamRequest.Stream {
  /// The part that arrived, or why it could not be made; `nil` at the end.
  public var result: Result<Success, Failure>? {
    if case .stream(let result) = event { result } else { nil }
  }

  /// The part that arrived, or the value made of it; `nil` at the end, and where it could not be made.
  public var value: Success? { result?.success }

  /// Why a part could not be made of what arrived.
  public var error: Failure? { result?.failure }

  /// The end of the stream; `nil` while it goes on.
  public var completion: DataStreamRequest.Completion? {
    if case .complete(let completion) = event { completion } else { nil }
  }

  /// An awaited reader has taken the part.
  package func didConsume() { receipt?.give() }
}

extension DataStreamRequest {
  /// Keeps a part in hand when its handler has returned, so that the body is held back, until
  /// ``Stream/didConsume()`` is called or the part is let go of. A part of a request with several consumers is not kept.
  ///
  /// - Returns: Whether it is.
  @discardableResult
  package func awaitReader<Success, Failure>(of part: Stream<Success, Failure>) -> Bool {
    let holdsBack = flow.withLock { $0.holdsBackForReaders }
    if holdsBack { part.receipt?.awaitReader() }
    return holdsBack
  }
}
