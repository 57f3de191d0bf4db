// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetLoading
import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetTransport

/// One task's load, as far as its parts know it: what it consists of, and the steps that parts ask for.
///
///     LoadDriver          has the parts work, and carries out what LoadMachine says
///         │
///         ▼
///     CacheDriver, RequestAuthorization, RedirectDriver, BodyDelivery, …
///         │ steps
///         ▼
///     Load                state, prepared request, listener, holds, questions
///
/// There is one subclass, `LoadDriver`. Parts stand between the two and know nothing of it (but for `ClassDriver`, which stands in a
/// server's place): what is the driver's to do they ask for by the steps that it overrides.
// Unchecked: touched only while the loop is held; `prepared` is set before the load is
// counted, and not read earlier.
class Load: @unchecked Sendable {
  final let engine: SessionEngine
  /// The task's maker, told of the load unless the task has a delegate of its own.
  final let owner: (any TaskListener)?
  /// The moment the load was made, by both clocks.
  final let clock: ClockAnchor
  // Exclusivity goes unchecked at run time, a tenth of a small request: only the holder of the loop gets
  // here, and members changed in place are values that call no other code.
  @exclusivity(unchecked) final var state: LoadState
  /// The request in its wire form, until it is sent. Not a part of `state`, because the first is made on the caller's thread, where
  /// the loop may be told meanwhile that the task is cancelled.
  @exclusivity(unchecked) final var prepared = PreparedRequest()

  init(_ task: URLSessionTask, engine: SessionEngine, owner: (any TaskListener)?) {
    self.engine = engine
    self.owner = owner
    clock = ClockAnchor(
      wall: engine.loop.secondsSince1970, monotonic: engine.loop.instant.nanoseconds)
    state = LoadState(task, redirectLimit: engine.settings.redirectLimit)
  }

  // MARK: Steps that the driver takes

  /// Carries out what the machine says.
  func run(_ action: LoadAction) { assertionFailure("the driver's") }

  /// Takes the next step: the body of an unwanted response is over.
  func perform(_ next: NextStep) { assertionFailure("the driver's") }

  /// Hands a stored response over in the place of a server's.
  func serve(_ content: CachedBody.Content, of response: URLResponse) { assertionFailure("the driver's") }

  /// The one way out: received bytes are handed over, the task completes, its listener hears of the end.
  func end(with error: (any Error)?) { assertionFailure("the driver's") }

  /// No load should wait for one that is suspended, or that reads at a pace of its own.
  func letOthersGo() { assertionFailure("the driver's") }

  /// Whether the load has to do with challenges, or proves itself before there is one.
  var hasAuthorization: Bool { false }

  /// Whether the next request only opens an exchange of several steps: its content waits for the last.
  var withholdsContent: Bool { false }
}

extension Load {
  /// The target of the current request; nil where that is no HTTP address.
  var currentTarget: TargetURI? { state.request.url.flatMap { try? TargetURI.of($0) } }

  // MARK: Stages

  /// The stage has let the request pass.
  func requestPassed() { run(state.machine.requestPassed()) }

  /// The stage has let the response pass.
  func responsePassed() { run(state.machine.responsePassed()) }

  /// Whether credentials for the origin may be known before it asks.
  var mayKnowCredentials: Bool { engine.pool.hasCredentials || state.request.rawOptions != nil }

  /// Whether the prepared request itself goes to a proxy, by the absolute form.
  var goesToProxy: Bool {
    if engine.requestBuilder.asksForProxies, case .proxy? = prepared.exchange?.route.nextHop { return true }
    return false
  }

  /// The head of a final response has come from a server, or from the store in its place.
  func received(_ response: HTTPURLResponse, by stages: ResponseStage.Set) {
    let head = LoadHead(
      status: response.statusCode, fields: response.fields,
      expectsContinue: response.statusCode == 417 && state.source?.expectsContinue == true)
    run(state.machine.received(head, by: stages))
  }

