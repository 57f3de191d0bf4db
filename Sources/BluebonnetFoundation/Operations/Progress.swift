// SPDX-License-Identifier: MIT
#if !Foundation
  import BluebonnetLocks

  // Unchecked: the only stored member is a mutex.
  /// The progress of a piece of work, in units of any kind. May be used from any thread.
  open class Progress: NSObject, @unchecked Sendable {
    private struct State {
      var total: Int64
      var completed: Int64 = 0
      var isCancelled = false
      var isPaused = false
      var cancellationHandler: (@Sendable () -> Void)?
    }

    private let state: Locked<State>

    /// Makes a progress of so many units; a negative number stands for an unknown one.
    public init(totalUnitCount: Int64) { state = Locked(State(total: totalUnitCount)) }

    /// Makes a progress of no units.
    public override convenience init() { self.init(totalUnitCount: 0) }

    /// A progress that reports to no other.
    open class func discreteProgress(totalUnitCount: Int64) -> Progress {
      Progress(totalUnitCount: totalUnitCount)
    }

    /// The number of units of the work; 0 or less if that is not known.
    open var totalUnitCount: Int64 {
      get { state.withLock { $0.total } }
      set { state.withLock { $0.total = newValue } }
    }

    /// The units that are done.
    open var completedUnitCount: Int64 {
      get { state.withLock { $0.completed } }
      set { state.withLock { $0.completed = newValue } }
    }

    /// The part that is done, from 0 to 1.
    open var fractionCompleted: Double {
      state.withLock { state in
        if state.total > 0 { return Double(state.completed) / Double(state.total) }
        return state.total == 0 && state.completed > 0 ? 1 : 0
      }
    }

    /// Whether all units are done.
    open var isFinished: Bool {
      state.withLock { ($0.total > 0 && $0.completed >= $0.total) || ($0.total == 0 && $0.completed > 0) }
    }

    /// Whether the amount of work is unknown.
    open var isIndeterminate: Bool {
      state.withLock { $0.total < 0 || $0.completed < 0 || ($0.total == 0 && $0.completed == 0) }
    }

    /// Whether it was called off.
    open var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Called when the work is cancelled.
    open var cancellationHandler: (@Sendable () -> Void)? {
      get { state.withLock { $0.cancellationHandler } }
      set {
        // The old one goes when the lock is free: what it keeps may ask the progress at its end.
        var handler = newValue
        state.withLock { swap(&$0.cancellationHandler, &handler) }
      }
    }

    /// Cancels the work: its worker is told by `cancellationHandler`.
    open func cancel() {
      let handler = state.withLock { state in
        state.isCancelled = true
        return state.cancellationHandler
      }
      handler?()
    }
  }
#endif
