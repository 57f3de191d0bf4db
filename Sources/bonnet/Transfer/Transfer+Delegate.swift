// SPDX-License-Identifier: MIT
import Bluebonnet

extension Transfer {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willSend head: Data, over connection: URLSessionConnection
  ) {
    guard context.trace.isOn else { return }
    traceConnection { $0.send(over: connection) }
    context.trace.tell(.headOut, Array(head))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    state.withLock { $0.facts.sent = Int(totalBytesSent) }
    guard context.trace.isOn else { return }
    let body: BodyPlan? =
      switch plan.content {
      case .data(let body, _), .upload(let body): body
      case .form, .standardInput, nil: nil
      }
    context.trace.tellSent(Int(bytesSent), of: body?.bytes, end: Int(totalBytesSent))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
  ) {
    show(response)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    do throws(CommandError) {
      completionHandler(try requests.newBodyStream())
    } catch {
      fail(error)
      completionHandler(nil)
    }
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
      let location = ResponseHeadText.values("Location", of: response).first,
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
    let space = challenge.protectionSpace
    if space.isProxy(), let trust = space.serverTrust { state.withLock { $0.facts.proxyTrust = trust } }
    if context.trace.isOn {
      let lines = challenges.certificateLines(challenge)
      state.withLock { $0.connection.hold(lines) }
    }
    do throws(CommandError) {
      let hop = state.withLock { $0.hop }
      let answer = try challenges.answer(challenge, credentials: hop.credentials)
      if answer.choosesBasic { state.withLock { $0.hop.hasChosenBasic = true } }
      completionHandler(answer.disposition, answer.credential)
    } catch {
      fail(error)
      completionHandler(.cancelAuthenticationChallenge, nil)
    }
  }

  /// A response that is answered with credentials is shown as the heads of other responses are.
  func urlSession(_ session: URLSession, task: URLSessionTask, willProveAfter response: HTTPURLResponse) {
    show(response)
    takeCookies(of: response)
    // The next request would send chunks to a server that may not know them.
    if response.minorVersion == 0, case .standardInput = plan.content, state.withLock({ $0.hop.sendsBody }) {
      fail(RequestBuilder.tooOldForChunks)
    }
  }

  private func takeCookies(of response: HTTPURLResponse) {
    context.cookies.take(
      ResponseHeadText.fields(of: response), from: state.withLock { $0.hop.cookiePlace },
      plan.operation.cookies)
  }

  /// A proxy's answer to CONNECT is shown as the heads of responses are.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveProxyResponse response: HTTPURLResponse
  ) {
    state.withLock { $0.facts.connectStatus = response.statusCode }
    let address = state.withLock { $0.hop.address }
    traceConnection { $0.hearProxy(about: "\(address.host):\(address.effectivePort)") }
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
    if context.trace.isOn, (200..<300).contains(response.statusCode) {
      context.trace.info("CONNECT tunnel established, response \(response.statusCode)")
    }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    guard let response = response as? HTTPURLResponse else { return completionHandler(.allow) }
    let line = Self.line(of: dataTask)
    noteRedirect(by: response, line)
    let use = use(of: response, line)
    takeCookies(of: response)
    noteVersion(of: response)
    state.withLock { $0.output.rename(by: response) }
    if case .failure(let error) = use, error.status == .tooLarge {
      // As curl has it: that it is too large is found out at the end of the head.
      show(ResponseHeadText.rawLines(of: response).dropLast())
    } else {
      show(response)
    }
    switch use {
    case .written, .refused: completionHandler(.allow)
    case .ignored:
      completionHandler(.allow)
      dataTask.endWithoutRest()
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

  /// Notes the facts about a response, and decides what becomes of its body.
  private func use(of response: HTTPURLResponse, _ line: String) -> Hop.BodyUse {
    func field(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }
    let request = plan.operation.request
    return state.withLock { state in
      state.facts.response = response
      state.facts.isUnmet = response.statusCode == 304
      state.facts.isDecoded =
        request.asksForCompression && !request.isRaw && field("Content-Encoding") != nil
      state.facts.receivedTotal =
        response.expectedContentLength >= 0 ? Int(response.expectedContentLength) : nil
      // Without one, the stored tag belongs to an earlier version; a 304 says nothing new.
      let tag =
        ResponseHeadText.values("ETag", of: response).first ?? (response.statusCode == 304 ? nil : "")
      if let tag { state.facts.entityTag = tag }
      if case .written = state.use {
        state.use = state.hop.use(
          status: response.statusCode, length: field("Content-Length").flatMap { Int64($0) }, shown: line,
          answer: ResponseHeadText.failure(of: response, to: plan.operation.authentication.methods),
          field: field)
      }
      return state.use
    }
  }

  private func noteVersion(of response: HTTPURLResponse) {
    let keeps = ["Connection", "Proxy-Connection"].contains {
      response.value(forHTTPHeaderField: $0)?.lowercased().contains("keep-alive") == true
    }
    if response.minorVersion == 0, keeps { context.oldServers.insert(state.withLock { $0.server }) }
  }

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
    if context.trace.isOn { traceEnd(of: task, error) }
    continuation?.resume()
  }

  private func traceEnd(of task: URLSessionTask, _ error: (any Error)?) {
    let host = task.currentRequest?.url?.host() ?? ""
    guard let error else { return context.trace.info("The response from \(host) is complete") }
    // What is cancelled because it is not wanted has not failed.
    let (facts, isDone) = state.withLock { ($0.facts, $0.isDone) }
    guard !isDone, let reason = facts.error else { return }
    let metrics = facts.metrics.last?.transactionMetrics.last
    traceConnection { $0.fail(error, reason, host: host, metrics) }
  }

  /// Shows a head wherever that was asked for, line by line as it came.
  private func show(_ response: HTTPURLResponse) { show(ResponseHeadText.rawLines(of: response)) }

  private func show(_ lines: some Collection<[UInt8]>) {
    let error = state.withLock { state -> CommandError? in
      state.facts.headBytes += lines.reduce(0) { $0 + $1.count }
      do throws(CommandError) {
        try state.output.write(head: lines)
        return nil
      } catch {
        return error
      }
    }
    if context.trace.isOn { for line in lines { context.trace.tell(.headIn, line) } }
    if let error { fail(error) }
  }

  private func write(_ data: Data) {
    let error = state.withLock { state -> CommandError? in
      guard state.facts.error == nil else { return nil }
      do throws(CommandError) {
        try state.output.write(data)
        return nil
      } catch {
        return error
      }
    }
    if let error { fail(error) }
  }

  /// Fields behind the body are shown where heads are, if the body is.
  private func showTrailers(of task: URLSessionTask) {
    let isWritten = state.withLock { state in if case .written = state.use { true } else { false } }
    let fields = task.responseTrailerFields
    guard isWritten, !fields.isEmpty else { return }
    show(fields.map { Array("\($0.name): \($0.value)\r\n".utf8) })
  }

  /// Method and address of the request that is under way, without secrets.
  private static func line(of task: URLSessionTask) -> String {
    let request = task.currentRequest ?? task.originalRequest
    let address = request?.url.map { RedactedURL($0.absoluteString).short } ?? ""
    return "\(request?.httpMethod ?? "GET") \(address)"
  }
}
