import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetLoading
import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetTransport

/// One task's way: where its responses come from (one for each redirect or answered challenge) and what its listener hears.
///
///     prepared ─▶ loading ─▶ deciding ─▶ receiving ─▶ concluding ─▶ finished
///         ▲                     │ (redirect, challenge: discard the body)
///         └─────────────────────┘
///
// Unchecked: touched only while the loop is held; `prepared` is set before the load is
// counted, and not read earlier.
final class LoadDriver: TaskDriver, @unchecked Sendable {
  let engine: SessionEngine
  /// The task's maker, told of the load unless the task has a delegate of its own.
  let owner: (any TaskListener)?
  /// The moment the load was made, by both clocks.
  let clock: ClockAnchor
  // Exclusivity goes unchecked at run time, a tenth of a small request: only the holder of the loop gets
  // here, and members changed in place are values that call no other code.
  @exclusivity(unchecked) var state: LoadState
  /// The request in its wire form, until it is sent. Not a part of `state`, because the first is made on the caller's thread, where
  /// the loop may be told meanwhile that the task is cancelled.
  @exclusivity(unchecked) var prepared = PreparedRequest()

  init(_ task: URLSessionTask, engine: SessionEngine, owner: (any TaskListener)?) {
    self.engine = engine
    self.owner = owner
    clock = ClockAnchor(
      wall: engine.loop.secondsSince1970, monotonic: engine.loop.instant.nanoseconds)
    state = LoadState(task, redirectLimit: engine.settings.redirectLimit)
  }

  /// The target of the current request; nil where that is no HTTP address.
  var currentTarget: TargetURI? { state.request.url.flatMap { try? TargetURI.of($0) } }

  // MARK: What the task asks for, on any thread

  func start(notBefore date: Date?) {
    if let date, date.timeIntervalSince1970 > engine.loop.secondsSince1970 {
      return engine.loop.execute { self.begin(notBefore: date) }
    }
    // The request is put into its wire form here, on the caller's thread; the loop only sends it. The user's storages
    // have a queue of their own.
    guard let queue = engine.storageQueue else {
      return DownloadDriver.whenPartOpens(of: self) { self.prepareAndBegin() }
    }
    queue.async { DownloadDriver.whenPartOpens(of: self) { self.prepareAndBegin() } }
  }

  func resume() {
    engine.loop.execute { self.goOn() }
  }

  func suspend() {
    engine.loop.execute {
      // Another thread may have resumed the task meanwhile.
      guard self.state.task.state == .suspended else { return }
      self.hold(.caller)
      // No load should wait for a suspended one.
      self.state.cache?.completeCollapsed()
      self.engine.requests?.pause(self)
    }
  }

  func hold(while isHeld: @escaping @Sendable () -> Bool) {
    engine.loop.execute { self.readerChanged(isSlow: isHeld()) }
  }

  func cancel() {
    engine.loop.execute { self.endCancelled() }
  }

  func cancel(byProducingResumeData completion: @escaping @Sendable (Data?) -> Void) {
    engine.loop.execute { DownloadDriver.end(self, for: completion) }
  }

  private func prepareAndBegin() {
    if let answer = plainAnswer {
      prepared.answer(with: answer)
    } else {
      prepared.prepare(for: state.task, engine.requestBuilder)
    }
    // The load is all that is captured, which takes no allocation.
    engine.loop.execute { self.beginIfWanted() }
  }

  // MARK: In loop context

  private func begin(notBefore date: Date) {
    guard !state.isOver else { return }
    if let obstacle = obstacleToBeginning() {
      dropPart()
      return stop(obstacle)
    }
    let start = DelayedStart(of: self, until: date)
    state.delayedStart = start
    start.wait()
  }

  private func beginIfWanted() {
    // Cancelled before it began.
    guard !state.isOver else {
      dropPart()
      return prepared.drop()
    }
    if let obstacle = obstacleToBeginning() {
      dropPart()
      prepared.drop()
      return stop(obstacle)
    }
    begin(at: clock.monotonic)
  }

