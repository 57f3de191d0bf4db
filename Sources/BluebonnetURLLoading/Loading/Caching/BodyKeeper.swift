import BluebonnetEventLoop
import BluebonnetFoundation

/// Writes a body that is too large for the memory to a store while it comes.
///
///     pieces ─▶ queue ─▶ a task that writes one after the other ─▶ abandon
///                           └──▶ commit, when it is the turn of this change of the store
///
// Unchecked: touched only while the loop is held, but for constants.
final class BodyKeeper: @unchecked Sendable {
  private enum Event: Sendable {
    case piece(Data)
    /// It is complete.
    case whole
  }

  private let loop: EventLoop
  private let events: AsyncStream<Event>.Continuation
  private var backlog = Backlog()
  private let response: StoredResponse
  private let storage: ResponseStorage
  private let askedFor: Double
  /// Ends with a writer that has taken all of a body that is wanted.
  private var writing: Task<(any StoredResponseWriter)?, Never>?
  /// The store does not take it.
  private var hasFailed = false
  /// The body may flow again.
  private let release: @Sendable () -> Void
  private let gaveUp: @Sendable () -> Void

  /// - Parameters:
  ///   - askedFor: When the request was sent, in seconds since 1970.
  ///   - gaveUp: Called in loop context if the store does not take the body.
  ///   - release: Called in loop context after `append` has said that there is too much in hand.
  init(
    _ response: StoredResponse, in storage: ResponseStorage, askedFor: Double, loop: EventLoop,
    gaveUp: @escaping @Sendable () -> Void, release: @escaping @Sendable () -> Void
  ) {
    self.loop = loop
    self.response = response
    self.storage = storage
    self.askedFor = askedFor
    self.release = release
    self.gaveUp = gaveUp
    let (stream, events) = AsyncStream.makeStream(of: Event.self)
    self.events = events
    // Whoever waits for the commit may occupy the threads of tasks.
    writing = Task(executorPreference: WaitingExecutor.shared) { [weak self] in
      var writer: (any StoredResponseWriter)?
      // It is not kept if this fails, and the load goes on.
      let failed: @Sendable (any Error) -> Void = { [weak self] error in
        storage.failed(response.key, error)
        loop.execute { [weak self] in self?.fail() }
      }
      do { writer = try await storage.store?.write(response) } catch { failed(error) }
      for await event in stream {
        switch event {
        case .piece(let data):
          do {
            try await writer?.append(data)
          } catch {
            await writer?.abandon()
            writer = nil
            failed(error)
          }
          loop.execute { [self] in self?.taken(data.count) }
        case .whole: return writer
        }
      }
      await writer?.abandon()
      return nil
    }
  }

  deinit { events.finish() }

  /// - Returns: Whether the body is to be held back.
  func append(_ piece: Data) -> Bool {
    if hasFailed { return false }
    backlog.handed(piece.count)
    events.yield(.piece(piece))
    return backlog.isFull
  }

  /// The body is complete. Without this it is given up.
  ///
  /// - Returns: After what it can be found, if it is kept at all.
  func commit() -> Task<Void, Never>? {
    // Nobody is to be shown what was there before, which would be found first.
    storage.memory.remove(response)
    events.yield(.whole)
    events.finish()
    // What is still to be written is no more than a load may have in hand.
    return storage.change { [response, storage, askedFor, writing] _ in
      guard let writer = await writing?.value else { return }
      if storage.hasChanged(response.key, since: askedFor) { return await writer.abandon() }
      await storage.trying(response.key) { try await writer.commit() }
    }
  }

  /// The body is not kept, and nor is what it would have taken the place of.
  func displace() { storage.displace(response) }

  private func taken(_ count: Int) {
    if backlog.taken(count) { release() }
  }

  private func fail() {
    hasFailed = true
    gaveUp()
  }
}
