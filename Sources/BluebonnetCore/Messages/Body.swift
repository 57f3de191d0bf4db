// SPDX-License-Identifier: MIT
extension HTTPClient {
  /// A request's content.
  public struct Body: Sendable {
    enum Content: Sendable {
      case none
      case bytes([UInt8])
      case stream(PieceSequence)
    }

    let content: Content

    /// No content.
    public static let none = Body(content: .none)

    /// These bytes.
    public static func bytes(_ bytes: [UInt8]) -> Body { Body(content: .bytes(bytes)) }

    /// This text in UTF-8. Its `Content-Type` is for the caller to state.
    public static func text(_ text: String) -> Body { .bytes(Array(text.utf8)) }

    /// The pieces of a sequence, of which one waits for the connection at most while the next one is made.
    ///
    /// - Parameters:
    ///   - pieces: Iterated in a task of its own, cancelled when no more is wanted. An error that it throws is
    ///     ``HTTPClientError/Code/requestBodyFailed``, with that error as its cause.
    ///   - length: The number of bytes, which goes out as `Content-Length`, except 0; pieces that come to more or less fail.
    ///     Default: nil, for a chunked body.
    ///   - isReplayable: Whether a second iteration gives the same bytes. Default: false: then a redirect that repeats it fails with
    ///     ``HTTPClientError/Code/requestBodyNotReplayable``, sending it twice with ``HTTPClientError/Code/requestBodyFailed``, and a
    ///     connection that turns out to be gone with ``HTTPClientError/Code/connectionLost``.
    public static func stream<Pieces: AsyncSequence & Sendable>(
      _ pieces: Pieces, length: Int? = nil, isReplayable: Bool = false
    ) -> Body where Pieces.Element == [UInt8] {
      Body(
        content: .stream(
          PieceSequence(length: length, isReplayable: isReplayable) { writer in
            for try await piece in pieces { try await writer.write(piece) }
          }))
    }
  }
}
