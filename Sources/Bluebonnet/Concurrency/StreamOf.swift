import BluebonnetFoundation

/// A sequence of what a request has to report. It keeps what comes from the moment it is made.
public struct StreamOf<Element>: AsyncSequence {
  /// Takes the elements one by one.
  public typealias AsyncIterator = Iterator
  /// How much to keep for a slow reader.
  public typealias BufferingPolicy = AsyncStream<Element>.Continuation.BufferingPolicy
  typealias Continuation = AsyncStream<Element>.Continuation

  private let stream: AsyncStream<Element>
  private let continuation: Continuation
  private let onTermination: (@Sendable () -> Void)?
  private let onReading: (@Sendable (Element) -> Void)?

  /// Makes a stream.
  ///
  /// - Parameters:
  ///   - bufferingPolicy: How much to keep for a slow reader.
  ///   - onTermination:   Called when the stream is over or nobody reads it any more.
  ///   - onReading:       Called for each element as the reader takes it.
  ///   - builder:         Feeds the stream.
  init(
    bufferingPolicy: BufferingPolicy = .unbounded, onTermination: (@Sendable () -> Void)? = nil,
    onReading: (@Sendable (Element) -> Void)? = nil,
    builder: (Continuation) -> Void
  ) {
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: bufferingPolicy)
    self.onTermination = onTermination
    self.onReading = onReading
    builder(continuation)
  }

  /// Begins to read. There can be one reader.
  public func makeAsyncIterator() -> Iterator {
    continuation.onTermination = { [onTermination] _ in onTermination?() }
    return Iterator(
      iterator: stream.makeAsyncIterator(), onReading: onReading,
      token: Token { [continuation] in continuation.finish() })
  }

  /// Reads a stream. The stream is over when the reader is gone.
  public struct Iterator: AsyncIteratorProtocol {
    private var iterator: AsyncStream<Element>.AsyncIterator
    private let onReading: (@Sendable (Element) -> Void)?
    private let token: Token

    fileprivate init(
      iterator: AsyncStream<Element>.AsyncIterator, onReading: (@Sendable (Element) -> Void)?, token: Token
    ) {
      self.iterator = iterator
      self.onReading = onReading
      self.token = token
    }

    /// The next element, or `nil` at the end.
    public mutating func next() async -> Element? {
      let element = await iterator.next()
      if let element { onReading?(element) }
      return element
    }
  }

  /// Ends the stream when the last copy of an iterator is gone.
  fileprivate final class Token: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
      self.end = end
    }

    deinit {
      end()
    }
  }
}
