// SPDX-License-Identifier: MIT
extension HTTPClient {
  /// Sends a request and gathers the response in memory.
  ///
  /// Whatever the status is, a response is no error. If the task is cancelled, the request is: its connection is closed, and
  /// the error's code is ``HTTPClientError/Code/cancelled``.
  ///
  /// - Throws: Also for a request that must not be sent, before anything is connected.
  public func send(_ request: Request) async throws(HTTPClientError) -> Response {
    let call = try Call(request, of: self)
    let limit = configuration.maximumBodySize
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        call.start(for: Gathering(limit: limit) { continuation.resume(returning: $0) })
      }
    } onCancel: {
      call.cancel()
    }
    return try result.get()
  }

  /// Sends a request and returns when the response's head is there; its body is read as it comes.
  ///
  /// A slow reader slows the server down: beyond ``Configuration/streamBufferSize`` nothing is received.
  ///
  /// ```swift
  /// let response = try await client.stream(.get(url))
  /// for try await piece in response.body { count += piece.count }
  /// ```
  ///
  /// If the task is cancelled while it waits for the head or for a piece, the request is, too. So it is when the last reference
  /// to the body goes.
  ///
  /// - Throws: Also for a request that must not be sent, before anything is connected.
  public func stream(_ request: Request) async throws(HTTPClientError) -> StreamingResponse {
    let call = try Call(request, of: self)
    let limit = configuration.streamBufferSize
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        call.start(for: BodyBuffer(of: call, limit: limit) { continuation.resume(returning: $0) })
      }
    } onCancel: {
      call.cancel()
    }
    return try result.get()
  }
}
