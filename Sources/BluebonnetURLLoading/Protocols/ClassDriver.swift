// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLoading
import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetTransport

/// Has a class load a request in a server's place, and tells the load what the class says.
final class ClassDriver {
  private let load: LoadDriver

  init(of load: LoadDriver) { self.load = load }

  /// Asks the caller's classes, which takes code of the caller's and therefore does not happen in loop context.
  func choose() {
    guard let protocols = load.engine.protocols else { return load.requestPassed() }
    DispatchQueue.global().async { [load, task = load.state.task] in
      let type = protocols.first(for: task)
      load.engine.loop.execute {
        if load.state.isOver { return }
        if let type { ClassDriver(of: load).begin(type) } else { load.requestPassed() }
      }
    }
  }

  func begin(_ type: URLProtocol.Type) {
    load.state.machine.load()
    load.prepared.drop()
    if let refusal = load.engine.requestBuilder.refusalOfAll(for: load.state.request.url) {
      return load.finish(refusal)
    }
    var request = complete(load.state.request)
    switch (load.state.body, load.state.task.body) {
    case (.none, _): break
    case (.source(let source as DataBodySource), _): request.httpBody = source.data
    case (.source(let source as ProducedBodySource), _): request.httpBodyStream = source.stream
    case (_, .file(let url)): request.httpBodyStream = InputStream(url: url)
    case (.source(let source as BlockingBodySource), _): request.httpBodyStream = source.lentStream
    case (_, .ofRequest), (_, .data), (_, .produced), (_, .resumption), (_, .streamed): break
    }
    // The body is in its coding already.
    if request.bodyCoding != nil { request.bodyCoding = nil }
    // What is not in the memory is waited for.
    let mayWait = load.engine.settings.urlCache?.storage.store != nil
    load.consult(
      on: mayWait ? .global() : nil,
      { [request, settings = load.engine.settings] in
        (settings.urlCache?.cachedResponse(for: request), settings.copyLimit)
      }
    ) { [load, request] cached, limit in
      if load.state.isOver { return }
      load.state.incoming.copyLimit = limit
      let source = ProtocolLoad(type, client: ClassDriver(of: load), loop: load.engine.loop)
      load.state.source = source
      let silence = request.statedTimeoutInterval ?? load.engine.settings.timeoutIntervalForRequest
      source.start(
        load.state.task, request, cached: cached, holds: load.state.incoming.holds,
        silenceLimit: Timeouts.nanoseconds(silence))
    }
  }

  /// The request as a class is given it: with the credentials that its URL had, which the URL does not name any more, and with the
  /// fields of the session's that would go over the wire.
  private func complete(_ request: URLRequest) -> URLRequest {
    var complete = request
    if let authorization = load.state.credentials.authorization,
      request.value(forHTTPHeaderField: "Authorization") == nil
    {
      complete.setValue(authorization, forHTTPHeaderField: "Authorization")
    }
    for field in load.engine.requestBuilder.additionalFields(of: complete, load.state.credentials) {
      complete.headerFields[field.name] = field.value
    }
    return complete
  }
}

extension ClassDriver: ProtocolLoadClient {
  func load(_ source: ProtocolLoad, didReceive response: URLResponse, mayBeKept: Bool) {
    // Behind a redirect that is followed.
    if case .discarding = load.state.phase { return }
    let head = response as? HTTPURLResponse
    load.state.response = head
    let length = response.expectedContentLength
    load.state.bodyLength = length < 0 ? nil : Int(length)
    if case .file(let file) = load.state.incoming.sink {
      let download = DownloadDriver(load: load, file: file)
      if let head, download.accepts(head) { return }
      if head == nil { download.startsOver() }
    }
    load.begin(response, of: length, isKept: mayBeKept && head.map(isKept) == true)
    load.delivery.takeBody(of: response)
  }

  /// Whether a response that was loaded without the cache may be stored.
  private func isKept(_ response: HTTPURLResponse) -> Bool {
    guard let session = load.engine.cache, let driver = CacheDriver.make(for: load, in: session) else {
      return false
    }
    load.leaveCache()
    load.cache = driver
    return driver.keeps(response)
  }

