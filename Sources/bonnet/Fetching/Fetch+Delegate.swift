import Bluebonnet

extension Fetch {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    // An empty Location leads nowhere, as curl sees it.
    guard plan.follows, response.value(forHTTPHeaderField: "Location")?.isEmpty == false else {
      return completionHandler(nil)
    }
    show(response, of: task)
    let count = state.withLock { state in
      state.outcome.redirects += 1
      return state.outcome.redirects
    }
    guard count <= plan.redirectLimit else {
      fail(
        CommandError(.tooManyRedirects, "\(Self.line(of: task)): more than \(plan.redirectLimit) redirects"),
        stopping: task)
      return completionHandler(nil)
    }
    let next = redirected(request, by: response.statusCode)
    if settings.isVerbose { tellRequest(next) }
    completionHandler(next)
  }

  /// What `-X` says holds for every request, as curl has it; only the body stays behind.
  private func redirected(_ request: URLRequest, by status: Int) -> URLRequest {
    guard plan.keepsMethod, plan.method != "HEAD", (301...303).contains(status) else { return request }
    var request = request
    request.httpMethod = plan.method
    guard plan.body != nil else { return request }
    request.httpBody = nil
    request.httpBodyStream = nil
    for name in ["Content-Type", "Content-Length", "Transfer-Encoding"] {
      request.setValue(nil, forHTTPHeaderField: name)
    }
    return request
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    completionHandler(plan.body.map(BodyStream.init))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard settings.acceptsAnyCertificate, let trust = challenge.protectionSpace.serverTrust else {
      return completionHandler(.performDefaultHandling, nil)
    }
    completionHandler(.useCredential, URLCredential(trust: trust))
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    guard let response = response as? HTTPURLResponse else { return completionHandler(.allow) }
    state.withLock { $0.outcome.response = response }
    show(response, of: dataTask)
    if settings.failsOnErrorStatus, response.statusCode >= 400 {
      fail(
        CommandError(.errorStatus, "\(Self.line(of: dataTask)): \(Self.answer(response))"), stopping: dataTask
      )
      return completionHandler(.cancel)
    }
    if let commandError = unknownCoding(of: response) {
      fail(commandError, stopping: dataTask)
      return completionHandler(.cancel)
    }
    if settings.stopsAfterHead {
      state.withLock { $0.isDone = true }
      return completionHandler(.cancel)
    }
    completionHandler(.allow)
  }

  /// Who asks for `--compressed` wants the content, or nothing if it cannot be had.
  private func unknownCoding(of response: HTTPURLResponse) -> CommandError? {
    guard plan.isCompressed, plan.method != "HEAD" else { return nil }
    let codings = (response.value(forHTTPHeaderField: "Content-Encoding") ?? "").split(separator: ",")
    let unknown = codings.map { $0.trimmingCharacters(in: .whitespaces) }.first {
      !Self.decodedCodings.contains($0.lowercased())
    }
    return unknown.map {
      CommandError(
        .badCoding,
        "the server chose a content coding that was not asked for: content coding \($0) is not supported")
    }
  }

  /// What the library decodes, and what stands for nothing.
  private static let decodedCodings: Set = ["br", "gzip", "x-gzip", "deflate", "identity", ""]

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    if settings.sparesTerminal, data.contains(0), state.withLock({ $0.outcome.received < 2_000 }) {
      let advice = "-o - writes it all the same, -o FILE to a file"
      return fail(
        CommandError(.writeFailed, "binary output can mess up a terminal; \(advice)"), stopping: dataTask)
    }
    write(data, of: dataTask)
    state.withLock { state in
      state.outcome.received += Int64(data.count)
      let total = state.outcome.response?.expectedContentLength ?? -1
      state.progress?.show(received: state.outcome.received, total: total >= 0 ? total : nil)
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) {
    state.withLock { $0.outcome.metrics = metrics }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let continuation = state.withLock { state in
      let hasHead = state.outcome.response != nil
      if state.commandError == nil, !state.isDone, let error {
        state.commandError = CommandError(error, hasHead: hasHead)
      }
      do throws(CommandError) {
        // An empty body makes an empty file, too.
        if state.commandError == nil { _ = try state.output.open() }
        try state.output.close()
      } catch {
        if state.commandError == nil { state.commandError = error }
      }
      if hasHead {
        let received = state.outcome.received
        state.progress?.show(received: received, total: error == nil ? received : nil, isLast: true)
      }
      return state.continuation.take()
    }
    continuation?.resume()
  }
}
