import BluebonnetContentCoding
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics
import BluebonnetTransport

extension TaskLoad {
  /// - Parameter bodyLength: That of the redirect itself, which is the answer where it is not followed.
  /// - Returns: false for a response that sends the task nowhere else.
  func redirects(by response: HTTPURLResponse, bodyLength: Int?) -> Bool {
    guard RedirectPolicy.isRedirect(response.statusCode) else { return false }
    // WHATWG, WebSockets §2: a handshake that is sent elsewhere has failed.
    if state.webSocket != nil, !engine.settings.followsWebSocketRedirects { return false }
    let location = Location(of: response.fields)
    let step = state.redirects.decide(
      status: response.statusCode, location: location, request: state.request)
    switch step {
    case .finish: return false
    case .propose(let proposal):
      let question = state.ask(.redirect)
      guard let listener else {
        redirected(question, to: proposal.request, proposal, response, bodyLength: bodyLength)
        return true
      }
      listener.executor.run { [self, task = state.task] in
        listener.task(task, willFollow: response, with: proposal.request) { [self] chosen in
          engine.loop.execute { [self] in
            redirected(question, to: chosen, proposal, response, bodyLength: bodyLength)
          }
        }
      }
      if case .deciding = state.phase { hold(.decision) }
    }
    return true
  }

  private func redirected(
    _ question: LoadQuestions.Question, to chosen: URLRequest?, _ proposal: RedirectPolicy.Proposal,
    _ response: HTTPURLResponse, bodyLength: Int?
  ) {
    guard take(question) else { return }
    guard let chosen else {
      // Not followed: the 3xx itself is the response, body and all.
      accept(response, bodyLength: bodyLength)
      return releaseDecision()
    }
    // Only now, because a redirect that is not followed is an answer wherever it leads.
    if let obstacle = proposal.obstacle(to: chosen) ?? webSocketObstacle(to: chosen) { return stop(obstacle) }
    if state.caching?.record != nil { copyRedirect() }
    discard(thenSend: chosen)
  }

  /// Messages that were to be encrypted are not sent in clear text, wherever a redirect leads.
  private func webSocketObstacle(to chosen: URLRequest) -> URLError? {
    guard state.webSocket != nil, currentTarget?.origin.isSecure == true, let url = chosen.url,
      let target = try? TargetURI.of(url), !target.origin.isSecure
    else { return nil }
    return .loading(
      .appTransportSecurityRequiresSecureConnection, url: state.request.url, phase: .redirecting,
      reason: "it leads a secure WebSocket to \(url.shown), where its messages would be sent in clear text")
  }

  /// Reads the rest of this response if that brings its connection back soon, then sends `next`.
  func discard(thenSend next: URLRequest) { discard(state.response, then: .send(next)) }

  /// Reads the rest of a response if that brings its connection back soon, then goes on.
  func discard(_ response: HTTPURLResponse?, then next: LoadState.NextStep) {
    state.phase = .discarding(then: next)
    state.incoming.discarded = 0
    // Only noted: the old source is not let go on before it has been dealt with, or what it still has to say would be taken for the next
    // one's. That one begins with what holds the body then.
    state.incoming.holds.subtract(.decision)
    guard let source = state.source else { return goOn(next) }
    guard let response, isWorthDraining(response, of: source) else { return source.cancel() }
    state.timers.discard = engine.loop.schedule(at: engine.loop.now.adding(Draining.patience)) { [self] in
      state.timers.discard = nil
      if case .discarding = state.phase { state.source?.cancel() }
    }
    // An unwanted body is read even if the task is suspended.
    source.release(.all)
  }

  /// The head was all that was wanted.
  func endWithoutRest() {
    engine.loop.execute { [self] in
      guard case .receiving = state.phase else { return }
      // Half a body is no answer for the next request.
      state.incoming.dropCopy()
      discard(state.response, then: .finish)
    }
  }

  /// Whether reading the response brings something, and there is not too much of it.
  private func isWorthDraining(_ response: HTTPURLResponse, of source: any ResponseSource) -> Bool {
    source.isWorthDraining(response)
      && Draining.isWorthwhile(
        status: response.statusCode, method: state.request.httpMethod, fields: response.fields)
  }

  func discard(_ count: Int) {
    state.incoming.discarded += count
    guard state.incoming.discarded > Draining.limit else { return }
    state.source?.cancel()
  }

