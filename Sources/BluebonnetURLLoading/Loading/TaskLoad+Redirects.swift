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
    switch redirects.decide(status: response.statusCode, location: location, request: request) {
    case .finish: return false
    case .propose(let proposal):
      phase = .deciding
      guard let listener else {
        redirected(to: proposal.request, proposal, response)
        return true
      }
      listener.executor.run { [self, task] in
        listener.task(task, willFollow: response, with: proposal.request) { [self] chosen in
          engine.loop.execute { [self] in redirected(to: chosen, proposal, response) }
        }
      }
      if case .deciding = phase { hold(.decision) }
    }
    return true
  }

  private func redirected(
    to chosen: URLRequest?, _ proposal: RedirectPolicy.Proposal, _ response: HTTPURLResponse
  ) {
    guard case .deciding = phase else { return }
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
  func discard(thenSend next: URLRequest) {
    phase = .discarding(next: next)
    discarded = 0
    releaseDecision()
    guard let exchange, let response else { return follow(next) }
    guard bringsConnectionBack(response, exchange) else { return exchange.cancel() }
    let end = MonotonicTime(nanoseconds: engine.loop.now.nanoseconds &+ Self.discardPatience)
    discardTimer = engine.loop.schedule(at: end) { [self] in
      discardTimer = nil
      if case .discarding = phase { self.exchange?.cancel() }
    }
    // What nobody wants is read whoever holds the task.
    exchange.release(.all)
  }

  /// Whether another request can follow on the connection once this response is read (RFC 9112 §6.3, §9.3), and there is
  /// not too much of it.
  private func bringsConnectionBack(_ response: HTTPURLResponse, _ exchange: RequestDriver) -> Bool {
    guard exchange.metrics.requestEnd != nil, !exchange.request.closesConnection,
      response.minorVersion > 0, !response.fields.contains(.connection, element: "close")
    else { return false }
    if request.httpMethod == "HEAD" || response.fields.contains(.transferEncoding) { return true }
    guard let length = response.fields.first(.contentLength).flatMap({ Int($0) }) else { return false }
    return length <= Self.discardLimit
  }

  func discard(_ count: Int) {
    discarded += count
    guard discarded > Self.discardLimit else { return }
    exchange?.cancel()
  }

  func endDiscarding() {
    if let timer = discardTimer.take() { engine.loop.cancel(timer) }
  }

  /// Sends the next request of this task.
  func follow(_ next: URLRequest) {
    let dropsBody = redirectDropsBody(next)
    var next = next
    // What was refused elsewhere has not been refused here.
    if secrets.move(from: request.url, to: &next) { challenges = 0 }
    request = next
    response = nil
    task.setCurrentRequest(next)
    if dropsBody {
      body = .none
    } else if case .source(let source) = body, !source.rewind() {
      return askForNewStream(for: next)
    }
    prepareAndSend(next)
  }

  /// RFC 9110 §15.4: a request rewritten to GET has no content, nor has one whose body the delegate took away.
  private func redirectDropsBody(_ next: URLRequest) -> Bool {
    guard next.httpBody == nil, next.httpBodyStream == nil else { return false }
    if request.httpBody != nil || request.httpBodyStream != nil { return true }
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
    phase = .deciding
    listener.executor.run { [self, task] in
      listener.taskNeedsBodyStream(task) { [self] stream in
        let body = stream.map { RequestBody.source(BlockingBodySource(stream: $0, of: next)) }
        engine.loop.execute { [self] in sendAgain(next, body: body) }
      }
    }
  }

  private func sendAgain(_ next: URLRequest, body: RequestBody?) {
    guard case .deciding = phase else { return }
    if let ending { return finish(ending) }
    guard let body else {
      return finish(
        .loading(
          .requestBodyStreamExhausted, url: next.url, phase: .preparing,
          reason: "the delegate has no stream for the body"))
    }
    self.body = body
    prepareAndSend(next)
  }
}
