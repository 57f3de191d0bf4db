// SPDX-License-Identifier: MIT
import BluebonnetLocks

/// The received and unread bytes of a streamed body, between the loop and its readers.
final class BodyBuffer: CallReceiver {
  typealias Piece = Result<[UInt8]?, HTTPClientError>

  private struct State {
    /// Is told when the head is there, or that none comes.
    var completion: (@Sendable (Result<HTTPClient.StreamingResponse, HTTPClientError>) -> Void)?
    var bytes: [UInt8] = []
    /// Readers waiting for a piece; there are no bytes then.
    var readers: [CheckedContinuation<Piece, Never>] = []
    /// No more is received before the bytes are read.
    var isFull = false
    /// The answer behind the last byte; nil while more bytes may come.
    var ending: Piece?
    var trailers = HTTPClient.Fields()
  }

  private let call: Call
  private let limit: Int
  private let state: Locked<State>

  /// - Parameters:
  ///   - limit: Bytes that may wait before no more are received.
  ///   - completion: Called once, in loop context: it hands on and returns.
  init(
    of call: Call, limit: Int,
    _ completion: @escaping @Sendable (Result<HTTPClient.StreamingResponse, HTTPClientError>) -> Void
  ) {
    self.call = call
    self.limit = limit
    state = Locked(State(completion: completion))
  }

  // MARK: The loop's side

  var keepsBody: Bool { false }

  func receive(_ head: HTTPClient.Head, bodyLength: Int?) {
    let completion = state.withLock { $0.completion.take() }
    let body = HTTPClient.ResponseBody(self, of: call)
    completion?(.success(HTTPClient.StreamingResponse(head: head, length: bodyLength, body: body)))
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if bytes.isEmpty { return true }
    // Copied before the lock, by which it is handed on.
    let piece = Array(bytes)
    let (reader, isFull) = state.withLock { state -> (CheckedContinuation<Piece, Never>?, Bool) in
      if !state.readers.isEmpty { return (state.readers.removeFirst(), false) }
      state.bytes += piece
      state.isFull = state.bytes.count >= limit
      return (nil, state.isFull)
    }
    reader?.resume(returning: .success(piece))
    return !isFull
  }

  func receive(trailers: HTTPClient.Fields) {
    state.withLock { $0.trailers = trailers }
  }

  func end(_ error: HTTPClientError?) {
    let ending: Piece = error.map { .failure($0) } ?? .success(nil)
    let (completion, readers) = state.withLock { state in
      state.ending = ending
      defer { state.readers = [] }
      return (state.completion.take(), state.readers)
    }
    // Without an error there was a head.
    if let error { completion?(.failure(error)) }
    for reader in readers { reader.resume(returning: ending) }
  }

  // MARK: The readers' side

  var trailers: HTTPClient.Fields { state.withLock { $0.trailers } }

  /// All that is there, or what comes next.
  func next() async throws(HTTPClientError) -> [UInt8]? {
    if let piece = takeBytes() { return piece }
    let piece = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Piece? in
          if !state.bytes.isEmpty {
            defer { state.bytes = [] }
            return .success(state.bytes)
          }
          if let ending = state.ending { return ending }
          state.readers.append(continuation)
          return nil
        }
        if let answer {
          goOn()
          continuation.resume(returning: answer)
        }
      }
    } onCancel: {
      call.cancel()
    }
    return try piece.get()
  }

  private func takeBytes() -> [UInt8]? {
    let bytes = state.withLock { state in
      defer { state.bytes = [] }
      return state.bytes
    }
    guard !bytes.isEmpty else { return nil }
    goOn()
    return bytes
  }

  /// There is room again.
  private func goOn() {
    let wasFull = state.withLock { state in
      defer { state.isFull = false }
      return state.isFull
    }
    if wasFull { call.flowAgain() }
  }
}
