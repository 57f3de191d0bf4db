import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics
import BluebonnetTransport

// Cookies and cached responses. Where a storage is of a subclass, its methods are the user's code and run
// on the session's queue for them, never in loop context; otherwise they run where they are called.
extension TaskLoad {
  /// Asks a storage, then goes on in loop context. The load's state is not to be touched by the question.
  ///
  /// - Parameter queue: Where to ask if no storage is of a subclass; nil for here.
  func consult<Answer: Sendable>(
    on queue: DispatchQueue? = nil, _ question: @escaping @Sendable () -> Answer,
    then go: @escaping @Sendable (Answer) -> Void
  ) {
    guard let queue = engine.storageQueue ?? queue else { return go(question()) }
    queue.async { [loop = engine.loop] in
      let answer = question()
      loop.execute { go(answer) }
    }
  }

  /// Puts another request of this task into its wire form, which takes cookies, and sends it.
  func prepareAndSend(_ next: URLRequest) {
    let body = withholdsContent ? RequestBody.none : state.body
    guard engine.storageQueue != nil else {
      prepared.prepare(
        next, body: body, state.secrets, engine.requestBuilder, asksFirst: state.asksFirst,
        opening: state.webSocket?.offer)
      return send()
    }
    state.phase = .loading
    let (secrets, asksFirst) = (state.secrets, state.asksFirst)
    let offer = state.webSocket?.offer
    consult({ [heads = engine.requestBuilder] in
      var prepared = PreparedRequest()
      prepared.prepare(next, body: body, secrets, heads, asksFirst: asksFirst, opening: offer)
      return prepared
    }) { [self] prepared in
      if state.isOver { return }
      self.prepared = prepared
      send()
    }
  }

  /// The next request only opens an exchange of several steps: its content waits for the last.
  var withholdsContent: Bool {
    state.authentication?.machine.withholdsContent == true
      || state.proxy?.authentication?.machine.withholdsContent == true
  }

  /// The head of a response: keeps its cookies, and forgets what it makes invalid, before anything else is decided.
  func noteInStorages(_ response: HTTPURLResponse, bodyLength: Int?) {
    let setsCookies = response.fields.contains(.setCookie)
    // The list is a file, not to be read in loop context: once in a process.
    let suffixQueue =
      setsCookies && engine.settings.httpCookieStorage != nil
        && HTTPCookieStorage.needsSuffixes(response.fields, mainDocumentURL: state.request.mainDocumentURL)
      ? PublicSuffixList.queue : nil
    guard engine.storageQueue != nil || suffixQueue != nil else {
      if setsCookies { keepCookies(of: response) }
      if state.request.httpMethod != "GET" {
        engine.settings.forgetWhatChanged(by: response, to: state.request)
      }
      return decide(on: response, bodyLength: bodyLength)
    }
    let (request, settings) = (state.request, engine.settings)
    let cookieURL = engine.requestBuilder.cookieURL(of: request, prepared.secrets)
    let question = state.ask(.storages)
    hold(.decision)
    consult(on: suffixQueue) {
      if suffixQueue != nil { _ = PublicSuffixList.inUse }
      settings.httpCookieStorage?.keepCookies(
        of: response, to: request, from: cookieURL, policy: settings.httpCookieAcceptPolicy,
        now: settings.eventLoop.loop.secondsSince1970)
      settings.forgetWhatChanged(by: response, to: request)
      return settings.copyLimit
    } then: { [self] limit in
      guard take(question) else { return }
      state.incoming.copyLimit = limit
      decide(on: response, bodyLength: bodyLength)
      releaseDecision()
    }
  }

  private func keepCookies(of response: HTTPURLResponse) {
    guard let storage = engine.settings.httpCookieStorage else { return }
    storage.keepCookies(
      of: response, to: state.request,
      from: engine.requestBuilder.cookieURL(of: state.request, prepared.secrets),
      policy: engine.settings.httpCookieAcceptPolicy, now: engine.loop.secondsSince1970)
  }

  /// Decides the load's next step: once more, elsewhere, or on.
  private func decide(on response: HTTPURLResponse, bodyLength: Int?) {
    if expectationFailed(response) || handledByCache(response) { return }
    if state.proxy != nil {
      switch authenticatesToProxy(by: response, bodyLength: bodyLength) {
      case .goesOn: return
      case .refused: return accept(response, bodyLength: bodyLength)
      case .passed: break
      }
    }
    if state.authentication != nil || response.statusCode == 401,
      authenticates(by: response, bodyLength: bodyLength)
    {
      return
    }
    if redirects(by: response, bodyLength: bodyLength) { return }
    accept(response, bodyLength: bodyLength)
  }

  /// RFC 9110 §10.1.1: the server does not know what `Expect` means; the request is sent once more without it.
  ///
  /// - Returns: false if that is not what the response says.
  private func expectationFailed(_ response: HTTPURLResponse) -> Bool {
    guard response.statusCode == 417, state.asksFirst, state.source?.expectsContinue == true else {
      return false
    }
    state.asksFirst = false
    passOver(response, then: .send(state.request))
    return true
  }
}

extension HTTPCookieStorage {
  /// - Parameter policy: The session's own, if it has one.
  fileprivate func keepCookies(
    of response: HTTPURLResponse, to request: URLRequest, from url: URL?, policy: HTTPCookie.AcceptPolicy?,
    now: Double
  ) {
    guard response.fields.contains(.setCookie), request.httpShouldHandleCookies, let url else { return }
    store(
      setCookiesOf: response.fields, from: url, mainDocumentURL: request.mainDocumentURL, policy: policy,
      now: now)
  }
}

extension URLSessionConfiguration.Values {
  /// Cookies or cached responses are kept by the user's own classes.
  var hasUserStorages: Bool {
    httpCookieStorage.map { type(of: $0) != HTTPCookieStorage.self } ?? false
      || urlCache.map { type(of: $0) != URLCache.self } ?? false
  }

  /// A cache takes nothing that is larger than a twentieth of it, so nothing larger is copied for it.
  var copyLimit: Int { (urlCache?.memoryCapacity ?? 0) / 20 }

  /// A method that may have changed the resource makes its stored responses invalid, also under the addresses that the
  /// response names if they are of the same origin (RFC 9111 §4.4).
  fileprivate func forgetWhatChanged(by response: HTTPURLResponse, to request: URLRequest) {
    guard let cache = urlCache, let url = request.url,
      CacheRules.invalidates(method: request.httpMethod ?? "GET", status: response.statusCode)
    else { return }
    cache.forget(url)
    guard let origin = try? TargetURI.of(url).origin else { return }
    for reference in [response.fields.first(.location), response.fields.first(.contentLocation)] {
      let resolved = reference.flatMap { Location.resolve($0, against: url.absoluteString) }
      guard let other = resolved.flatMap({ URL(string: $0) }), (try? TargetURI(other))?.origin == origin
      else { continue }
      cache.forget(other)
    }
  }
}
