// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks

/// A sequence of what a request has to report. It keeps what comes from the moment it is made.
public struct StreamOf<Element>: AsyncSequence {
  /// Takes the elements one by one.
  public typealias AsyncIterator = Iterator
  /// The policy for a slow reader.
  public typealias BufferingPolicy = AsyncStream<Element>.Continuation.BufferingPolicy

  private let stream: AsyncStream<Item>
  private let continuation: Continuation

  /// Makes a stream.
  ///
  /// - Parameters:
  ///   - bufferingPolicy: How much to keep for a slow reader.
  ///   - onTermination:   Called when the stream is over or has no reader left.
  ///   - builder:         Feeds the stream.
  init(
    bufferingPolicy: BufferingPolicy = .unbounded, onTermination: (@Sendable () -> Void)? = nil,
    builder: (Continuation) -> Void
  ) {
    let (stream, feed) = AsyncStream.makeStream(of: Item.self, bufferingPolicy: .init(bufferingPolicy))
    self.stream = stream
    continuation = Continuation(feed: feed)
    // Before there is a reader: a stream that is let go of without one has no reader left either.
    feed.onTermination = { [unread = continuation.unread] _ in
      unread.giveAll()
      onTermination?()
    }
    builder(continuation)
  }

  /// Begins to read. There can be one reader.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      iterator: stream.makeAsyncIterator(), unread: continuation.unread,
      token: Token { [continuation] in continuation.finish() })
  }

  /// Feeds a stream.
  struct Continuation: Sendable {
    fileprivate let feed: AsyncStream<Item>.Continuation
    fileprivate let unread = UnreadReceipts()

    /// Hands an element over.
    ///
    /// - Parameter receipt: Given when the reader takes the element, or when it will not be taken.
    func yield(_ element: sending Element, receipt: ConsumptionToken? = nil) {
      if let receipt { unread.add(receipt) }
      // Elements that the policy drops are never taken.
      if case .dropped(let item) = feed.yield(Item(element: element, receipt: receipt)) {
        unread.give(item.receipt)
      }
    }

    func finish() { feed.finish() }
  }

  fileprivate struct Item {
    let element: Element
    let receipt: ConsumptionToken?
  }

  /// Reads a stream. The stream is over when the reader is gone.
  public struct Iterator: AsyncIteratorProtocol {
    private var iterator: AsyncStream<Item>.AsyncIterator
    private let unread: UnreadReceipts
    private let token: Token

    fileprivate init(iterator: AsyncStream<Item>.AsyncIterator, unread: UnreadReceipts, token: Token) {
      self.iterator = iterator
      self.unread = unread
      self.token = token
    }

    /// The next element, or `nil` at the end.
    public mutating func next() async -> Element? {
      guard let item = await iterator.next() else { return nil }
      unread.give(item.receipt)
      return item.element
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

extension AsyncStream.Continuation.BufferingPolicy {
  /// The same for other elements.
  fileprivate init<Other>(_ policy: AsyncStream<Other>.Continuation.BufferingPolicy) {
    self =
      switch policy {
      case .unbounded: .unbounded
      case .bufferingOldest(let count): .bufferingOldest(count)
      case .bufferingNewest(let count): .bufferingNewest(count)
      @unknown default: .unbounded
      }
  }
}

/// The receipts of what a reader has not taken. They are given at the latest when there is no reader any more, whatever is kept
/// of the elements.
private final class UnreadReceipts: Sendable {
  private struct State {
    var receipts: [ObjectIdentifier: ConsumptionToken] = [:]
    var isOver = false
  }

  private let state = Locked(State())

  func add(_ receipt: ConsumptionToken) {
    let isOver = state.withLock { state in
      if !state.isOver { state.receipts[ObjectIdentifier(receipt)] = receipt }
      return state.isOver
    }
    if isOver { receipt.give() }
  }

  func give(_ receipt: ConsumptionToken?) {
    guard let receipt else { return }
    _ = state.withLock { $0.receipts.removeValue(forKey: ObjectIdentifier(receipt)) }
    receipt.give()
  }

  func giveAll() {
    let rest = state.withLock { state in
      state.isOver = true
      defer { state.receipts = [:] }
      return state.receipts
    }
    for receipt in rest.values { receipt.give() }
  }
}
