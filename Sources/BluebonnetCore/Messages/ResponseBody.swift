// SPDX-License-Identifier: MIT
extension HTTPClient {
  /// A response's body in pieces, as they come.
  ///
  /// It can be read once: each piece goes to one reader. Nothing more is received while more than ``Configuration/streamBufferSize``
  /// waits to be read. When the last reference to the body goes, it is received no further: its connection is closed.
  public struct ResponseBody: AsyncSequence, Sendable {
    /// A reference to this is an interest in the body.
    private final class Interest: Sendable {
      let buffer: BodyBuffer
      private let call: Call

      init(_ buffer: BodyBuffer, _ call: Call) {
        self.buffer = buffer
        self.call = call
      }

      deinit { call.cancel() }
    }

    private let interest: Interest

    init(_ buffer: BodyBuffer, of call: Call) {
      interest = Interest(buffer, call)
    }

    /// Fields behind the body (RFC 9110 §6.5), where there are any. Empty before its end.
    public var trailers: Fields { interest.buffer.trailers }

    /// Begins to read, or goes on.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: self) }

    /// Gives the pieces.
    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate let body: ResponseBody

      /// The next piece, never empty; nil at the end of the body.
      ///
      /// - Throws: The reason if the body ends before its time; again each time.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws(HTTPClientError) -> [UInt8]? {
        try await body.interest.buffer.next()
      }
    }
  }
}