  /// The unwanted body is over.
  func goOn(_ next: LoadState.NextStep) {
    switch next {
    case .send(let request): follow(request)
    case .resendWithCredentials: resendWithCredentials()
    case .proveToProxy: proveToProxyAgain()
    case .sendUnconditionally:
      state.response = nil
      prepareAndSend(state.request)
    case .serve: serveAnswer()
    case .finish: finish(nil)
    }
  }

  /// Sends the next request of this task.
  func follow(_ next: URLRequest) {
    let dropsBody = redirectDropsBody(next)
    var next = next
    // Credentials accepted or rejected elsewhere mean nothing here.
    if state.secrets.move(from: state.request.url, to: &next) { state.authentication = nil }
    // Whatever the delegate made of the request, its body is what it is.
    if !dropsBody, let coding = prepared.contentCoding {
      next = next.naming(coding)
      next.bodyCoding = next.bodyCoding ?? state.request.bodyCoding
    }
    let status = state.response?.statusCode
    state.request = next
    state.response = nil
    // A stored response is looked for under each address.
    completeCollapsed()
    state.caching = nil
    state.task.setCurrentRequest(next)
    if dropsBody {
      state.body = .none
    } else if case .source(let source) = state.body, !source.rewind() {
      return replaceBody(of: next, from: source, after: status)
    }
    prepareAndSend(next)
  }

  /// RFC 9110 §15.4: a request rewritten to GET has no content, nor has one without a body by the delegate.
  private func redirectDropsBody(_ next: URLRequest) -> Bool {
    guard next.httpBody == nil, next.httpBodyStream == nil else { return false }
    if state.request.httpBody != nil || state.request.httpBodyStream != nil { return true }
    return next.httpMethod == "GET" || next.httpMethod == "HEAD"
  }

  /// A body that has been read from has to be sent again, and cannot be.
  func replaceBody(of next: URLRequest, from source: any BodySource, after status: Int?) {
    let occasion = status.map { " after the response with status \($0)" } ?? ""
    let obstacle = "the body has to be sent again\(occasion), and \(source.replayObstacle ?? "it cannot be")"
    // Only the producer could have another one.
    if case .produced = state.task.body { return finish(.bodyExhausted(next.url, obstacle)) }
    askForNewStream(for: next, because: obstacle)
  }

  /// A streamed upload's body comes from the delegate, at first and each time it has to be sent again.
  ///
  /// - Parameter obstacle: Why the body that there was does not do.
  func askForNewStream(for next: URLRequest, because obstacle: String? = nil) {
    guard let listener else {
      return finish(.bodyExhausted(next.url, obstacle ?? "there is no delegate to ask for the body's stream"))
    }
    let question = state.ask(.bodyStream)
    let first = SingleAnswer()
    listener.executor.run { [self, task = state.task] in
      listener.taskNeedsBodyStream(task) { [self] stream in
        // Of an answer that does not count, the stream is not touched either.
        guard first.take() else {
          return engine.loop.execute { [self] in reportIgnoredAnswer(to: .bodyStream) }
        }
        let body = Self.body(from: stream, of: next, obstacle)
        engine.loop.execute { [self] in
          if take(question) { sendAgain(next, body) }
        }
      }
    }
  }

  private typealias NewBody = (source: any BodySource, coding: ContentCoding?)

  private static func body(
    from stream: InputStream?, of next: URLRequest, _ obstacle: String?
  ) -> Result<NewBody, URLError> {
    Result { () throws(URLError) in
      guard let stream else {
        let lack = "the delegate has no stream for the body"
        throw .bodyExhausted(next.url, obstacle.map { "\($0); \(lack)" } ?? lack)
      }
      let plain = try RequestBody.source(of: stream, next)
      guard let coding = next.bodyCoding, let coded = try coding.applied(to: plain) else {
        return (plain, nil)
      }
      return (coded, coding.coding)
    }
  }

  private func sendAgain(_ next: URLRequest, _ body: Result<NewBody, URLError>) {
    if let ending = state.ending { return finish(ending) }
    do throws(URLError) {
      let body = try body.get()
      state.body = .source(body.source)
      let next = next.naming(body.coding)
      state.request = next
      state.task.setCurrentRequest(next)
      prepareAndSend(next)
    } catch {
      finish(error)
    }
  }
}

extension URLError {
  fileprivate static func bodyExhausted(_ url: URL?, _ reason: String) -> URLError {
    .loading(.requestBodyStreamExhausted, url: url, phase: .preparing, reason: reason)
  }
}
