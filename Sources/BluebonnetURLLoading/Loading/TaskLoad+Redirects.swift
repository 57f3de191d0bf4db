import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics
import BluebonnetTransport

extension TaskLoad {
  /// What is read of a body nobody wants, so that its connection can be used again. Beyond that, a
  /// new connection is cheaper.
  private static var discardLimit: Int { 64 * 1024 }
  /// How long it is waited for, in nanoseconds: about what a new connection costs over a long way.
  private static var discardPatience: UInt64 { 200_000_000 }

  /// - Returns: false for a response that sends the task nowhere else.
  func redirects(by response: HTTPURLResponse) -> Bool {
    guard RedirectPolicy.isRedirect(response.statusCode) else { return false }
    let location = Location(of: response.fields)
    let step = state.redirects.decide(
      status: response.statusCode, location: location, request: state.request)
    switch step {
    case .finish: return false
    case .propose(let proposal):
      state.phase = .deciding
      guard let listener else {
        redirected(to: proposal.request, proposal, response)
        return true
      }
      listener.executor.run { [self, task = state.task] in
        listener.task(task, willFollow: response, with: proposal.request) { [self] chosen in
          engine.loop.execute { [self] in redirected(to: chosen, proposal, response) }
        }
      }
      if case .deciding = state.phase { hold(.decision) }
    }
    return true
  }

  private func redirected(
    to chosen: URLRequest?, _ proposal: RedirectPolicy.Proposal, _ response: HTTPURLResponse
  ) {
    guard case .deciding = state.phase else { return }
    guard let chosen else {
      // Not followed: the 3xx itself is the response, body and all.
      accept(response, bodyLength: nil)
      return releaseDecision()
    }
    // Only now, because a redirect that nobody follows is an answer wherever it leads.
    if let obstacle = proposal.obstacle(to: chosen) { return stop(obstacle) }
    discard(thenSend: chosen)
  }

  /// Reads the rest of this response if that brings its connection back soon, then sends `next`.
  func discard(thenSend next: URLRequest) { discard(state.response, then: .send(next)) }

  /// Reads the rest of a response if that brings its connection back soon, then goes on.
  func discard(_ response: HTTPURLResponse?, then next: LoadState.Afterwards) {
    state.phase = .discarding(then: next)
    state.incoming.discarded = 0
    releaseDecision()
    guard let source = state.source else { return goOn(next) }
    guard let response, isWorthDraining(response, of: source) else { return source.cancel() }
    let end = MonotonicTime(nanoseconds: engine.loop.now.nanoseconds &+ Self.discardPatience)
    state.timers.discard = engine.loop.schedule(at: end) { [self] in
      state.timers.discard = nil
      if case .discarding = state.phase { state.source?.cancel() }
    }
    // What nobody wants is read whoever holds the task.
    source.release(.all)
  }

  /// Whether reading the response brings something (RFC 9112 §6.3), and there is not too much of it.
  private func isWorthDraining(_ response: HTTPURLResponse, of source: any ResponseSource) -> Bool {
    guard source.isWorthDraining(response) else { return false }
    if state.request.httpMethod == "HEAD" || response.fields.contains(.transferEncoding) { return true }
    guard let length = response.fields.first(.contentLength).flatMap({ Int($0) }) else { return false }
    return length <= Self.discardLimit
  }

  func discard(_ count: Int) {
    state.incoming.discarded += count
    guard state.incoming.discarded > Self.discardLimit else { return }
    state.source?.cancel()
  }

  /// What nobody wanted is behind us.
  func goOn(_ next: LoadState.Afterwards) {
    switch next {
    case .send(let request): follow(request)
    case .finish: finish(nil)
    }
  }

  /// Sends the next request of this task.
  func follow(_ next: URLRequest) {
    let dropsBody = redirectDropsBody(next)
    var next = next
    // What was refused elsewhere has not been refused here.
    if state.secrets.move(from: state.request.url, to: &next) { state.challenges = 0 }
    state.request = next
    state.response = nil
    state.task.setCurrentRequest(next)
    if dropsBody {
      state.body = .none
    } else if case .source(let source) = state.body, !source.rewind() {
      return askForNewStream(for: next)
    }
    prepareAndSend(next)
  }

  /// RFC 9110 §15.4: a request rewritten to GET has no content, nor has one whose body the delegate took away.
  private func redirectDropsBody(_ next: URLRequest) -> Bool {
    guard next.httpBody == nil, next.httpBodyStream == nil else { return false }
    if state.request.httpBody != nil || state.request.httpBodyStream != nil { return true }
    return next.httpMethod == "GET" || next.httpMethod == "HEAD"
  }

  /// A streamed upload's body comes from the delegate, at first and each time it has to be sent again.
  func askForNewStream(for next: URLRequest) {
    guard let listener else {
      return finish(
        .loading(
          .requestBodyStreamExhausted, url: next.url, phase: .preparing,
          reason: "the body is a stream that can be read once, and has to be sent again"))
    }
    state.phase = .deciding
    listener.executor.run { [self, task = state.task] in
      listener.taskNeedsBodyStream(task) { [self] stream in
        let body = stream.map { RequestBody.source(BlockingBodySource(stream: $0, of: next)) }
        engine.loop.execute { [self] in sendAgain(next, body: body) }
      }
    }
  }

  private func sendAgain(_ next: URLRequest, body: RequestBody?) {
    guard case .deciding = state.phase else { return }
    if let ending = state.ending { return finish(ending) }
    guard let body else {
      return finish(
        .loading(
          .requestBodyStreamExhausted, url: next.url, phase: .preparing,
          reason: "the delegate has no stream for the body"))
    }
    state.body = body
    prepareAndSend(next)
  }
}
