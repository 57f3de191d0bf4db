// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetSemantics
import BluebonnetTransport

/// A request's body that a task produces, a piece ahead of the wire at most.
///
///     idle ──asked for──▶ producing ──▶ ended | failed
///      ▲                      │
///      └──────begun anew──────┘
final class PieceSource: BodySource {
  private enum Phase {
    case idle
    case producing
    case ended
    case failed(String, cause: (any Error)?)
  }

  private struct State {
    var phase = Phase.idle
    /// The number of times that the body has begun: pieces of earlier attempts are dropped.
    var attempt = 0
    /// Not empty, and not sent whole.
    var piece: ArraySlice<UInt8>?
    /// The transport waits for a piece.
    var isAwaited = false
    var signal: (@Sendable () -> Void)?
    /// The producer, where it waits for room.
    var producer: CheckedContinuation<Void, Never>?
    var task: Task<Void, Never>?
  }

  private enum Step {
    case start(attempt: Int)
    case lend(ArraySlice<UInt8>, attempt: Int)
    case answer(BodyReading)
  }

  private let pieces: PieceSequence
  private let state = Locked(State())

  init(_ pieces: PieceSequence) { self.pieces = pieces }

  /// A body that is said to have no bytes is asked all the same, in chunks: it may have some.
  var length: Int? { pieces.length == 0 ? nil : pieces.length }

  var replayObstacle: String? {
    pieces.isReplayable ? nil : "it is a stream that can be read once (isReplayable is false)"
  }

  var canRewind: Bool {
    if pieces.isReplayable { return true }
    return state.withLock { if case .idle = $0.phase { true } else { false } }
  }

  // MARK: The loop's side

  func attach(signal: @escaping @Sendable () -> Void) {
    state.withLock { $0.signal = signal }
  }

  func detach() { stop(forgettingPhase: false) }

  func rewind() -> Bool {
    guard canRewind else { return false }
    stop(forgettingPhase: true)
    return true
  }

  func lend(to use: (UnsafeRawBufferPointer) -> Int) -> BodyReading {
    let step = state.withLock { state -> Step in
      if let piece = state.piece { return .lend(piece, attempt: state.attempt) }
      switch state.phase {
      case .idle:
        (state.phase, state.isAwaited) = (.producing, true)
        return .start(attempt: state.attempt)
      case .producing:
        state.isAwaited = true
        return .answer(.later)
      case .ended: return .answer(.end)
      case .failed(let reason, let cause): return .answer(.failed(reason, cause: cause))
      }
    }
    switch step {
    case .answer(let reading): return reading
    case .start(let attempt):
      start(attempt)
      return .later
    case .lend(let piece, let attempt):
      let count = piece.withUnsafeBytes(use)
      take(count, in: attempt)?.resume()
      return .lent
    }
  }

  /// So many bytes of the piece are sent.
  ///
  /// - Returns: The producer waiting for room, if there is some now.
  private func take(_ count: Int, in attempt: Int) -> CheckedContinuation<Void, Never>? {
    state.withLock { state in
      guard state.attempt == attempt, let piece = state.piece else { return nil }
      // A slice shares its array's memory: the rest stays where it was.
      state.piece = count < piece.count ? piece.dropFirst(count) : nil
      return state.piece == nil ? state.producer.take() : nil
    }
  }

  // MARK: The producer's side

  /// Waits for room, and leaves the piece.
  func put(_ piece: ArraySlice<UInt8>, in attempt: Int) async throws(CancellationError) {
    guard !piece.isEmpty else { return }
    await room(in: attempt)
    let (isWanted, signal) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      guard state.attempt == attempt, case .producing = state.phase else { return (false, nil) }
      state.piece = piece
      defer { state.isAwaited = false }
      return (true, state.isAwaited ? state.signal : nil)
    }
    guard isWanted else { throw CancellationError() }
    signal?()
  }

  func put(_ piece: [UInt8], in attempt: Int) async throws(CancellationError) {
    try await put(piece[...], in: attempt)
  }

  private func room(in attempt: Int) async {
    await withCheckedContinuation { continuation in
      let waits = state.withLock { state in
        guard state.attempt == attempt, state.piece != nil else { return false }
        state.producer = continuation
        return true
      }
      if !waits { continuation.resume() }
    }
  }

  private func start(_ attempt: Int) {
    guard pieces.begin() else {
      return end(attempt, .failed("\(replayObstacle ?? ""), and it has been read", cause: nil))
    }
    // The holder of the loop may be an unrelated task, with local values that are none of this one's.
    let task = Task.detached { await self.produce(attempt) }
    let isOver = state.withLock { state in
      guard state.attempt == attempt else { return true }
      state.task = task
      return false
    }
    if isOver { task.cancel() }
  }

  private func produce(_ attempt: Int) async {
    do {
      var writer = PieceWriter(self, attempt: attempt, length: pieces.length)
      try await pieces.produce(&writer)
      try await writer.finish()
      end(attempt, .ended)
    } catch let error as DeclaredLength.Mismatch {
      end(attempt, .failed("\(error)", cause: nil))
    } catch {
      end(attempt, .failed("its pieces failed: \(error)", cause: error))
    }
  }

  private func end(_ attempt: Int, _ phase: Phase) {
    let signal = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.attempt == attempt, case .producing = state.phase else { return nil }
      state.phase = phase
      defer { state.isAwaited = false }
      return state.isAwaited ? state.signal : nil
    }
    signal?()
  }

  /// Tells the producer that the body is no longer wanted.
  private func stop(forgettingPhase: Bool) {
    let (producer, task) = state.withLock { state in
      state.attempt += 1
      if forgettingPhase { state.phase = .idle }
      (state.piece, state.signal, state.isAwaited) = (nil, nil, false)
      return (state.producer.take(), state.task.take())
    }
    task?.cancel()
    producer?.resume()
  }
}
