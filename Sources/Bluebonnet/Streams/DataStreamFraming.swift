// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// Takes a streamed body apart at boundaries of its own, whatever pieces the network cuts it into.
///
/// A value that is copied for each attempt of a request, so that a retry begins anew. Called on the session's
/// ``Session/serializationQueue``, in the order of the pieces.
public protocol DataStreamFraming<Frame>: Sendable {
  /// The kind of the body's frames.
  associatedtype Frame: Sendable

  /// Reads a piece of the body.
  ///
  /// - Parameters:
  ///   - data: The piece, cut where the network cut it.
  ///   - take: Gets each frame that is complete with it, or why none could be made; the next one may be well again.
  /// - Throws: Where nothing can be made of the rest; the request is cancelled with that error.
  mutating func append(_ data: Data, _ take: (Result<Frame, AFError>) -> Void) throws(AFError)

  /// The body has come to its end. Not called for one that broke off.
  ///
  /// - Parameter take: Gets the frames that are complete with the end.
  mutating func finish(_ take: (Result<Frame, AFError>) -> Void)
}

extension DataStreamFraming {
  /// Hands out nothing: for bodies with frames that all have an end of their own.
  public mutating func finish(_ take: (Result<Frame, AFError>) -> Void) {}
}

/// Why a streamed body could not be taken apart. Found as the `underlyingError` of an ``AFError``.
public enum StreamFramingError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// A line has more bytes than the limit of its framing.
  case lineTooLong(limit: Int)
  /// An event has more bytes than the limit of its framing.
  case eventTooLong(limit: Int)

  /// Why, in words.
  public var description: String {
    switch self {
    case .lineTooLong(let limit): "the server sent a line of more than \(limit) bytes"
    case .eventTooLong(let limit): "the server sent an event of more than \(limit) bytes"
    }
  }

  /// Why, in words.
  public var localizedDescription: String { description }

  /// The same text as ``description``.
  public var errorDescription: String? { description }
}
