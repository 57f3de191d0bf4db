import BluebonnetFoundation

extension DataStreamRequest.Stream {
  /// The part that arrived, or why it could not be made; `nil` at the end.
  public var result: Result<Success, Failure>? {
    if case .stream(let result) = event { result } else { nil }
  }

  /// The part that arrived, or what was made of it; `nil` at the end, and where it could not be made.
  public var value: Success? { result?.success }

  /// Why a part could not be made of what arrived.
  public var error: Failure? { result?.failure }

  /// How the stream ended; `nil` while it goes on.
  public var completion: DataStreamRequest.Completion? {
    if case .complete(let completion) = event { completion } else { nil }
  }
}
