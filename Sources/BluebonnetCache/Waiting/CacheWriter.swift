// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation

/// Takes a body that is too large for the memory to a store.
///
///     pieces ─▶ collected ──────────────────────────────────▶ written, when it is its turn
///                   │ too much to collect
///                   ├─▶ queue ─▶ a task that writes one after the other ─▶ abandon
///                   │               └──▶ commit, when it is its turn
///                   │ too many are written like that
///                   └─▶ not stored
///
/// ``WriteBacklog`` has the limits.
///
// Unchecked: touched only while the loop is held, but for constants.
package final class CacheWriter: @unchecked Sendable {
  private enum Event: Sendable {
    case piece(Data)
    /// It is complete.
    case whole
  }

  private enum State {
    case collecting(Data, WriteShare)
    case writing(Writing)
    /// It is not stored.
    case refused
  }

  private struct Writing {
    let events: AsyncStream<Event>.Continuation
    /// Ends with a writer that has taken all of a body that is wanted.
    let task: Task<(any StoredResponseWriter)?, Never>
    let share: WriteShare
  }

  private let loop: EventLoop
  private var state: State
  private var backlog = Backlog()
  private let response: StoredResponse
  private let storage: ResponseStorage
  private let askedFor: Double
  /// The body may flow again.
  private let release: @Sendable () -> Void
  private let gaveUp: @Sendable () -> Void

  /// - Parameters:
  ///   - askedFor: When the request was sent, by ``ResourceChanges/now``.
  ///   - gaveUp: Called in loop context if the body is not stored.
  ///   - release: Called in loop context after `append` has said that there is too much in hand.
  package init(
    _ response: StoredResponse, in storage: ResponseStorage, askedFor: Double, loop: EventLoop,
    gaveUp: @escaping @Sendable () -> Void, release: @escaping @Sendable () -> Void
  ) {
    self.loop = loop
    self.response = response
    self.storage = storage
    self.askedFor = askedFor
    self.release = release
    self.gaveUp = gaveUp
    state = .collecting(Data(), storage.budget.collect())
  }

  deinit {
    if case .writing(let writing) = state { writing.events.finish() }
  }

  /// - Returns: Whether the body is to be held back.
  package func append(_ piece: Data) -> Bool {
    switch state {
    case .collecting(var data, let share):
      // Appended to in place.
      state = .refused
      if share.collect(piece.count) {
        data.append(piece)
        state = .collecting(data, share)
        return false
      }
      guard let stream = storage.budget.stream() else {
        gaveUp()
        return false
      }
      let writing = begin(stream)
      state = .writing(writing)
      hand(data, to: writing)
      hand(piece, to: writing)
    case .writing(let writing): hand(piece, to: writing)
    case .refused: return false
    }
    return backlog.isFull
  }

  /// The body is complete. Without this it is given up.
  ///
  /// - Returns: After what it can be found; nil if it is not kept.
  package func commit() -> Task<Void, Never>? {
    switch state {
    case .collecting(let data, let share):
      state = .refused
      share.giveBack()
      return storage.keepInStore(response, data, askedFor: askedFor)
    case .writing(let writing):
      writing.events.yield(.whole)
      writing.events.finish()
      // A delegate may keep its handler, and with it this object: what it has taken is not kept along.
      state = .refused
      // The rest to be written is no more than the backlog of one load.
      return storage.commit(response, askedFor: askedFor, writing.share) { [task = writing.task] in
        await task.value
      }
    case .refused:
      displace()
      return nil
    }
  }

  /// The body is not kept, and nor is what it would have taken the place of.
  package func displace() {
    storage.displace(response)
    giveUp()
  }

  /// The body is not kept: its file and its share of the limits are given back.
  package func giveUp() {
    switch state {
    case .collecting(_, let share): share.giveBack()
    case .writing(let writing): writing.events.finish()
    case .refused: break
    }
    state = .refused
  }

  private func hand(_ piece: Data, to writing: Writing) {
    if piece.isEmpty { return }
    backlog.handed(piece.count)
    writing.events.yield(.piece(piece))
  }

  private func begin(_ share: WriteShare) -> Writing {
    let (stream, events) = AsyncStream.makeStream(of: Event.self)
    let (response, storage, loop) = (response, storage, loop)
    // Callers that wait for the commit may occupy the threads of tasks.
    let task = Task(executorPreference: WaitingExecutor.shared) { [weak self] in
      // Until the last file has been closed.
      defer { withExtendedLifetime(share) {} }
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
    return Writing(events: events, task: task, share: share)
  }

  private func taken(_ count: Int) {
    if backlog.taken(count) { release() }
  }

  private func fail() {
    if case .writing(let writing) = state { writing.events.finish() }
    state = .refused
    gaveUp()
  }
}
