// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks

// Unchecked: constants, and mutable state under a mutex.
/// Loads with common settings and one delegate.
///
/// A session keeps its delegate until it is invalidated, and says so with `urlSession(_:didBecomeInvalidWithError:)`.
open class URLSession: @unchecked Sendable, Hashable {
  struct State {
    var delegate: (any URLSessionDelegate)? {
      // Cast once: a dynamic cast for each new task would cost more than the task.
      didSet { taskDelegate = delegate as? any URLSessionTaskDelegate }
    }
    private(set) var taskDelegate: (any URLSessionTaskDelegate)?
    var engine: (any TaskEngine)?
    var lastIdentifier = 0
    var tasks = TaskTable<URLSessionTask>()
    var isInvalidated = false
    var description: String?
    var operations: OperationQueue?

    init(delegate: (any URLSessionDelegate)?, operations: OperationQueue? = nil) {
      self.delegate = delegate
      taskDelegate = delegate as? any URLSessionTaskDelegate
      self.operations = operations
    }
  }

  let state: Locked<State>

  /// The settings, copied when the session was made, readable without a lock.
  package let settings: URLSessionConfiguration.Settings
  private let identifier: String?
  /// The executor on which the delegate is called.
  package let executor: CallbackExecutor
  /// The executor of the user's closures, and of delegates of single tasks: never the loop.
  var userExecutor: CallbackExecutor { executor.isLoop ? .operations(delegateQueue) : executor }

  /// A session with the default configuration and no delegate.
  public static let shared = URLSession(shared: .default)

  /// Tasks tell their listeners at once. Otherwise the session's delegate hears of them, and passes it on.
  package let tellsListeners: Bool

  /// The one session that asks the registered protocol classes, as on Apple's systems.
  let asksRegisteredProtocols: Bool

  /// Makes a session without a delegate.
  ///
  /// - Parameter configuration: Copied: later changes have no effect.
  public convenience init(configuration: URLSessionConfiguration) {
    self.init(configuration: configuration, delegate: nil, delegateQueue: nil)
  }

  /// Makes a session that calls `delegate` on `delegateQueue`, or on a serial queue of its own.
  public init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
    delegateQueue queue: OperationQueue?
  ) {
    let operations = queue ?? Self.makeDelegateQueue(over: nil)
    settings = configuration.settings
    identifier = configuration.identifier
    asksRegisteredProtocols = false
    tellsListeners = false
    executor = .operations(operations)
    state = Locked(State(delegate: delegate, operations: operations))
    engine = makeEngine()
  }

  private init(shared configuration: URLSessionConfiguration) {
    let operations = Self.makeDelegateQueue(over: nil)
    settings = configuration.settings
    identifier = nil
    asksRegisteredProtocols = true
    tellsListeners = false
    executor = .operations(operations)
    state = Locked(State(delegate: nil, operations: operations))
    engine = makeEngine()
  }

  /// Makes a session for tasks with listeners; `delegate`, called on an executor, hears of the others.
  package init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, executor: CallbackExecutor
  ) {
    tellsListeners = true
    settings = configuration.settings
    identifier = configuration.identifier
    asksRegisteredProtocols = false
    self.executor = executor
    var operations: OperationQueue?
    if case .operations(let queue, _) = executor.kind { operations = queue }
    state = Locked(State(delegate: delegate, operations: operations))
    engine = makeEngine()
  }

  /// A copy of the configuration that the session was made with.
  open var configuration: URLSessionConfiguration {
    URLSessionConfiguration(settings, identifier: identifier)
  }

  /// The delegate, until the session is invalidated.
  open var delegate: (any URLSessionDelegate)? { state.withLock { $0.delegate } }

  /// The queue on which the delegate and completion handlers are called.
  open var delegateQueue: OperationQueue {
    state.withLock { state in
      if let made = state.operations { return made }
      var underlying: DispatchQueue?
      if case .queue(let queue) = executor.kind { underlying = queue }
      let queue = Self.makeDelegateQueue(over: underlying)
      state.operations = queue
      return queue
    }
  }

  /// A name for debugging; `nil` by default. Has no effect.
  open var sessionDescription: String? {
    get { state.withLock { $0.description } }
    set { state.withLock { $0.description = newValue } }
  }

  /// The engine that drives the tasks.
  package var engine: (any TaskEngine)? {
    get { state.withLock { $0.engine } }
    set {
      var engine = newValue
      state.withLock { swap(&$0.engine, &engine) }
    }
  }

  /// Sessions are equal if they are the same.
  public static func == (left: URLSession, right: URLSession) -> Bool { left === right }

  /// Hashes the identity: two sessions are equal only if they are the same object.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  private static func makeDelegateQueue(over queue: DispatchQueue?) -> OperationQueue {
    let operations = OperationQueue()
    operations.name = "bluebonnet.session.delegate"
    operations.maxConcurrentOperationCount = 1
    if let queue { operations.underlyingQueue = queue }
    return operations
  }
}

extension URLSession {
  /// The decision about a load after its response head. All but `.becomeStream` work; that one is refused, and the task
  /// fails with a ``RefusedSetting``.
  public enum ResponseDisposition: Int, Sendable, Hashable {
    /// The task fails with `URLError.cancelled`.
    case cancel = 0
    /// The task goes on, and its body is delivered in parts.
    case allow = 1
    /// The task goes on as a download, with its body in a file.
    case becomeDownload = 2
    /// Refused: the task fails with a ``RefusedSetting``.
    case becomeStream = 3
  }

  /// The decision about an authentication challenge.
  public enum AuthChallengeDisposition: Int, Sendable, Hashable {
    /// The credential is the answer; without one, the challenge is not answered.
    case useCredential = 0
    /// The answer is what it would be without a delegate: the session's anchors, or its credential storage.
    case performDefaultHandling = 1
    /// The task fails: with `URLError.userCancelledAuthentication`, or with `.cancelled` if a server's trust was asked
    /// about.
    case cancelAuthenticationChallenge = 2
    /// The challenge is not answered: the 401 is the response. A server's trust is refused: the task fails with
    /// `URLError.cancelled`.
    case rejectProtectionSpace = 3
  }

  /// The decision about a load that was put off.
  public enum DelayedRequestDisposition: Int, Sendable, Hashable {
    /// The request is sent as it is.
    case continueLoading = 0
    /// The request that comes with the answer is sent instead.
    case useNewRequest = 1
    /// The task fails with `URLError.cancelled`.
    case cancel = 2
  }
}
