// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetMessages

extension URLSession {
  /// The bytes of a response's body, as they come. Works.
  ///
  /// The reader sets the pace: beyond half a megabyte, unread bytes wait on the network. Releasing the sequence and its
  /// iterators up cancels the task, as does cancelling the Swift task that reads.
  public struct AsyncBytes: AsyncSequence, Sendable {
    /// One byte.
    public typealias Element = UInt8

    /// The task that brings them.
    public let task: URLSessionDataTask
    let reader: BodyReader
    let readers: ReaderToken

    /// Begins to read, or goes on where another iterator has got to: each byte is read once.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(task: task, reader: reader, readers: readers)
    }

    /// Reads the body byte by byte.
    public struct AsyncIterator: AsyncIteratorProtocol {
      @usableFromInline var piece: [UInt8] = []
      @usableFromInline var position = 0
      private let task: URLSessionDataTask
      private let reader: BodyReader
      private let readers: ReaderToken

      init(task: URLSessionDataTask, reader: BodyReader, readers: ReaderToken) {
        (self.task, self.reader, self.readers) = (task, reader, readers)
      }

      /// The next byte; nil at the end of the body.
      ///
      /// - Throws: A `URLError`, where the body ended too soon; `.cancelled` if the task was cancelled.
      @inlinable
      public mutating func next() async throws -> UInt8? {
        if position < piece.count {
          defer { position += 1 }
          return piece[position]
        }
        return try await refill(isolation: nil)
      }

      /// The next byte; nil at the end of the body. Does not leave the caller's actor while bytes are at hand.
      ///
      /// - Throws: A `URLError`, where the body ended too soon; `.cancelled` if the task was cancelled.
      @inlinable
      public mutating func next(isolation actor: isolated (any Actor)?) async throws -> UInt8? {
        if position < piece.count {
          defer { position += 1 }
          return piece[position]
        }
        return try await refill(isolation: actor)
      }

      @usableFromInline
      mutating func refill(isolation actor: isolated (any Actor)?) async throws -> UInt8? {
        // Kept here as a whole, so that each byte is one look into an array.
        guard let next = try await readers.next(of: reader, task) else {
          piece = []
          position = 0
          return nil
        }
        piece = Array(next)
        position = 1
        return piece[0]
      }
    }
  }

  /// Loads `request`, and hands its body out byte by byte. Returns as soon as the head of the response is there.
  ///
  /// - Parameters:
  ///   - request: What to load.
  ///   - delegate: Hears of this task alone; `nil` by default.
  /// - Returns: The body to come, and the response, whatever its status.
  /// - Throws: A `URLError`; `.cancelled` if the Swift task was cancelled.
  public func bytes(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (AsyncBytes, URLResponse) {
    let task = dataTask(with: request)
    if let delegate { task.delegate = delegate }
    let reader = BodyReader()
    let readers = ReaderToken(task)
    reader.onCatchingUp { [weak task, weak reader] in
      guard let reader else { return }
      task?.holdBody { reader.isHeld }
    }
    task.completion = .reader(reader)
    let response = try await withTaskCancellationHandler {
      task.resume()
      return try await reader.response()
    } onCancel: {
      task.cancel()
    }
    return (AsyncBytes(task: task, reader: reader, readers: readers), response)
  }

  /// Loads `url`, and hands its body out byte by byte.
  ///
  /// - Parameters:
  ///   - url: The address.
  ///   - delegate: Hears of this task alone; `nil` by default.
  /// - Returns: The body to come, and the response, whatever its status.
  /// - Throws: A `URLError`; `.cancelled` if the Swift task was cancelled.
  public func bytes(
    from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (AsyncBytes, URLResponse) {
    try await bytes(for: URLRequest(url: url), delegate: delegate)
  }
}

/// Cancels a task when its body has no reader left.
final class ReaderToken: Sendable {
  private let task: URLSessionDataTask

  init(_ task: URLSessionDataTask) {
    self.task = task
  }

  deinit { task.cancel() }

  func next(of reader: BodyReader, _ task: URLSessionDataTask) async throws -> Data? {
    try await withTaskCancellationHandler {
      try await reader.next()
    } onCancel: {
      task.cancel()
    }
  }
}
