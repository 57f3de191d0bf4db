import BluebonnetFoundation
import BluebonnetSemantics
import BluebonnetTransport

// Responses of classes that load in a server's place.
extension TaskLoad {
  /// Asks the caller's classes, which takes code of the caller's and therefore does not happen in loop context.
  func choose(among protocols: ProtocolClasses) {
    state.phase = .loading
    let task = state.task
    DispatchQueue.global().async { [self] in
      let type = protocols.first(for: task)
      engine.loop.execute { [self] in
        if state.isOver { return }
        if let type { load(by: type) } else { leave() }
      }
    }
  }

  /// Lets a class load the request.
  func load(by type: URLProtocol.Type) {
    state.phase = .loading
    prepared.drop()
    if let refusal = engine.requestBuilder.refusalOfAll(for: state.request.url) { return finish(refusal) }
    var request = complete(state.request)
    switch (state.body, state.task.body) {
    case (.none, _): break
    case (.source(let source as DataBodySource), _): request.httpBody = source.data
    case (.source(let source as ProducedBodySource), _): request.httpBodyStream = source.stream
    case (_, .file(let url)): request.httpBodyStream = InputStream(url: url)
    case (.source(let source as BlockingBodySource), _): request.httpBodyStream = source.lentStream
    case (_, .ofRequest), (_, .data), (_, .produced), (_, .resumption), (_, .streamed): break
    }
    // The body is in its coding already.
    if request.bodyCoding != nil { request.bodyCoding = nil }
    consult({ [request, settings = engine.settings] in
      (settings.urlCache?.cachedResponse(for: request), settings.copyLimit)
    }) { [self, request] cached, limit in
      if state.isOver { return }
      state.incoming.copyLimit = limit
      let source = ProtocolLoad(type, client: self, loop: engine.loop)
      state.source = source
      let silence = request.statedTimeoutInterval ?? engine.settings.timeoutIntervalForRequest
      source.start(
        state.task, request, cached: cached, holds: state.incoming.holds,
        silenceLimit: Timeouts.nanoseconds(silence))
    }
  }

  /// The request as a class is given it: with the credentials that its URL had, which the URL does not name any more, and with the
  /// fields of the session's that would go over the wire.
  private func complete(_ request: URLRequest) -> URLRequest {
    var complete = request
    if let authorization = state.secrets.authorization,
      request.value(forHTTPHeaderField: "Authorization") == nil
    {
      complete.setValue(authorization, forHTTPHeaderField: "Authorization")
    }
    for field in engine.requestBuilder.additionalFields(of: complete, state.secrets) {
      complete.headerFields[field.name] = field.value
    }
    return complete
  }
}

extension TaskLoad: ProtocolLoadClient {
  func load(_ source: ProtocolLoad, didReceive response: URLResponse, mayBeKept: Bool) {
    // Behind a redirect that is followed.
    if case .discarding = state.phase { return }
    let head = response as? HTTPURLResponse
    state.response = head
    let length = response.expectedContentLength
    if case .file(let file) = state.incoming.sink {
      if let head, answersRange(head, bodyLength: length < 0 ? nil : Int(length), file) { return }
      if head == nil { startsOver(file) }
    }
    begin(response, of: length, isKept: mayBeKept && head.map(self.isKept) == true)
    takeBody(of: response, bodyLength: length < 0 ? nil : Int(length))
  }

  func load(_ source: ProtocolLoad, didReceive data: Data) {
    if case .receiving = state.phase { receive(data) }
  }

  func load(_ source: ProtocolLoad, wasRedirectedTo next: URLRequest, by response: URLResponse) {
    if case .discarding = state.phase { return }
    let proposed = withoutCredentials(next)
    let limit = engine.settings.redirectLimit
    guard state.localRedirects < limit else {
      return stop(
        URLError.loading(
          .httpTooManyRedirects, url: proposed.url, phase: .redirecting,
          reason: "more than \(limit) redirects"))
    }
    state.localRedirects += 1
    let question = state.ask(.redirect)
    hold(.decision)
    guard let listener, let head = response as? HTTPURLResponse else {
      return redirected(question, to: proposed, by: response, source)
    }
    listener.executor.run { [self, task = state.task] in
      listener.task(task, willFollow: head, with: proposed) { [self] chosen in
        engine.loop.execute { [self] in redirected(question, to: chosen, by: response, source) }
      }
    }
  }

  /// A class may have made its proposal from the request that it got, with fields meant for one origin: the
  /// caller's, and the credentials of the URL in another. Fields of the class's own are its own affair.
  private func withoutCredentials(_ next: URLRequest) -> URLRequest {
    guard let from = state.request.url, let to = next.url else { return next }
    if RedirectPolicy.staysAtOrigin(from: from, to: try? TargetURI(to)) || Self.areOfOneScheme(from, to) {
      return next
    }
    let given = complete(state.request)
    var next = next
    for name in RequestCredentials.boundFieldNames {
      guard let value = next.value(forHTTPHeaderField: name), value == given.value(forHTTPHeaderField: name)
      else { continue }
      next.setValue(nil, forHTTPHeaderField: name)
    }
    return next
  }

  /// Whether a class has been sent elsewhere under a scheme of its own: only it knows what an origin is there.
  private static func areOfOneScheme(_ from: URL, _ to: URL) -> Bool {
    guard (try? TargetURI.of(from)) == nil else { return false }
    return from.scheme?.asciiLowercased == to.scheme?.asciiLowercased
      && from.host()?.asciiLowercased == to.host()?.asciiLowercased && from.port == to.port
  }

  private func redirected(
    _ question: LoadQuestions.Question, to chosen: URLRequest?, by response: URLResponse,
    _ source: ProtocolLoad
  ) {
    guard take(question), state.source === source else { return }
    guard let chosen else {
      // Not followed: the redirect itself is the response.
      state.phase = .loading
      source.accept(response)
      return releaseDecision()
    }
    discard(thenSend: chosen)
  }

  func load(
    _ source: ProtocolLoad, didReceive challenge: URLAuthenticationChallenge,
    answer: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard let listener else { return answer(.performDefaultHandling, nil) }
    let first = SingleAnswer()
    listener.executor.run { [self, task = state.task] in
      listener.task(task, didReceive: challenge) { [self] disposition, credential in
        if first.take() { return answer(disposition, credential) }
        engine.loop.execute { [self] in reportIgnoredAnswer(to: .credential) }
      }
    }
  }

  func load(_ source: ProtocolLoad, didFinishWith error: (any Error)?) {
    // A transaction without a connection, so that the metrics show that there was one.
    var connection = URLSessionTaskTransactionMetrics.Connection()
    connection.protocolName = nil
    sourceEnded(
      .measured(
        URLSessionTaskTransactionMetrics(
          request: state.request, response: state.task.response, resourceFetchType: .unknown, clock: clock,
          instants: .init(), connection: connection, sizes: .init())), error)
  }
}
