// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetURLLoading
import Synchronization

// @unchecked: not final, but every stored property is immutable or inside `protected`.
/// The common base of all kinds of requests: a life that starts with `resume()` and ends when every
/// response handler has been served. Made by a `Session`.
///
/// Nothing happens before `resume()`. The first response handler calls it unless it is told not to.
public class Request: @unchecked Sendable {
  /// A closure that is told of progress: called on the queue that it was passed with, when bytes of the body have
  /// moved. Several moves may be told of in one call, the last one always is.
  public typealias ProgressHandler = @Sendable (_ progress: Progress) -> Void

  /// Whether to go on after the head of a response.
  public enum ResponseDisposition: Sendable {
    /// The body is read.
    case allow
    /// The body is not read, and the request is cancelled.
    case cancel
  }

  /// Whether the first response handler starts the request; `nil` leaves that to the session.
  public let shouldAutomaticallyResume: Bool?
  /// The session that made the request, while it exists.
  public var delegate: (any RequestDelegate)? { session }
  /// The session that made the request, while it exists.
  weak let session: Session?
  /// The session starts requests by itself: known without reading the weak reference.
  let isStartedBySession: Bool

  let context: SessionContext
  let protected = Locked(RequestMembers())

  typealias Failure = RequestOutcome.Failure

  private let hasOwnMonitor = Atomic(false)
  /// Whether the heads of responses are asked for.
  private let hasResponseHook = Atomic(false)

  init(source: consuming Source, session: Session, shouldAutomaticallyResume: Bool?) {
    setsUpWithoutUserCode = source.runsOnlyLibraryCode
    self.source = source
    context = session.context
    self.shouldAutomaticallyResume = shouldAutomaticallyResume
    self.session = session
    isStartedBySession = session.startRequestsImmediately
  }

  /// Before the request is shared.
  final func take(_ interceptor: any RequestInterceptor) {
    protected.withLock { $0.set(interceptor) }
  }

  // MARK: For subclasses

  /// The source of an attempt's `URLRequest`. Not copyable, so that it is asked in place.
  enum Source: ~Copyable {
    case convertible(any URLRequestConvertible)
    /// There is none: the task goes on with what an earlier one left.
    case resumeData(Data)

    /// Of requests that are always made of one.
    var convertible: any URLRequestConvertible {
      switch self {
      case .convertible(let convertible): return convertible
      case .resumeData: preconditionFailure("only downloads are made of resume data")
      }
    }

    var runsOnlyLibraryCode: Bool {
      switch self {
      case .convertible(let convertible): convertible.runsOnlyLibraryCode
      case .resumeData: true
      }
    }
  }

  let source: Source

  /// Makes the task of one attempt.
  func task(for request: URLRequest, using session: URLSession) -> URLSessionTask {
    session.dataTask(with: request, for: self)
  }

  /// Whether `prepareForTask` has anything to do.
  var preparesForTask: Bool { false }

  /// Prepares what the task needs beside its `URLRequest`. False when that failed and has been reported.
  func prepareForTask() -> Bool { true }

  /// Whether making this request's `URLRequest` and task runs no code but the library's.
  let setsUpWithoutUserCode: Bool

  /// The stream that is the request's body, once; nil for any other body.
  func inputStream() -> InputStream? { nil }

  /// Whether `inputStream()` runs no code but the library's.
  var hasPlainStream: Bool { true }

  /// Whether the response's body is collected in memory.
  var collectsBody: Bool { false }

  /// A part of the response's body.
  func didReceive(data: Data, of task: URLSessionTask, length: Int64) {}

  /// The bytes of the response's body in a file.
  func updateDownloadProgress(written: Int64, expected: Int64) {}

  /// The response's body is complete in a file that does not live longer than this call. May run the user's code.
  func takeFile(at location: URL, of task: URLSessionTask, using fileManager: FileManager) {}

  /// Another error takes the place of the one that an attempt has failed with.
  func willForget(_ error: AFError) {}

  /// Forgets what an attempt left behind beside the common state, before the next one. The request may be stopped meanwhile.
  ///
  /// - Parameter error: The reason for another attempt.
  func reset(after error: AFError?) {}

  /// The attempt has failed for good or before another one: what it left in files is of no use. Then goes on.
  func discardOutput(then go: @escaping @Sendable () -> Void) { go() }

