import BluebonnetFoundation

extension URLSessionTask {
  /// The priority of a task that nobody changed: 0.5.
  public static let defaultPriority: Float = 0.5
  /// A priority below the default: 0.25.
  public static let lowPriority: Float = 0.25
  /// A priority above the default: 0.75.
  public static let highPriority: Float = 0.75

  /// The request that was last sent: after redirects another than the original one.
  public var currentRequest: URLRequest? { members.withLock { $0.currentRequest } }

  /// The response, as soon as its head has arrived.
  public var response: URLResponse? { members.withLock { $0.response } }

  /// Where the task is in its life.
  public var state: State { members.withLock { $0.state } }

  /// Why the task failed, usually a `URLError`; `nil` while it goes on and if it succeeded.
  public var error: (any Error)? { members.withLock { $0.error } }

  /// A wish about the order of loads, from 0 to 1; 0.5 by default. Works: of the tasks that wait for a connection the one
  /// with the highest is served first.
  public var priority: Float {
    get { members.withLock { $0.priority } }
    set { members.withLock { $0.priority = newValue } }
  }

  /// A name for debugging; `nil` by default. Has no effect.
  public var taskDescription: String? {
    get { members.withLock { $0.description } }
    set { members.withLock { $0.description = newValue } }
  }

  /// A delegate for this task alone, asked before the session's; what it does not implement is asked of that one. Works.
  ///
  /// It is called on the session's `delegateQueue`.
  public var delegate: (any URLSessionTaskDelegate)? {
    get { members.withLock { $0.delegate } }
    set {
      // The old one goes when the lock is free: it may ask the task.
      var delegate = newValue
      members.withLock { swap(&$0.delegate, &delegate) }
      hasDelegate.store(true, ordering: .releasing)
    }
  }

  /// The load does not start before this date; nil for at once. Works, in every session: set it before the first
  /// `resume()`.
  public var earliestBeginDate: Date? {
    get { members.withLock { $0.earliestBeginDate } }
    set { members.withLock { $0.earliestBeginDate = newValue } }
  }

  /// Whether data is delivered as it arrives; true by default. Works: if false, the body is gathered in memory and
  /// delivered as one. Set it before the first `resume()`.
  public var prefersIncrementalDelivery: Bool {
    get { !isGathered.load(ordering: .acquiring) }
    set { isGathered.store(!newValue, ordering: .releasing) }
  }
}