  /// Counts the load among its session's, unless it cannot begin: then, why.
  func obstacleToBeginning() -> URLError? {
    guard engine.loop.isDriven else {
      return .loading(
        .resourceUnavailable, url: state.request.url, phase: .preparing,
        reason: "the session's event loop is not running: use EventLoop.run(_:) or the task's wait()")
    }
    state.isCounted = engine.begins(state.task)
    guard state.isCounted else {
      return .loading(
        .cancelled, url: state.request.url, phase: .preparing, reason: "the session is invalidated")
    }
    return nil
  }

  /// The load has been counted and its request is prepared.
  ///
  /// - Parameter start: The moment from which the time for the resource counts.
  func begin(at start: UInt64) {
    state.incoming.sink = BodySink(for: state.task, waitingFor: engine.descriptorWait(for: state.task))
    if case .resumption(let earlier) = state.task.body { DownloadDriver.begin(self, with: earlier) }
    state.credentials = prepared.credentials
    if state.credentials.authorization != nil { hideUserInformation() }
    if let limit = engine.resourceTimeLimit {
      // Taken back when the load ends, so it keeps nothing alive for longer.
      state.timers.resource = engine.loop.schedule(at: MonotonicTime(nanoseconds: start &+ limit)) {
        self.resourceTimedOut()
      }
    }
    if case .streamed = state.task.body, case .none = prepared.body {
      return BodyRenewal(load: self).ask(for: state.request)
    }
    send()
  }

  /// The URL's password has become a credential: reports about the load do not show it from here on.
  private func hideUserInformation() {
    state.request.url = state.request.url?.withoutUserInformation
    state.task.setCurrentRequest(state.request)
  }

  /// Sends the prepared request.
  func send() {
    if case .source(let source) = prepared.body {
      state.body = .source(source)
      if let coding = prepared.contentCoding {
        state.request = state.request.naming(coding)
        state.task.setCurrentRequest(state.request)
      }
      // A body that is sent again is counted from its beginning.
      state.task.count { counts in
        counts.sent = 0
        if let length = source.length { counts.expectedToSend = Int64(length) }
      }
    } else if !withholdsContent {
      state.body = .none
    }
    run(state.machine.send(by: requestStages))
  }

  private func goOn() {
    // Another thread may have suspended the task meanwhile.
    guard state.task.state != .suspended else { return }
    let wasSuspended = isSuspended
    release(.caller)
    engine.requests?.goOn(self)
    if wasSuspended { state.delayedStart?.taskIsResumed() }
  }

  func endCancelled() {
    stop(.loading(.cancelled, url: state.request.url, phase: .cancelling, reason: ""))
  }

  /// Ends the load with an error of ours.
  func stop(_ error: URLError) {
    if case .finished = state.phase { return }
    state.ending = state.ending ?? error
    // It may be all that is waited for, and wait for a descriptor itself.
    if case .file(let file) = state.incoming.sink { file.giveUp() }
    if let source = state.source { source.cancel() } else { finish(error) }
  }

  /// Nothing more comes from where the response came from.
  ///
  /// - Parameter error: Why not, unless all of it has come.
  func sourceEnded(_ transaction: consuming LoadTransaction, _ error: (any Error)?) {
    state.source = nil
    if let timer = state.timers.discard.take() { engine.loop.cancel(timer) }
    state.add(transaction, clock: clock)
    if let ending = state.ending { return finish(ending) }
    if case .discarding(then: let next) = state.phase {
      if state.incoming.isCopied { keepRedirect(isWhole: error == nil) }
      return perform(next)
    }
    end(with: error)
  }

  /// The task has ended before it began.
  func dropPart() { state.task.body.resumption?.drop() }

  private func resourceTimedOut() {
    state.timers.resource = nil
    stop(
      .loading(
        .timedOut, url: state.request.url, phase: currentPhase,
        reason: "the whole resource was allowed \(engine.settings.timeoutIntervalForResource.asSeconds) "
          + "(timeoutIntervalForResource)"))
  }
}

extension SessionEngine {
  func makeDriver(for task: URLSessionTask, listener: (any TaskListener)?) -> any TaskDriver {
    LoadDriver(task, engine: self, owner: listener)
  }
}
