// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import Synchronization

/// A request's body that is produced while it is sent, by an asynchronous sequence of `Data`, of `[UInt8]`, or of anything else
/// that consists of contiguous bytes.
///
/// The sequence is asked for its first element when the server is ready to take one, in a task of its own, and from then on
/// only as fast as the connection takes the bytes: half a megabyte is ahead at most. Nothing is joined to elements or
/// lost between them; empty ones are passed over.
///
/// What it throws fails the request, with the error it threw. So does a sequence that gives nothing for longer than the
/// request's `timeoutInterval`, with `URLError.timedOut`. When the request is over, however it ended, the task is
/// cancelled.
///
/// An addition of this package.
public struct StreamedBody: Sendable {
  /// The number of bytes, sent as `Content-Length`; `nil` sends the body in chunks (RFC 9112 §7.1).
  ///
  /// More or fewer are a mistake of the caller's that fails the request, and closes its connection before the server
  /// could take it for a complete message. To find that out of 0, such a body is sent in chunks, too.
  public let length: Int64?

  /// The reason why the body can be sent once only, as a clause: "it is a stream and can only be read once"; `nil` if it can be
  /// sent again: after a redirect with 307 or 308, for an answer to a challenge, over a fresh connection, or in another attempt.
  public let replayObstacle: String?

  /// Whether the body can be sent again; see ``replayObstacle``.
  public var isReplayable: Bool { replayObstacle == nil }

  let produce: @Sendable (inout BodyWriter) async throws -> Void
  private let claim = Claim()

  /// A body that can be sent once.
  ///
  /// - Parameters:
  ///   - sequence: The bytes.
  ///   - length:   The number of bytes; `nil`, the default, if it is unknown.
  public init<Bytes: AsyncSequence & Sendable>(_ sequence: Bytes, length: Int64? = nil)
  where Bytes.Element: ContiguousBytes {
    self.init(length: length, replayObstacle: "it comes from a sequence and can only be read once") {
      writer in
      for try await bytes in sequence { try await writer.write(bytes) }
    }
  }

  /// A body that can be sent any number of times.
  ///
  /// - Parameters:
  ///   - length:   The number of bytes; `nil`, the default, if it is unknown.
  ///   - sequence: Makes the sequence anew each time the body is sent from its beginning; it has to give the same bytes. Called
  ///     in a task; what it throws fails the request.
  public init<Bytes: AsyncSequence & Sendable>(
    length: Int64? = nil, replaying sequence: @escaping @Sendable () async throws -> Bytes
  ) where Bytes.Element: ContiguousBytes {
    self.init(length: length, replayObstacle: nil) { writer in
      for try await bytes in try await sequence() { try await writer.write(bytes) }
    }
  }

  /// - Parameter produce: Writes the whole body; called each time it is sent from its beginning.
  package init(
    length: Int64?, replayObstacle: String?,
    produce: @escaping @Sendable (inout BodyWriter) async throws -> Void
  ) {
    self.length = length
    self.replayObstacle = replayObstacle
    self.produce = produce
  }

  /// Whether there is nothing left to send: it can be sent once, and that has begun.
  var isSpent: Bool { !isReplayable && claim.isTaken.load(ordering: .relaxed) }

  /// The caller that gets true may produce the body.
  func begin() -> Bool {
    isReplayable || !claim.isTaken.exchange(true, ordering: .relaxed)
  }

  private final class Claim: Sendable {
    let isTaken = Atomic(false)
  }
}

extension StreamedBody {
  /// The contents of a file.
  init(file path: String, canBeReadAgain: Bool) {
    self.init(length: nil, replayObstacle: canBeReadAgain ? nil : Self.passingFile) { writer in
      try await writer.write(from: QueuedReader(.file(path: path)))
    }
  }

  /// The contents of a stream.
  init(stream: InputStream) {
    // It belongs to its reader, the one that has claimed the body.
    nonisolated(unsafe) let stream = stream
    self.init(length: nil, replayObstacle: Self.inputStream) { writer in
      try await writer.write(from: QueuedReader(.stream(stream)))
    }
  }

  static let inputStream = "it is a stream and can only be read once"
  static let passingFile = "it is a pipe or a device and can only be read once"
}

extension BodyWriter {
  /// Writes all that there is to read.
  fileprivate mutating func write(from reader: QueuedReader) async throws {
    while let piece = try await reader.read() { try await write(piece) }
  }
}