  /// Called after all completions have been dispatched; the session has forgotten the request before.
  func cleanup() {}

  /// Ends a task because the time for the whole request is up.
  func stopAtDeadline(_ task: URLSessionTask) { task.cancel() }

  /// Whether `cleanup()` has anything to do; it may block then.
  var needsCleanup: Bool { false }

  /// The input of the library's own validators beside the head, of requests with their body at hand without a lock or a look
  /// at a file; nil for others.
  func quickValidationSubject(_ data: Data?) -> Validator.Subject? { nil }

  /// The input of a custom validator beside the request and the head.
  ///
  /// - Parameter data: The body, of requests that collect one.
  func validationSubject(_ data: Data?) -> Validator.Subject { .none }

  /// Tells the monitors what a validator found.
  func announceValidation(
    of request: URLRequest?, _ response: HTTPURLResponse, _ subject: Validator.Subject,
    _ result: ValidationResult
  ) {}

  /// The handler that decides about the heads of responses, if there is one.
  final var responseHook: ResponseHook? {
    get {
      hasResponseHook.load(ordering: .acquiring) ? protected.withLock { $0.rareState?.hooks.response } : nil
    }
    set {
      var hook = newValue
      protected.withLock { swap(&$0.ownRareState.hooks.response, &hook) }
      hasResponseHook.store(newValue != nil, ordering: .releasing)
    }
  }

  // MARK: Monitoring

  /// The monitors of this request; `nil` when there can be none.
  final var observer: CompositeEventMonitor? {
    guard hasOwnMonitor.load(ordering: .acquiring) else { return context.observer }
    return protected.withLock { $0.eventMonitor }
  }

  /// Adds a monitor behind the session's own and those added before.
  ///
  /// - Parameter monitor: Told about this request only.
  /// - Returns: The request.
  @discardableResult
  public func eventMonitor(_ monitor: any EventMonitor) -> Self {
    // Asked before the lock is taken: the getter is the caller's, and may ask the request something.
    let queue = monitor.queue
    protected.withLock {
      $0.eventMonitor = ($0.eventMonitor ?? context.monitor).appending(monitor, on: queue)
    }
    hasOwnMonitor.store(true, ordering: .releasing)
    return self
  }

  /// All monitors that are told about this request: the session's, and those that were added to the request.
  public var eventMonitor: (any EventMonitor)? {
    protected.withLock { $0.eventMonitor } ?? context.monitor
  }
}

extension Request: Cancellable {}

extension Request: Equatable, Hashable {
  /// Two requests are equal when they are the same request.
  public static func == (lhs: Request, rhs: Request) -> Bool { lhs === rhs }

  /// Hashes the request's identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

extension Request {
  /// The state of a request, as its owner sees it.
  public enum State: Sendable {
    /// The request was made, and nothing else has happened yet.
    case initialized
    /// Running, or about to run as soon as there is a task.
    case resumed
    /// The request does nothing until it is resumed.
    case suspended
    /// Cancelled by its owner or by the library. There is no way back.
    case cancelled
    /// Everything is over and all handlers have been served. There is no way back.
    case finished

    /// The one table of legal transitions. Staying where one is counts as illegal, so that a repeated
    /// call has no second effect.
    func canTransitionTo(_ state: State) -> Bool {
      switch (self, state) {
      case (_, .initialized), (.cancelled, _), (.finished, _): false
      case (.initialized, _): true
      case (.resumed, .suspended), (.suspended, .resumed): true
      case (.resumed, .cancelled), (.suspended, .cancelled): true
      case (.resumed, .finished), (.suspended, .finished): true
      case (.resumed, .resumed), (.suspended, .suspended): false
      }
    }
  }

  /// Says how urgent the request is, beside others of its session that wait for their turn
  /// (`URLSessionConfiguration.requestLimit`) or for a connection: the highest goes first, and among equals the first one.
  /// A later call says otherwise, also while the request waits.
  ///
  /// It is the `URLSessionTask.priority` of the request's tasks, those of retries included.
  ///
  /// - Parameter priority: From 0 to 1; 0.5 for requests that say nothing. `URLSessionTask` names three of them.
  /// - Returns: The request.
  @discardableResult
  public func priority(_ priority: Float) -> Self {
    let task = protected.withLock { state in
      state.ownRareState.priority = priority
      return state.tasks.last
    }
    task?.priority = priority
    return self
  }
}
