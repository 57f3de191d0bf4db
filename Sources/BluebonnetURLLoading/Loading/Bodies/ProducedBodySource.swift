// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetSemantics
import BluebonnetTransport

/// A request body that a Swift task produces, a piece ahead of the wire at most.
final class ProducedBodySource: BodySource, ProducedBodyRoom {
  private struct State {
    var pipe: BodyPipe
    var signal: (@Sendable () -> Void)?
    /// The producer, where it waits for room.
    var producer: CheckedContinuation<Void, Never>?
    var task: Task<Void, Never>?
  }

  /// Large enough that a gigabyte needs few wake-ups, small enough that a piece is still in a core's cache when it is
  /// sent.
  private static let pieceSize = 256 * 1024

  let body: StreamedBody
  let coding: BodyCoding?
  private let state: Locked<State>

  init(_ body: StreamedBody, coding: BodyCoding? = nil) {
    self.body = body
    self.coding = coding
    let most = body.length.map { Int(clamping: $0) } ?? Self.pieceSize
    state = Locked(State(pipe: BodyPipe(capacity: min(max(most, 1), Self.pieceSize))))
  }

  /// A body that is said to have no bytes is asked all the same, in chunks: it may have some.
  var length: Int? {
    guard coding == nil, let length = body.length, length > 0 else { return nil }
    return Int(clamping: length)
  }
  var replayObstacle: String? { body.replayObstacle }
  /// Another task may have read it.
  var canRewind: Bool { body.isReplayable || !body.isSpent && !state.withLock { $0.pipe.wasAsked } }

  func attach(signal: @escaping @Sendable () -> Void) {
    state.withLock { $0.signal = signal }
  }

  func detach() { stop() }

  func rewind() -> Bool {
    guard canRewind else { return false }
    stop()
    return true
  }

  func lend(to use: (UnsafeRawBufferPointer) -> Int) -> BodyReading {
    let (next, attempt) = state.withLock { ($0.pipe.next(), $0.pipe.attempt) }
    switch next {
    case .none(let reading): return reading
    case .start:
      start(attempt)
      return .later
    case .lend(let piece, let offset, let makesRoom):
      if makesRoom { wakeProducer() }
      let count = use(piece.bytes(from: offset))
      state.withLock { $0.pipe.took(count) }
      return .lent
    }
  }

  // MARK: The producer's side

  func append(_ bytes: UnsafeRawBufferPointer, in attempt: Int) -> Int? {
    // Read only while the call lasts, and on this thread.
    nonisolated(unsafe) let bytes = bytes
    let (appended, signal) = state.withLock { state in
      let appended = state.pipe.append(bytes, in: attempt)
      return (appended, appended.wakes ? state.signal : nil)
    }
    signal?()
    return appended.isOver ? nil : appended.count
  }

  func wait(in attempt: Int) async {
    await withCheckedContinuation { continuation in
      let waits = state.withLock { state in
        if state.pipe.hasRoom(in: attempt) { return false }
        state.producer = continuation
        return true
      }
      if !waits { continuation.resume() }
    }
  }

  private func start(_ attempt: Int) {
    guard body.begin() else {
      return end(attempt, failure: ("\(body.replayObstacle ?? ""), and another task reads it", nil))
    }
    let task = Task { await produce(attempt) }
    let isOver = state.withLock { state in
      guard state.pipe.attempt == attempt else { return true }
      state.task = task
      return false
    }
    if isOver { task.cancel() }
  }

  private func produce(_ attempt: Int) async {
    do {
      var writer = BodyWriter(
        into: self, attempt: attempt, length: body.length, encoder: try coding.map { try $0.encoder() })
      try await body.produce(&writer)
      try await writer.finish()
      end(attempt, failure: nil)
    } catch let error as DeclaredLength.Mismatch {
      end(attempt, failure: (error.description, nil))
    } catch let error as BodyWriter.Spent {
      end(attempt, failure: (error.description, nil))
    } catch {
      end(attempt, failure: ("its producer failed: \(error)", error))
    }
  }

  private func end(_ attempt: Int, failure: (text: String, cause: (any Error)?)?) {
    let signal = state.withLock { state in
      state.pipe.end(in: attempt, failure: failure) ? state.signal : nil
    }
    signal?()
  }

  private func wakeProducer() {
    state.withLock { $0.producer.take() }?.resume()
  }

  /// Tells the producer that the body is no longer wanted.
  private func stop() {
    let (producer, task) = state.withLock { state in
      state.pipe.beginAnew()
      state.signal = nil
      return (state.producer.take(), state.task.take())
    }
    task?.cancel()
    producer?.resume()
  }
}
