import BluebonnetFoundation
import BluebonnetTransport

extension TaskLoad {
  /// What is read of a body nobody wants, so that its connection can be used again. Beyond that, a
  /// new connection is cheaper.
  private static var discardLimit: Int { 64 * 1024 }

  /// - Returns: false for a response that sends the task nowhere else.
  func redirects(by response: HTTPURLResponse) -> Bool {
    guard RedirectPolicy.isRedirect(response.statusCode) else { return false }
    let location = response.value(forHTTPHeaderField: "Location")
    switch redirects.decide(status: response.statusCode, location: location, request: request) {
    case .finish: return false
    case .fail(let error): stop(error)
    case .follow(let proposed):
      phase = .deciding
      guard let delegate = taskDelegate else {
        redirected(to: proposed, response)
        return true
      }
      let (task, session) = (task, task.session)
      engine.lane.run { [self] in
        delegate.urlSession(
          session, task: task, willPerformHTTPRedirection: response, newRequest: proposed
        ) { [self] chosen in
          engine.loop.execute { [self] in redirected(to: chosen, response) }
        }
      }
      if case .deciding = phase { exchange?.pause() }
    }
    return true
  }

  private func redirected(to chosen: URLRequest?, _ response: HTTPURLResponse) {
    guard case .deciding = phase else { return }
    guard let chosen else {
      // Not followed: the 3xx itself is the response, body and all.
      accept(response, bodyLength: nil)
      return releaseBody()
    }
    discard(thenSend: chosen)
  }

  /// Reads the rest of this response, then sends `next`.
  func discard(thenSend next: URLRequest) {
    phase = .discarding(next: next)
    discarded = 0
    exchange?.resume()
  }

  func discard(_ count: Int) {
    discarded += count
    guard discarded > Self.discardLimit else { return }
    exchange?.cancel()
  }

  /// Sends the next request of this task.
  func follow(_ next: URLRequest) {
    let dropsBody = redirectDropsBody(next)
    request = next
    response = nil
    task.setCurrentRequest(next)
    if dropsBody {
      body = .none
    } else if case .source(let source) = body, !source.rewind() {
      return askForNewStream(for: next)
    }
    send(PreparedRequest(next, body: body, engine.heads, asksFirst: asksFirst))
  }

  /// RFC 9110 §15.4: a request rewritten to GET has no content, nor has one whose body the delegate took away.
  private func redirectDropsBody(_ next: URLRequest) -> Bool {
    guard next.httpBody == nil, next.httpBodyStream == nil else { return false }
    if request.httpBody != nil || request.httpBodyStream != nil { return true }
    return next.httpMethod == "GET" || next.httpMethod == "HEAD"
  }

  /// A streamed upload's body comes from the delegate, at first and each time it has to be sent again.
  func askForNewStream(for next: URLRequest) {
    guard let delegate = taskDelegate else {
      return finish(
        .loading(
          .requestBodyStreamExhausted, url: next.url, phase: .preparing,
          reason: "the body is a stream that can be read once, and has to be sent again"))
    }
    let (task, session) = (task, task.session)
    phase = .deciding
    engine.lane.run { [self] in
      delegate.urlSession(session, task: task) { [self] stream in
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
    send(PreparedRequest(next, body: body, engine.heads, asksFirst: asksFirst))
  }
}
