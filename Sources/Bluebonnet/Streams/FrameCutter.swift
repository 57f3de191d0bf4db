// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetURLLoading

/// One consumer's framing, begun anew with each attempt.
final class FrameCutter<Framing: DataStreamFraming>: Sendable {
  typealias Frames = [Result<Framing.Frame, AFError>]

  private struct State {
    /// Nil while it is in use.
    var framing: Framing?
    var task: ObjectIdentifier?
  }

  private let prototype: Framing
  private let state: Locked<State>

  init(_ prototype: Framing) {
    self.prototype = prototype
    state = Locked(State(framing: prototype))
  }

  /// Reads a piece. Framings may run code of the user's, so no lock is held meanwhile.
  ///
  /// - Returns: The frames, and why there are no more.
  func append(_ data: Data, of task: URLSessionTask) -> (frames: Frames, failure: AFError?) {
    var framing = state.withLock { state in
      let isNew = state.task != ObjectIdentifier(task)
      state.task = ObjectIdentifier(task)
      return isNew ? prototype : state.framing.take() ?? prototype
    }
    var frames = Frames()
    var failure: AFError?
    do throws(AFError) {
      try framing.append(data) { frames.append($0) }
    } catch {
      failure = error
    }
    state.withLock { $0.framing = framing }
    return (frames, failure)
  }

  /// The body has come to its end. Where nothing of it had come, what an earlier attempt has left is none of it.
  func finish(of task: URLSessionTask?) -> Frames {
    var framing =
      state.withLock { state in
        state.task == task.map(ObjectIdentifier.init) ? state.framing.take() : nil
      } ?? prototype
    var frames = Frames()
    framing.finish { frames.append($0) }
    return frames
  }
}