  /// The response becomes the task's.
  func begin(_ response: URLResponse, of length: Int64, isKept: Bool) {
    state.task.setResponse(response, expecting: length)
    expect(length, isCopied: isKept)
  }

  /// A body of this length comes, as far as that is known.
  ///
  /// - Parameter isCopied: Whether it may be stored.
  func expect(_ length: Int64, isCopied: Bool) {
    state.incoming.begin(length: length, isCopied: isCopied)
    if isCopied, engine.storageQueue == nil { state.incoming.copyLimit = engine.settings.copyLimit }
  }

  // MARK: The end

  func finish(_ error: URLError?) { end(with: error) }

  func endCancelled() { stop(cancellation) }

  var cancellation: URLError {
    .loading(.cancelled, url: state.request.url, phase: .cancelling, reason: "")
  }

  /// Ends the load with an error of ours.
  func stop(_ error: URLError) {
    if case .finished = state.phase { return }
    state.ending = state.ending ?? error
    // It may be all that is waited for, and wait for a descriptor itself.
    if case .file(let file) = state.incoming.sink { file.giveUp() }
    if let source = state.source { source.cancel() } else { finish(error) }
  }

  /// Whether nothing else than a stored response would do for a request that the cache has nothing to do with: then it fails.
  func refusesUncached() -> Bool {
    let mode = CacheExchange.Mode(of: state.request, otherwise: engine.settings.requestCachePolicy)
    guard mode == .storedOnly, state.webSocket == nil else { return false }
    refuseUncached()
    return true
  }

  /// Nothing is stored for the request, and its cache policy forbids loading it.
  func refuseUncached() {
    prepared.drop()
    finish(
      .loading(
        .resourceUnavailable, url: state.request.url, phase: .preparing,
        reason: "nothing is cached for it, and its cache policy forbids loading it"))
  }

  func stopAtChallenge(_ error: URLError) {
    if let response = state.response { state.task.setResponse(response) }
    stop(error)
  }

  /// What the machine's action needs is not there, which cannot be: a load that ends is better than one that hangs.
  func endLost(_ what: String) {
    assertionFailure("the \(what) is there")
    finish(.loading(.unknown, url: state.request.url, phase: currentPhase, reason: "its \(what) was lost"))
  }
}

// The listener of a load: a delegate of the task's own, or else the task's owner, or else the session's delegate.
extension Load {
  /// The task's own delegate.
  var ownDelegate: (any URLSessionTaskDelegate)? {
    state.task.hasDelegate.load(ordering: .acquiring) ? state.task.delegate : nil
  }

  /// The listener of the load. A delegate of the task's own comes first.
  ///
  /// Where there has been one, the queue of the delegates stays in use, also when it has been taken away: later events
  /// must not overtake those waiting there.
  var listener: (any TaskListener)? {
    state.task.hasDelegate.load(ordering: .acquiring)
      ? listener(of: state.task.delegate) : owner ?? engine.listener
  }

  /// Whether the listener is the session's delegate, which speaks for all of its requests; a task's own one and an owner speak for
  /// that one.
  var isHeardBySession: Bool { ownDelegate == nil && listener === engine.listener }

  /// The listener for an evaluator that `trustEvaluator` has named, and no other: another thread may have given the task
  /// another delegate since.
  func listener(for evaluator: AnyObject?) -> (any TaskListener)? {
    guard state.task.hasDelegate.load(ordering: .acquiring) else { return owner ?? engine.listener }
    let isOwn = evaluator !== engine.listener?.taskDelegate
    return listener(of: isOwn ? evaluator as? any URLSessionTaskDelegate : nil)
  }

  /// - Parameter delegate: The task's own; nil where it has been taken away.
  private func listener(of delegate: (any URLSessionTaskDelegate)?) -> (any TaskListener)? {
    let executor = state.task.session.userExecutor
    if let delegate {
      return DelegateListener(own: delegate, before: engine.listener, executor: executor)
    }
    return engine.listener.map { DelegateListener($0, executor: executor) } ?? owner
  }
}
