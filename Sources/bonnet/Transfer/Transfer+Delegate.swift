import Bluebonnet

extension Transfer {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willSend head: Data, over connection: URLSessionConnection
  ) {
    guard context.trace.isOn else { return }
    for line in ConnectionText.lines(connection, host: task.currentRequest?.url?.host() ?? "") {
      context.trace.info(line)
    }
    context.trace.tell(.headOut, Array(head))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    state.withLock { $0.facts.sent = Int(totalBytesSent) }
    guard context.trace.isOn else { return }
    context.trace.tellSent(Int(bytesSent), of: plan, end: Int(totalBytesSent))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
  ) {
    show(response)
  }

  /// Redirects are requests of their own here: the answer comes as it is.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    // An empty Location leads nowhere, as curl sees it.
    guard response.value(forHTTPHeaderField: "Location")?.isEmpty == false else {
      return completionHandler(nil)
    }
    let follows = plan.operation.redirects.follows
    state.withLock { state in
      guard follows else {
        state.facts.redirectURL = request.url.map { RequestAddress.shownRedirect($0) }
        return
      }
      do throws(CommandError) {
        state.next = try state.hop.next(to: request.url, status: response.statusCode)
        state.use = .ignored
      } catch {
        state.facts.redirectURL = request.url.map { RequestAddress.shownRedirect($0) }
        let line = Self.line(of: task)
        state.use = .failure(CommandError(error.status, "\(line): \(error.message)"))
      }
    }
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    if let trust = challenge.protectionSpace.serverTrust {
      return plan.operation.security.acceptsAnyCertificate
        ? completionHandler(.useCredential, URLCredential(trust: trust))
        : completionHandler(.performDefaultHandling, nil)
    }
    answer(challenge, completionHandler)
  }

  private func answer(
    _ challenge: URLAuthenticationChallenge,
    _ completionHandler: (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    if challenge.protectionSpace.isProxy() { return answerProxy(challenge, completionHandler) }
    let hop = state.withLock { $0.hop }
    let options = plan.operation.authentication
    let isAllowed = options.methods.answers(challenge.protectionSpace.authenticationMethod)
    guard isAllowed, options.methods != .basic, challenge.previousFailureCount == 0,
      let credentials = hop.credentials
    else { return completionHandler(.rejectProtectionSpace, nil) }
    if let response = challenge.failureResponse as? HTTPURLResponse {
      show(response)
      context.cookies.take(
        ResponseHeadText.fields(of: response), from: response.url ?? URL(fileURLWithPath: "/"))
    }
    completionHandler(
      .useCredential,
      URLCredential(user: credentials.user, password: credentials.password, persistence: .none))
  }

  /// What a proxy answers to being asked for a tunnel is shown as heads of responses are.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveProxyResponse response: HTTPURLResponse
  ) {
    state.withLock { $0.facts.connectStatus = response.statusCode }
    if (200..<300).contains(response.statusCode) {
      // RFC 9110 §9.3.6.
      for name in ["Content-Length", "Transfer-Encoding"]
      where response.value(forHTTPHeaderField: name) != nil {
        context.trace.info("Ignoring \(name) in CONNECT \(response.statusCode) response")
      }
    }
    if !plan.operation.proxy.hidesConnectHeads { show(response) }
  }

  private func answerProxy(
    _ challenge: URLAuthenticationChallenge,
    _ completionHandler: (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let options = plan.operation.proxy
    guard options.methods.answers(challenge.protectionSpace.authenticationMethod),
      challenge.previousFailureCount == 0, let user = options.user
    else { return completionHandler(.rejectProtectionSpace, nil) }
    let (name, password) = ProxyChoice.credentials(user)
    completionHandler(.useCredential, URLCredential(user: name, password: password, persistence: .none))
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    guard let response = response as? HTTPURLResponse else { return completionHandler(.allow) }
    let line = Self.line(of: dataTask)
    let use = state.withLock { state in
      state.facts.response = response
      state.facts.isUnmet = response.statusCode == 304
      if case .written = state.use {
        state.use = state.hop.use(
          status: response.statusCode,
          length: response.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }, shown: line,
          answer: Self.answer(response), field: { response.value(forHTTPHeaderField: $0) })
      }
      state.facts.receivedTotal =
        response.expectedContentLength >= 0 ? Int(response.expectedContentLength) : nil
      return state.use
    }
    if let tag = response.value(forHTTPHeaderField: "ETag") { state.withLock { $0.entityTag = tag } }
    context.cookies.take(
      ResponseHeadText.fields(of: response),
      from: state.withLock { cookieURL(of: $0.hop) } ?? response.url ?? plan.fallbackURL)
    nameOutput(by: response)
    if case .failure(let error) = use, error.status == .errorStatus {
      // As curl has it: the head is shown all the same.
      show(response)
      fail(error)
      return completionHandler(.cancel)
    }
    show(response)
    switch use {
    case .written:
      if let error = unknownCoding(of: response) {
        fail(error)
        return completionHandler(.cancel)
      }
      completionHandler(.allow)
    case .ignored: completionHandler(.allow)
    case .unwanted:
      state.withLock { state in
        state.isDone = true
        if !plan.operation.request.asksForHead { state.facts.isUnmet = true }
      }
      completionHandler(.cancel)
    case .failure(let error):
      fail(error)
      completionHandler(.cancel)
    }
  }

  /// Who asks for `--compressed` wants the content, or nothing if it cannot be had.
  private func unknownCoding(of response: HTTPURLResponse) -> CommandError? {
    guard plan.operation.request.asksForCompression, !plan.operation.request.isRaw, plan.method != "HEAD"
    else { return nil }
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
  private static let decodedCodings: Set = ["br", "gzip", "x-gzip", "deflate", "identity", "none", ""]

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    context.trace.tell(.dataIn, Array(data))
    let isWritten = state.withLock { state in
      if case .written = state.use { return !state.isDone }
      return false
    }
    guard isWritten else { return }
    let received = state.withLock { $0.facts.received }
    if sparesTerminal, received < 2_000, data.contains(0) {
      let advice = "-o - writes it all the same, -o FILE to a file"
      return fail(CommandError(.writeFailed, "binary output can mess up a terminal; \(advice)"))
    }
    write(data)
    let pause = state.withLock { state in
      state.facts.received += data.count
      guard let limit = plan.operation.output.rateLimit else { return Duration.zero }
      return state.pace.pause(after: data.count, bytesPerSecond: limit)
    }
    if pause > .zero { Pace.sleep(pause) }
  }

  private var sparesTerminal: Bool {
    plan.place == .standardOutput && context.writesToTerminal && !plan.operation.outputs.contains(.file("-"))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) {
    state.withLock { $0.facts.metrics.append(metrics) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    // What came of a head before the line that breaks a rule is shown, as curl does.
    if let lines = (error as? URLError)?.transportFailure?.linesBeforeFault, !lines.isEmpty {
      show(ResponseHeadText.rawLines(Array(lines)))
    }
    let continuation = state.withLock { state in
      if state.facts.error == nil, !state.isDone, let error {
        let hasHead = state.facts.response != nil && state.facts.response === task.response
        state.facts.error = CommandError(error, hasHead: hasHead)
      }
      return state.continuation.take()
    }
    if context.trace.isOn, error == nil, let host = task.currentRequest?.url?.host() {
      context.trace.info("The response from \(host) is complete")
    }
    continuation?.resume()
  }

  /// Method and address of the request that is under way, without secrets.
  static func line(of task: URLSessionTask) -> String {
    let request = task.currentRequest ?? task.originalRequest
    let address = request?.url.map { ShownAddress($0.absoluteString).short } ?? ""
    return "\(request?.httpMethod ?? "GET") \(address)"
  }

  /// A status that is an error, and how the server wants to be answered if that is the matter.
  static func answer(_ response: HTTPURLResponse) -> String {
    let status = response.statusCode
    let answer = "the server answered \(status) (\(HTTPURLResponse.localizedString(forStatusCode: status)))"
    guard status == 401 else { return answer }
    let schemes = response.demandedAuthenticationSchemes.map { $0.prefix(1).uppercased() + $0.dropFirst() }
    guard !schemes.isEmpty, !schemes.contains("Basic") else { return answer }
    return answer + "; it wants \(schemes.joined(separator: " or ")) authentication, and -u gives Basic"
  }
}

extension AuthenticationOptions.Methods {
  /// Whether a challenge of this kind may be answered.
  func answers(_ method: String) -> Bool {
    switch method {
    case NSURLAuthenticationMethodHTTPBasic: contains(.basic)
    case NSURLAuthenticationMethodHTTPDigest: contains(.digest)
    case NSURLAuthenticationMethodNTLM: contains(.ntlm)
    case NSURLAuthenticationMethodNegotiate: contains(.negotiate)
    default: false
    }
  }
}

extension TransferPlan {
  /// Where a response is from that does not say so.
  var fallbackURL: URL { URL(fileURLWithPath: "/") }
}

extension RequestAddress {
  /// Where a redirect leads, as `%{redirect_url}` has it.
  static func shownRedirect(_ url: URL) -> String {
    (try? RequestAddress(url.absoluteString).textWithUser) ?? url.absoluteString
  }

  private var textWithUser: String {
    guard let user else { return text }
    return "\(scheme)://\(user)\(password.map { ":" + $0 } ?? "")@\(authority)\(target)"
  }
}
