// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLoading
import BluebonnetSemantics
import BluebonnetTransport

/// Takes a load where a response sends it: the listener is asked, and the next request is made of what it answers.
struct RedirectDriver {
  let load: Load

  /// A redirect has come; it may be followed.
  func examine() {
    // WHATWG, WebSockets §2: a handshake that is sent elsewhere has failed.
    guard load.state.webSocket == nil || load.engine.settings.followsWebSocketRedirects,
      let url = load.state.request.url
    else {
      return load.responsePassed()
    }
    load.run(
      load.state.machine.redirect(method: load.state.request.httpMethod ?? "GET", url: url.absoluteString))
  }

  func ask(_ question: QuestionLog.Question, _ redirect: RedirectPolicy.Redirect) {
    let proposal = load.state.machine.redirects.proposal(for: redirect, to: load.state.request)
    guard let listener = load.listener, let response = load.state.response else {
      return redirected(question, to: proposal.request, proposal)
    }
    listener.ask(
      .redirect(response, proposal.request) { [load] chosen in
        load.engine.loop.execute { redirected(question, to: chosen, proposal) }
      }, of: load.state.task)
    load.holdWhileDeciding()
  }

  private func redirected(
    _ question: QuestionLog.Question, to chosen: URLRequest?, _ proposal: RedirectPolicy.Proposal
  ) {
    guard load.take(question) else { return }
    guard let chosen else {
      // Not followed: the 3xx itself is the response, body and all.
      load.run(.deliver)
      return load.releaseDecision()
    }
    // Only now, because a redirect that is not followed is an answer wherever it leads.
    if let obstacle = proposal.obstacle(to: chosen) ?? webSocketObstacle(to: chosen) {
      return load.stop(obstacle)
    }
    follow(chosen, insteadOf: proposal.request)
  }

  /// The listener's choice is sent, once the response is out of the way.
  func follow(_ chosen: URLRequest, insteadOf proposal: URLRequest) {
    load.state.nextRequest = chosen
    load.state.nextHasOtherBody = hasOtherBody(chosen, than: proposal)
    load.run(.discard(.follow))
  }

  /// Whether the listener has given the request a body that is neither the proposal's nor the last request's. That of an upload is
  /// not the request's, and the handshake of a WebSocket has none.
  private func hasOtherBody(_ chosen: URLRequest, than proposal: URLRequest) -> Bool {
    guard case .ofRequest = load.state.task.body, load.state.webSocket == nil,
      chosen.httpBody != nil || chosen.httpBodyStream != nil
    else { return false }
    return ![proposal, load.state.request].contains {
      $0.httpBody == chosen.httpBody && $0.httpBodyStream === chosen.httpBodyStream
    }
  }

  /// Messages that were to be encrypted are not sent in clear text, wherever a redirect leads.
  private func webSocketObstacle(to chosen: URLRequest) -> URLError? {
    guard load.state.webSocket != nil, load.currentTarget?.origin.isSecure == true, let url = chosen.url,
      let target = try? TargetURI.of(url), !target.origin.isSecure
    else { return nil }
    return .loading(
      .appTransportSecurityRequiresSecureConnection, url: load.state.request.url, phase: .redirecting,
      reason: "it leads a secure WebSocket to \(url.shown), where its messages would be sent in clear text")
  }

  /// Sends the next request of this task.
  ///
  /// - Parameter leaveOrigin: Called if it goes to another origin: forgets the challenges of this one.
  func sendNext(_ next: URLRequest, leaveOrigin: () -> Void) {
    let hasOtherBody = load.state.nextHasOtherBody
    load.state.nextHasOtherBody = false
    let dropsBody = redirectDropsBody(next)
    var next = next
    // Credentials accepted or rejected elsewhere mean nothing here.
    if load.state.credentials.move(from: load.state.request.url, to: &next) { leaveOrigin() }
    if !dropsBody, !hasOtherBody, let coding = load.prepared.contentCoding {
      next = next.naming(coding)
      next.bodyCoding = next.bodyCoding ?? load.state.request.bodyCoding
    }
    let status = load.state.response?.statusCode
    load.state.request = next
    load.state.response = nil
    load.state.task.setCurrentRequest(next, hasLeftOrigin: load.state.credentials.hasLeft)
    if hasOtherBody {
      return BodyRenewal(load: load).takeBody(of: next)
    } else if dropsBody {
      load.state.body = .none
    } else if case .source(let source) = load.state.body, !source.rewind() {
      return BodyRenewal(load: load).replace(source, of: next, after: status)
    }
    load.prepareAndSend(next)
  }

  /// RFC 9110 §15.4: a request rewritten to GET has no content, nor has one without a body by the delegate.
  private func redirectDropsBody(_ next: URLRequest) -> Bool {
    guard next.httpBody == nil, next.httpBodyStream == nil else { return false }
    // It may have lost it on the way.
    if case .none = load.state.body { return true }
    if case .ofRequest = load.state.task.body { return true }
    // An upload's body is not the request's: it goes with the method that it is for.
    return next.httpMethod != load.state.request.httpMethod
      && (next.httpMethod == "GET" || next.httpMethod == "HEAD")
  }
}
