// SPDX-License-Identifier: MIT
#if !Foundation
  import Dispatch
  import BluebonnetLocks

  // Unchecked: the only stored member is a mutex.
  /// Runs blocks in order, at most so many at a time, on a dispatch queue.
  open class OperationQueue: NSObject, @unchecked Sendable {
    /// As many at a time as the system likes.
    public static let defaultMaxConcurrentOperationCount = -1

    private struct State {
      var waiting: [@Sendable () -> Void] = []
      var running = 0
      var limit = OperationQueue.defaultMaxConcurrentOperationCount
      var isSuspended = false
      var name: String?
      var quality = QualityOfService.default
      var underlying: DispatchQueue?
      var idle: [@Sendable () -> Void] = []
    }

    private let state = Locked(State())

    /// A queue over the main dispatch queue.
    public static let main: OperationQueue = {
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      queue.underlyingQueue = .main
      return queue
    }()

    /// Makes a queue that runs as many blocks at once as the system sees fit.
    public override init() {}

    /// Adds a block, which runs in its turn.
    open func addOperation(_ block: @escaping @Sendable () -> Void) {
      state.withLock { $0.waiting.append(block) }
      startWaiting()
    }

    /// Forgets the blocks that have not started.
    open func cancelAllOperations() {
      // They go when the lock is free: what they keep may ask the queue at its end.
      var forgotten: [@Sendable () -> Void] = []
      state.withLock { swap(&$0.waiting, &forgotten) }
    }

    /// Waits until every block has run.
    open func waitUntilAllOperationsAreFinished() {
      let semaphore = DispatchSemaphore(value: 0)
      let isIdle = state.withLock { state -> Bool in
        if state.running == 0 && state.waiting.isEmpty { return true }
        state.idle.append { semaphore.signal() }
        return false
      }
      if !isIdle { semaphore.wait() }
    }

    /// The number of blocks that wait or run.
    open var operationCount: Int { state.withLock { $0.waiting.count + $0.running } }

    /// The number of blocks that run at a time.
    open var maxConcurrentOperationCount: Int {
      get { state.withLock { $0.limit } }
      set {
        state.withLock { $0.limit = newValue }
        startWaiting()
      }
    }

    /// Whether no further block is started.
    open var isSuspended: Bool {
      get { state.withLock { $0.isSuspended } }
      set {
        state.withLock { $0.isSuspended = newValue }
        startWaiting()
      }
    }

    /// A name for debugging; `nil` by default. Has no effect.
    open var name: String? {
      get { state.withLock { $0.name } }
      set { state.withLock { $0.name = newValue } }
    }

    /// The importance of the blocks.
    open var qualityOfService: QualityOfService {
      get { state.withLock { $0.quality } }
      set { state.withLock { $0.quality = newValue } }
    }

    /// The queue on which the blocks run; `nil` for one of the system's.
    open var underlyingQueue: DispatchQueue? {
      get { state.withLock { $0.underlying } }
      set { state.withLock { $0.underlying = newValue } }
    }

    private func startWaiting() {
      while let (block, queue) = takeNext() {
        queue.async {
          block()
          self.finish()
        }
      }
    }

    private func takeNext() -> (@Sendable () -> Void, DispatchQueue)? {
      state.withLock { state in
        let hasRoom = state.limit < 0 || state.running < state.limit
        guard hasRoom, !state.isSuspended, !state.waiting.isEmpty else { return nil }
        state.running += 1
        return (state.waiting.removeFirst(), state.underlying ?? .global(qos: state.quality.dispatchClass))
      }
    }

    private func finish() {
      let idle = state.withLock { state -> [@Sendable () -> Void] in
        state.running -= 1
        guard state.running == 0 && state.waiting.isEmpty else { return [] }
        defer { state.idle = [] }
        return state.idle
      }
      for wake in idle { wake() }
      startWaiting()
    }
  }
#endif