  func load(_ source: ProtocolLoad, didReceive data: Data) {
    if case .receiving = load.state.phase { load.receive(data) }
  }

  func load(_ source: ProtocolLoad, wasRedirectedTo next: URLRequest, by response: URLResponse) {
    if case .discarding = load.state.phase { return }
    let proposed = withoutCredentials(next)
    let limit = load.engine.settings.redirectLimit
    guard load.state.localRedirects < limit else {
      return load.stop(
        URLError.loading(
          .httpTooManyRedirects, url: proposed.url, phase: .redirecting,
          reason: "more than \(limit) redirects"))
    }
    load.state.localRedirects += 1
    let question = load.state.machine.ask(.redirect)
    load.hold(.decision)
    guard let listener = load.listener, let head = response as? HTTPURLResponse else {
      return Self.redirected(load, question, to: proposed, from: proposed, by: response, source)
    }
    listener.ask(
      .redirect(head, proposed) { [load] chosen in
        load.engine.loop.execute {
          Self.redirected(load, question, to: chosen, from: proposed, by: response, source)
        }
      }, of: load.state.task)
  }

  /// A class may have made its proposal from the request that it got, with fields meant for one origin: the
  /// caller's, and the credentials of the URL in another. Fields of the class's own are its own affair.
  private func withoutCredentials(_ next: URLRequest) -> URLRequest {
    guard let from = load.state.request.url, let to = next.url else { return next }
    if RedirectPolicy.staysAtOrigin(from: from, to: try? TargetURI(to)) || Self.areOfOneScheme(from, to) {
      return next
    }
    let given = complete(load.state.request)
    var next = next
    for name in RequestCredentials.boundFieldNames {
      guard let value = next.value(forHTTPHeaderField: name), value == given.value(forHTTPHeaderField: name)
      else { continue }
      next.setValue(nil, forHTTPHeaderField: name)
    }
    next.rawOptions = next.rawOptions?.forAnotherOrigin
    return next
  }

  /// Whether a class has been sent elsewhere under a scheme of its own: only it knows what an origin is there.
  private static func areOfOneScheme(_ from: URL, _ to: URL) -> Bool {
    guard (try? TargetURI.of(from)) == nil else { return false }
    return from.scheme?.asciiLowercased == to.scheme?.asciiLowercased
      && from.host()?.asciiLowercased == to.host()?.asciiLowercased && from.port == to.port
  }

  private static func redirected(
    _ load: LoadDriver, _ question: QuestionLog.Question, to chosen: URLRequest?, from proposed: URLRequest,
    by response: URLResponse, _ source: ProtocolLoad
  ) {
    guard load.take(question), load.state.source === source else { return }
    guard let chosen else {
      // Not followed: the redirect itself is the response.
      load.state.machine.load()
      source.accept(response)
      return load.releaseDecision()
    }
    RedirectDriver(load: load).follow(chosen, insteadOf: proposed)
  }

  func load(
    _ source: ProtocolLoad, didReceive challenge: URLAuthenticationChallenge,
    answer: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard let listener = load.listener else { return answer(.performDefaultHandling, nil) }
    let first = SingleAnswer()
    listener.ask(
      .challenge(challenge) { [load] disposition, credential in
        if first.take() { return answer(disposition, credential) }
        load.engine.loop.execute { load.reportIgnoredAnswer(to: .credential) }
      }, of: load.state.task)
  }

  func load(_ source: ProtocolLoad, didFinishWith error: (any Error)?) {
    // A transaction without a connection, so that the metrics show that there was one.
    var connection = URLSessionTaskTransactionMetrics.Connection()
    connection.protocolName = nil
    load.sourceEnded(
      .measured(
        URLSessionTaskTransactionMetrics(
          request: load.state.request, response: load.state.task.response, resourceFetchType: .unknown,
          clock: load.clock,
          instants: .init(), connection: connection, sizes: .init())), error)
  }
}
