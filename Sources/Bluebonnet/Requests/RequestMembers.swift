// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Everything about a request that changes, behind one lock.
///
/// Closures, errors and other objects of the user's are let go of when the lock is free: their end may ask the request. So
/// their replacements are swapped in, and the old ones are handed out.
struct RequestMembers {
  var life = RequestLifecycle()
  var id: UUID?
  var eventMonitor: CompositeEventMonitor?
  var upload = ProgressMeter()
  var download = ProgressMeter()
  /// Comparing the interceptor with nil would copy it.
  private(set) var hasInterceptor = false
  /// Members that few requests have; nil until one of them is set.
  private(set) var rareState: RareState?
  var requests = SmallArray<URLRequest>()
  var tasks = SmallArray<URLSessionTask>()
  var metrics = SmallArray<URLSessionTaskMetrics>()
  var retryCount = 0
  /// Why the request fails. Boxed: an optional error is dear to copy, even where there is none.
  var failure: RequestOutcome.Failure?
  var validators: [Validator] = []
  var handlers = SmallArray<ResponseJob>()
  /// One for each queue with a progress handler.
  var gates: [ProgressBarrier] = []
  /// The session is gone: what becomes of the task does not matter any more.
  var isDisowned = false
  /// Called when the handlers have returned.
  var isDelivered = false
  /// The body so far, of requests that collect one.
  var data: Data?

  /// Members that few requests have, to be changed.
  var ownRareState: RareState {
    mutating get {
      if let rareState { return rareState }
      let made = RareState()
      rareState = made
      return made
    }
  }

  mutating func set(_ interceptor: any RequestInterceptor) {
    ownRareState.interceptor = interceptor
    hasInterceptor = true
  }

  /// The listeners for changes. Told while the state is locked, so that none hears of a later change first:
  /// telling takes no longer than an entry into a queue.
  func observer(in context: SessionContext) -> CompositeEventMonitor? { eventMonitor ?? context.observer }

  /// - Returns: The one before.
  mutating func setHandler(
    of meter: WritableKeyPath<RequestMembers, ProgressMeter>, _ perform: @escaping Request.ProgressHandler,
    queue: DispatchQueue
  ) -> Request.ProgressHandler? {
    let gate = gate(of: queue)
    return self[keyPath: meter].setHandler(perform, gate: gate)
  }

  private mutating func gate(of queue: DispatchQueue) -> ProgressBarrier {
    if let known = gates.first(where: { $0.isOf(queue) }) { return known }
    let gate = ProgressBarrier(queue: queue)
    gates.append(gate)
    return gate
  }
}

extension RequestMembers {
  /// An object, so that requests without it have nothing of it to copy and to let go of.
  final class RareState {
    var interceptor: (any RequestInterceptor)?
    var redirectHandler: (any RedirectHandler)?
    var cachedResponseHandler: (any CachedResponseHandler)?
    var credential: URLCredential?
    var credentialScope = CredentialScope.namedOrigin
    var deadline: DeadlineTimer?
    var priority: Float?
    var pendingRetry: PendingRetry?
    var hooks = Hooks()
  }

  /// Closures that few requests have.
  struct Hooks {
    typealias Hook<Shown> = (queue: DispatchQueue, perform: @Sendable (Shown) -> Void)
    typealias CURLHook = (queue: DispatchQueue, perform: @Sendable (String) -> Void, isLasting: Bool)

    var curl: CURLHook?
    var urlRequest: Hook<URLRequest>?
    var task: Hook<URLSessionTask>?
    var response: Request.ResponseHook?
    var interim: Hook<HTTPURLResponse>?
    var proxy: Hook<HTTPURLResponse>?
    var finish: [@Sendable () -> Void] = []
    /// For callers that wait until the handlers have returned.
    var delivery: [@Sendable () -> Void] = []

    /// One that is called once has been called.
    mutating func dropSpentCurl() {
      if curl?.isLasting == false { curl = nil }
    }
  }
}
