// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetLocks

/// Follows a path: tells it as it is, and then each time it has become another one, until it is stopped.
///
/// The loop hears of changes; the kernel is asked on a queue, because it may take its time.
final class PathWatch: Sendable {
  typealias OnPath = @Sendable (NetworkPath) -> Void

  private struct State: ~Copyable {
    var inquiry: NetworkInquiry
    var watch: NetworkWatch?
    var path: NetworkPath?
    var isStopped = false
  }

  private let question: PathQuestion
  private let queue: DispatchQueue
  private let onPath: OnPath
  private let state: Locked<State>

  /// Follows from now on.
  ///
  /// - Parameters:
  ///   - queue:  Where the kernel is asked and `onPath` is called; serial.
  ///   - onPath: Called with the path as it is, soon, and then with each that is not equal to the one before.
  init(_ question: PathQuestion, queue: DispatchQueue, onPath: @escaping OnPath) throws(SystemError) {
    self.question = question
    self.queue = queue
    self.onPath = onPath
    state = Locked(State(inquiry: try NetworkInquiry()))
    let watch = try NetworkWatch(loop: .shared) { [weak self] in self?.lookAgain() }
    state.withLock { $0.watch = watch }
    // Behind the beginning of the watch, so that no change falls in between.
    lookAgain()
  }

  deinit { stop() }

  /// Ends it: `onPath` is not called from here on, but for a call that has begun.
  func stop() {
    let watch = state.withLock { state in
      state.isStopped = true
      return state.watch.take()
    }
    watch?.stop()
  }

  private func lookAgain() {
    queue.async { [weak self] in self?.look() }
  }

  private func look() {
    let path = state.withLock { state -> NetworkPath? in
      guard !state.isStopped else { return nil }
      do throws(SystemError) {
        let path = try question.answer(by: &state.inquiry)
        guard path != state.path else { return nil }
        state.path = path
        return path
      } catch {
        // As it was, for all that is known. The next change is another chance.
        return nil
      }
    }
    if let path { onPath(path) }
  }
}
