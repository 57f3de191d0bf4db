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
  ) { completionHandler(nil) }

  /// Finds out where a response leads, if it does (RFC 9110 §15.4).
  private func noteRedirect(by response: HTTPURLResponse, _ line: String) {
    // An empty Location leads nowhere, as curl sees it; of several, the first one does.
    guard (300..<400).contains(response.statusCode),
      let location = ResponseHeadText.fields(of: response).first(where: { $0.name.lowercased() == "location" }
      )?
      .value,
      !location.isEmpty
    else { return }
    let follows = plan.operation.redirects.follows
    state.withLock { state in
      do throws(CommandError) {
        var next = try state.hop.next(to: location, status: response.statusCode)
        if response.minorVersion == 0 { next.hasMetHTTP10 = true }
        if follows {
          state.next = next
          state.use = .ignored
        } else {
          state.facts.redirectURL = next.address.shown
        }
      } catch {
        // Where a redirect too many would have led is told, too.
        if !follows || error.status == .tooManyRedirects {
          let rules = RequestAddress.Rules(keepsDots: plan.operation.request.keepsDots)
          state.facts.redirectURL =
            (try? state.hop.address.following(location, rules: rules))?.shown ?? location
        }
        if follows { state.use = .failure(CommandError(error.status, "\(line): \(error.message)")) }
      }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    if let trust = challenge.protectionSpace.serverTrust {
      if context.trace.isOn { context.trace.certificate(trust, plan.operation.security) }
      if plan.operation.security.checksStatus,
        let error = CertificateStatusCheck.error(of: trust, plan.operation.security)
      {
        fail(error)
        return completionHandler(.cancelAuthenticationChallenge, nil)
      }
      let pins = plan.operation.security.pins
      // An untrusted certificate is refused for that, whatever its key.
      let isTrusted = plan.operation.security.acceptsAnyCertificate || SecTrustEvaluateWithError(trust, nil)
      if !pins.isEmpty, isTrusted {
        guard let key = SecTrustGetCertificateAtIndex(trust, 0), pins.contains(where: { $0.fits(key) }) else {
          let host = challenge.protectionSpace.host
          fail(CommandError(.badPin, "the key of \(host) is none of those that --pinnedpubkey names"))
          return completionHandler(.cancelAuthenticationChallenge, nil)
        }
      }
      return plan.operation.security.acceptsAnyCertificate
        ? completionHandler(.useCredential, URLCredential(trust: trust))
        : completionHandler(.performDefaultHandling, nil)
    }
    // What it has is the session's.
    if challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodClientCertificate {
      return completionHandler(.performDefaultHandling, nil)
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
    if challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic {
      state.withLock { $0.hop.hasChosenBasic = true }
    }
    // Of Negotiate the ticket is the proof, whatever -u says.
    let isTicket =
      challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodNegotiate
    completionHandler(
      .useCredential,
      URLCredential(
        user: isTicket ? "" : credentials.user, password: isTicket ? "" : credentials.password,
        persistence: .none))
  }

  /// A response that is answered with credentials is shown as the heads of other responses are.
  func urlSession(_ session: URLSession, task: URLSessionTask, willProveAfter response: HTTPURLResponse) {
    show(response)
    takeCookies(of: response)
    // The next request would send chunks to a server that may not know them.
    if response.minorVersion == 0, case .standardInput = plan.content, state.withLock({ $0.hop.sendsBody }) {
      fail(Self.tooOldForChunks)
    }
  }

  private func takeCookies(of response: HTTPURLResponse) {
    context.cookies.take(
      ResponseHeadText.fields(of: response), from: cookiePlace(of: state.withLock { $0.hop }),
      plan.operation.cookies)
  }

  /// A proxy's answer to CONNECT is shown as the heads of responses are.
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
    if plan.operation.proxy.hidesConnectHeads {
      let count = ResponseHeadText.rawLines(of: response).reduce(0) { $0 + $1.count }
      state.withLock { $0.facts.headBytes += count }
    } else {
      show(response)
    }
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
    noteRedirect(by: response, line)
    let use = state.withLock { state in
      state.facts.response = response
      state.facts.isUnmet = response.statusCode == 304
      let request = plan.operation.request
      state.facts.isDecoded =
        request.asksForCompression && !request.isRaw
        && response.value(forHTTPHeaderField: "Content-Encoding") != nil
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
    // Without one, the stored tag belongs to an earlier version; a 304 says nothing new.
    let tag = ResponseHeadText.values("ETag", of: response).first ?? (response.statusCode == 304 ? nil : "")
    if let tag { state.withLock { $0.entityTag = tag } }
    takeCookies(of: response)
    noteVersion(of: response)
    nameOutput(by: response)
    if case .failure(let error) = use, error.status == .errorStatus {
      // As curl has it: the head is shown all the same.
      show(response)
      fail(error)
      return completionHandler(.cancel)
    }
    if case .failure(let error) = use, error.status == .tooLarge {
      // As curl has it: that it is too large is found out at the end of the head.
      show(ResponseHeadText.rawLines(of: response).dropLast())
    } else {
      show(response)
    }
    switch use {
    case .written:
      if let error = unknownCoding(of: response) {
        fail(error)
        return completionHandler(.cancel)
      }
      completionHandler(.allow)
    case .ignored:
      completionHandler(.allow)
      dataTask.endWithoutRest()
    case .refused: completionHandler(.allow)
    case .unwanted:
      state.withLock { state in
        state.isDone = true
        if !plan.operation.request.asksForHead { state.facts.isUnmet = true }
        state.facts.isTooOldOrNew = plan.operation.request.timeCondition != nil && (plan.resumesAt ?? 0) == 0
      }
      completionHandler(.cancel)
    case .failure(let error):
      fail(error)
      completionHandler(.cancel)
    }
  }

  private func noteVersion(of response: HTTPURLResponse) {
    let keeps = ["Connection", "Proxy-Connection"].contains {
      response.value(forHTTPHeaderField: $0)?.lowercased().contains("keep-alive") == true
    }
    if response.minorVersion == 0, keeps { context.oldServers.insert(state.withLock { $0.server }) }
  }

  /// With `--compressed` the content is wanted, or nothing if it cannot be had.
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

  /// The codings that the library decodes, and the one that stands for nothing.
  private static let decodedCodings: Set = ["br", "gzip", "x-gzip", "deflate", "identity", "none", ""]

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    context.trace.tell(.dataIn, Array(data))
    let use = state.withLock { $0.isDone ? .ignored : $0.use }
    if case .refused(let error) = use { return fail(error) }
    guard case .written = use else { return }
    let received = state.withLock { $0.facts.received }
    if sparesTerminal, received < 2_000, data.contains(0) {
      let advice = "-o - writes it all the same, -o FILE to a file"
      return fail(CommandError(.writeFailed, "binary output can mess up a terminal; \(advice)"))
    }
    let room = plan.operation.output.sizeLimit.map { max(0, $0 - received) } ?? data.count
    write(data.prefix(room))
    if data.count > room {
      // Of a body without a length, and of one that grows when it is decoded, the size is found out here.
      state.withLock { $0.facts.received += room }
      return fail(
        CommandError(.tooLarge, "\(Self.line(of: dataTask)): it has more bytes than --max-filesize allows"))
    }
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
    showTrailers(of: task)
    let continuation = state.withLock { state in
      if state.facts.error == nil, !state.isDone, let error {
        let hasHead = state.facts.response != nil && state.facts.response === task.response
        state.facts.error = CommandError(error, hasHead: hasHead)
        // The field in question is not told here, but a caller that states a limit means this one.
        if plan.operation.output.sizeLimit != nil,
          (error as? URLError)?.transportFailure?.violation?.rule == .invalidContentLength
        {
          state.facts.error = state.facts.error.map { CommandError(.tooLarge, $0.message) }
        }
      }
      return state.continuation.take()
    }
    if context.trace.isOn, error == nil, let host = task.currentRequest?.url?.host() {
      context.trace.info("The response from \(host) is complete")
    }
    continuation?.resume()
  }

  /// Fields behind the body are shown where heads are, if the body is.
  private func showTrailers(of task: URLSessionTask) {
    let isWritten = state.withLock { state in if case .written = state.use { true } else { false } }
    let fields = task.responseTrailerFields
    guard isWritten, !fields.isEmpty else { return }
    show(fields.map { Array("\($0.name): \($0.value)\r\n".utf8) })
  }

  /// Method and address of the request that is under way, without secrets.
  static func line(of task: URLSessionTask) -> String {
    let request = task.currentRequest ?? task.originalRequest
    let address = request?.url.map { RedactedURL($0.absoluteString).short } ?? ""
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
