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
  /// The body may flow again.
  private let release: @Sendable () -> Void

  /// - Parameter release: Called in loop context after `append` has said that there is too much in hand.
  init(
    _ response: StoredResponse, in storage: ResponseStorage, _ store: any ResponseStore, loop: EventLoop,
    release: @escaping @Sendable () -> Void
  ) {
    self.loop = loop
    self.release = release
    let (stream, events) = AsyncStream.makeStream(of: Event.self)
    self.events = events
    Task { [weak self] in
      var writer: (any StoredResponseWriter)?
      // What fails ends the keeping; the load goes on.
      func attempt(_ step: () async throws -> Void) async {
        do {
          try await step()
        } catch {
          await writer?.abandon()
          writer = nil
          await storage.couldNotKeep(response.key, error)
        }
      }
      await attempt { writer = try await store.write(response) }
      for await event in stream {
        switch event {
        case .piece(let data):
          await attempt { try await writer?.append(data) }
          loop.execute { [self] in self?.taken(data.count) }
        case .commit:
          await attempt {
            try await writer?.commit()
            writer = nil
          }
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
    events.yield(.commit)
    events.finish()
  }

  private func taken(_ count: Int) {
    if backlog.taken(count) { release() }
  }
}
