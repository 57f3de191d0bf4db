import BluebonnetEventLoop
import BluebonnetFoundation

/// Writes a body that is too large for the memory to a store while it comes.
///
///     pieces ─▶ queue ─▶ a task that writes one after the other ─▶ commit or abandon
///
// Unchecked: touched only while the loop is held, but for constants.
final class BodyKeeper: @unchecked Sendable {
  private enum Event: Sendable {
    case piece(Data)
    case commit
  }

  private let loop: EventLoop
  private let events: AsyncStream<Event>.Continuation
  private var backlog = Backlog()
  private let response: StoredResponse
  private let storage: ResponseStorage
  /// The body may flow again.
  private let release: @Sendable () -> Void

  /// - Parameters:
  ///   - askedFor: When the request was sent, in seconds since 1970.
  ///   - release: Called in loop context after `append` has said that there is too much in hand.
  init(
    _ response: StoredResponse, in storage: ResponseStorage, askedFor: Double, loop: EventLoop,
    release: @escaping @Sendable () -> Void
  ) {
    self.loop = loop
    self.response = response
    self.storage = storage
    self.release = release
    let (stream, events) = AsyncStream.makeStream(of: Event.self)
    self.events = events
    Task { [weak self] in
      var writer = await storage.trying(response.key) { try await storage.store?.write(response) } ?? nil
      for await event in stream {
        switch event {
        case .piece(let data):
          if let taker = writer, await storage.trying(response.key, { try await taker.append(data) }) == nil {
            // It is not kept, and the load goes on.
            await taker.abandon()
            writer = nil
          }
          loop.execute { [self] in self?.taken(data.count) }
        case .commit:
          guard let whole = writer, !storage.hasChanged(response.key, since: askedFor) else { continue }
          await storage.trying(response.key) { try await whole.commit() }
          writer = nil
        }
      }
      await writer?.abandon()
    }
  }

  deinit { events.finish() }

  /// - Returns: Whether the body is to be held back.
  func append(_ piece: Data) -> Bool {
    backlog.handed(piece.count)
    events.yield(.piece(piece))
    return backlog.isFull
  }

  /// The body is complete. Without this it is given up.
  func commit() {
    // Nobody is to be shown what was there before, which would be found first.
    storage.memory.remove(response)
    events.yield(.commit)
    events.finish()
  }

  private func taken(_ count: Int) {
    if backlog.taken(count) { release() }
  }
}
