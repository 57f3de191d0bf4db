// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetLoading
import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetTransport

/// One task's way: where its responses come from (one for each redirect or answered challenge) and what its listener hears.
///
/// It carries out what `LoadMachine` says, where the stages and phases are drawn. It keeps the parts that remember something, and makes
/// the others for one call.
// Unchecked: see `Load`; what is added is touched only while the loop is held, too.
final class LoadDriver: Load, TaskDriver, @unchecked Sendable {
  /// The request's dealings with the cache; nil until it is asked.
  @exclusivity(unchecked) var cache: CacheDriver?
  /// The load's dealings with challenges; nil for almost every load.
  @exclusivity(unchecked) var authorization: RequestAuthorization?
  /// Takes the load between a WebSocket's link and its connection; nil for every other task.
  fileprivate(set) var webSocket: WebSocketDriver?
  /// The wait for the earliest date; nil for almost every load.
  private var delayedStart: DelayedStart?

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
    engine.loop.execute { [self] in
      // Another thread may have suspended the task meanwhile.
      guard state.task.state != .suspended else { return }
      let wasSuspended = isSuspended
      release(.caller)
      engine.requests?.goOn(self)
      if wasSuspended { delayedStart?.taskIsResumed() }
    }
  }

  func suspend() {
    engine.loop.execute { [self] in
      // Another thread may have resumed the task meanwhile.
      guard state.task.state == .suspended else { return }
      hold(.caller)
      letOthersGo()
      engine.requests?.pause(self)
    }
  }

  func cancel(byProducingResumeData completion: @escaping @Sendable (Data?) -> Void) {
    engine.loop.execute { DownloadDriver.end(self, for: completion) }
  }

  // MARK: The beginning

  private func prepareAndBegin() {
    prepareFirst()
    // The load is all that is captured, which takes no allocation.
    engine.loop.execute { if self.isCountedIn() { self.begin(at: self.clock.monotonic) } }
  }

  private func begin(notBefore date: Date) {
    guard isCountedIn() else { return }
    let start = DelayedStart(of: self, until: date) { [unowned self] in
      begin(at: engine.loop.now.nanoseconds)
    }
    delayedStart = start
    start.wait()
  }

  /// The load has been counted and its request is prepared.
  ///
  /// - Parameter start: The moment from which the time for the resource counts.
  private func begin(at start: UInt64) {
    state.incoming.sink = BodySink(for: state.task, waitingFor: engine.descriptorWait(for: state.task))
    if case .resumption(let earlier) = state.task.body { DownloadDriver.begin(self, with: earlier) }
    takeCredentials()
    armResourceTime(from: start)
    if case .streamed = state.task.body, case .none = prepared.body {
      return BodyRenewal(load: self).ask(for: state.request)
    }
    send()
  }

  // MARK: Steps

  override func letOthersGo() { cache?.completeCollapsed() }

  override var hasAuthorization: Bool { authorization != nil }
  override var withholdsContent: Bool { authorization?.withholdsContent ?? false }

  override func run(_ action: LoadAction) {
    switch action {
    case .enter(let stage): enter(stage)
    case .send: sendToServer()
    case .examine(let stage): examine(stage)
    case .deliver: deliver()
    case .discard(let next):
      // A redirect that is followed may be stored, with the body that is not wanted now.
      if case .follow = next, cache?.record != nil { expect(0, isCopied: true) }
      discard(state.response, then: next)
    case .passOver(let next): passOver(then: next)
    case .keep(let record, let change):
      cache?.keep(record, change)
      responsePassed()
    case .serve(let index, let serving, let change):
      guard let cache else { return endLost("stored response") }
      cache.serve(index, serving, change)
    case .askAboutRedirect(let question, let redirect): RedirectDriver(load: self).ask(question, redirect)
    // Only sides ask so, and they carry it out themselves.
    case .askForCredential: assertionFailure("a side asks for its credentials")
    case .fail(let fault): stopAtChallenge(.authentication(fault, at: state.request.url))
    case .failUnanswerable(let offers): stopAtChallenge(.unanswerable(offers, at: state.request.url))
    }
  }

  override func perform(_ next: NextStep) {
    switch next {
    case .follow:
      guard let request = state.followRedirect() else { return endLost("next request") }
      if state.incoming.isCopied {
        offerToCache {}
        state.incoming.dropCopy()
      }
      sendNext(request)
    case .resend(let side):
      guard let challenges = authorization?[side] else { return endLost("challenge") }
      challenges.resend()
    case .sendUnconditionally:
      state.response = nil
      prepareAndSend(state.request)
    case .sendWithoutExpect: sendNext(state.request)
    case .sendForWhole: sendNext(state.request.forTheWhole)
    case .serve:
      guard let cache else { return endLost("stored response") }
      cache.serveAnswer()
    case .finish: finish(nil)
    }
  }

  override func serve(_ content: CachedBody.Content, of response: URLResponse) {
    prepared.drop()
    state.machine.load()
    state.response = nil
    state.bodyLength = content.length
    let source = CachedBody(content, of: response, for: self, on: engine.loop, holds: state.incoming.holds)
    state.source = source
    source.begin()
  }

  override func end(with error: (any Error)?) {
    switch state.phase {
    case .finished: return
    // Cancelled or out of time, while the listener takes its own. A file is dealt with first, by the code that closes it or has
    // handed it over.
    case .concluding: if case .file = state.incoming.sink { return } else { return complete(with: error) }
    case .initial, .loading, .deciding, .receiving, .discarding: break
    }
    if error == nil { delivery.handGathered() }
    state.machine.conclude()
    engine.requests?.leave(self)
    // Before the load is counted, the request may be in the making on another thread.
    if state.isCounted { prepared.drop() } else { dropPart() }
    delayedStart?.cancel()
    state.connectivity?.cancel()
    guard case .file(let file) = state.incoming.sink else {
      if error != nil || !state.incoming.isCopied { return complete(with: error) }
      return offerToCache { [self] in complete(with: nil) }
    }
    file.close(isNeeded: error == nil) { [self] fault in
      engine.loop.execute { [self] in
        DownloadDriver(load: self, file: file)
          .conclude(error ?? fault, offer: offerToCache) { [self] error in complete(with: error) }
      }
    }
  }
}

extension SessionEngine {
  func makeDriver(for task: URLSessionTask, listener: (any TaskListener)?) -> any TaskDriver {
    let load = LoadDriver(task, engine: self, owner: listener)
    if let link = task.webSocketLink { load.webSocket = WebSocketDriver(of: load, link) }
    return load
  }
}

// The end of a load.
extension LoadDriver {
  /// Offers the whole response to the listener, and keeps what it makes of it; then goes on, in loop context.
  func offerToCache(then finish: @escaping @Sendable () -> Void) {
    guard let cache, let response = state.response, let record = cache.record.take() else { return finish() }
    CacheOffer(of: response, record, by: self, cache).begin(then: finish)
  }

  /// The load has to do with the cache no more, or with another address there.
  func leaveCache() {
    cache?.leave()
    // What it has found may be large, and the task may be kept for long.
    cache = nil
  }

  func complete(with error: (any Error)?) {
    if case .finished = state.phase { return }
    state.machine.finish()
    authorization?.leave()
    authorization = nil
    if cache != nil { leaveCache() }
    endResourceTime()
    let named = error.map { ($0 as? URLError)?.naming(state.request) ?? $0 }
    if let webSocket { endTask(with: webSocket.end(with: named)) } else { endTask(with: named) }
  }
}
