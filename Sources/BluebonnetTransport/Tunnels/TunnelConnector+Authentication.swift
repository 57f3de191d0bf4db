// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetProxies
import BluebonnetSemantics

/// One question to an HTTP proxy and its answer.
struct TunnelRound {
  /// The step after the end of the answer.
  enum Next {
    /// The proxy's refusal stands.
    case refuse
    /// With credentials: once more.
    case again(overSameConnection: Bool)
    /// The client is asked for credentials.
    case awaitAnswer
  }

  /// The number of this round.
  var number = 0
  /// The head of the refusal, once it has come.
  var refusal: ResponseHead?
  var next = Next.refuse
  var hasEnded = false
  /// The connection may carry another question. Meaningful once the answer has ended.
  var lasts = false
  /// The connection has carried a question before.
  var isOnUsedConnection = false
  /// The question is not asked yet, because what goes with it takes a while to make. What comes meanwhile is no answer to it.
  var isBeingProved = false

  /// Begins another one.
  mutating func begin() {
    self = TunnelRound(number: number + 1, isOnUsedConnection: lasts)
  }
}

// CONNECT, and authentication.
extension TunnelConnector {
  /// Asks with the credentials at hand.
  func authorize() {
    round.begin()
    guard round.number <= ChallengeStage.failureLimit, let target = exchange?.authority else {
      return fail(.authentication("the proxy rejected too many credentials"))
    }
    do throws(AuthenticationFault) {
      let asked = AuthenticatedRequest(method: "CONNECT", target: target)
      let proof = try pool.withCredentials { cache throws(AuthenticationFault) in
        try challenges?.authentication.proof(for: asked, cache: &cache) ?? .none
      }
      switch proof {
      case .none where round.number == 1:
        challenges?.sentBasicAtOnce = hop.authorization != nil
        ask(with: hop.server.authorizationAtOnce.map { FieldValue($0) })
      case .none: ask(with: nil)
      case .field(let value): ask(with: value)
      case .later(let work): authorize(by: work)
      }
    } catch {
      fail(.authentication("\(error)"))
    }
  }

  /// Takes a while, and may block.
  private func authorize(by work: @escaping @Sendable () -> Result<FieldValue, AuthenticationFault>) {
    let connector = LoopConfined(self)
    round.isBeingProved = true
    do throws(SystemError) {
      try SystemThread.start(name: "bluebonnet-proof") { [loop] in
        let result = work()
        loop.execute { connector.value.proved(result) }
      }.detach()
    } catch {
      fail(.network(error))
    }
  }

  private func proved(_ result: Result<FieldValue, AuthenticationFault>) {
    guard case .asking = stage else { return }
    round.isBeingProved = false
    do throws(AuthenticationFault) {
      guard let field = try challenges?.authentication.made(result) else {
        round.number -= 1
        return authorize()
      }
      ask(with: field)
    } catch {
      fail(.authentication("\(error)"))
    }
  }

  private func ask(with authorization: FieldValue?) {
    do throws(HTTP1Error) {
      guard let head = try exchange?.start(authorization: authorization) else { return }
      send(head)
    } catch {
      fail(.invalidRequest(error))
    }
  }

  /// Takes the received part of the proxy's answer.
  func takeAnswer() {
    while case .asking = stage, !round.hasEnded, !round.isBeingProved {
      var consumed = 0
      do throws(HTTP1Error) {
        let action = try exchange?.receive(in: pending.span, consumed: &consumed)
        pending.removeFirst(consumed)
        switch action {
        case .needsMore, nil: return
        case .interim(let head): client?.tunnelReceived(head)
        case .open(let head): return opened(head)
        case .refused(let head): refused(head)
        case .end(let mayAskAgain): ended(mayAskAgain: mayAskAgain && pending.isEmpty)
        }
      } catch {
        return fail(error.isOfTLSAlert(in: pending) ? .securePort(error) : .malformed(error))
      }
    }
  }

  /// The proxy has ended the connection, or it has broken.
  func answerEnded(_ fault: ChannelFault?) {
    guard !round.hasEnded else { return }
    do throws(HTTP1Error) {
      _ = try exchange?.peerEnded()
      ended(mayAskAgain: false)
    } catch {
      // What it refused, it refused; that the rest of its answer does not come changes nothing.
      if round.refusal != nil { return ended(mayAskAgain: false) }
      // It had said that its connection lasts, and hung up all the same.
      if round.isOnUsedConnection, pending.isEmpty {
        round.next = .again(overSameConnection: challenges?.authentication.isBoundToConnection ?? false)
        return ended(mayAskAgain: false)
      }
      if case .network(let error) = fault { return fail(.network(error)) }
      fail(pending.isEmpty ? .noResponse : .truncated(error))
    }
  }

  private func opened(_ head: ResponseHead) {
    client?.tunnelReceived(head)
    if case .fail(let fault) = received(head) { return fail(.authentication("\(fault)")) }
    answer?.whenAccepted()
    succeed()
  }

  private func refused(_ head: ResponseHead) {
    client?.tunnelReceived(head)
    round.refusal = head
    let isChallenge = head.status == AuthenticationSide.proxy.status
    if !isChallenge { answer?.whenAccepted() }
    guard isChallenge, !hop.server.statesAuthorization else { return refuse(head) }
    if case .fail(let fault) = step(after: head) { return fail(.authentication("\(fault)")) }
    if case .refuse = round.next { refuse(head) }
  }

  private func step(after head: ResponseHead) -> HTTPAuthentication.Step? {
    let step = received(head)
    switch step {
    case .pass, .fail, nil: round.next = .refuse
    case .sendAgain(let same): round.next = .again(overSameConnection: same)
    case .ask(let offers):
      round.next = .awaitAnswer
      _ = client?.entered(nil)
      ask(offers, head)
    }
    return step
  }

  private func received(_ head: ResponseHead) -> HTTPAuthentication.Step? {
    pool.withCredentials { cache in
      challenges?.received(status: head.status, fields: head.fields, cache: &cache)
    }
  }

  private func ask(_ offers: [AuthenticationOffer], _ head: ResponseHead) {
    let challenge = ProxyChallenge(
      server: hop.server, offers: offers, failures: challenges?.failures ?? 0)
    let (connector, number) = (LoopConfined(self), round.number)
    client?.decide(
      .proxy(challenge, in: head) { [loop] answer in
        loop.execute { connector.value.answered(answer, in: number) }
      })
  }

  private func answered(_ answer: ProxyAnswer?, in number: Int) {
    // A second answer is not for another round.
    guard case .asking = stage, number == round.number, case .awaitAnswer = round.next,
      let refusal = round.refusal
    else { return }
    guard let answer, answer.login.fits(answer.offer.scheme) else { return refuse(refusal) }
    self.answer = answer
    challenges?.authentication.answer(
      answer.offer, with: answer.login, isKept: answer.isKept, isShared: answer.isShared)
    _ = client?.entered(.tunnelling)
    round.next = .again(overSameConnection: false)
    if round.hasEnded { goOn() }
  }

  private func refuse(_ head: ResponseHead) {
    fail(.proxyRefused(status: head.status, reason: head.reason))
  }

  private func ended(mayAskAgain: Bool) {
    round.hasEnded = true
    round.lasts = mayAskAgain
    goOn()
  }

  /// The answer has ended: what now?
  private func goOn() {
    switch round.next {
    case .awaitAnswer: return
    case .refuse:
      guard let refusal = round.refusal else { return fail(.noResponse) }
      refuse(refusal)
    case .again(let needsSame):
      if round.lasts, case .asking(let channel) = stage, channel.isQuiet { return authorize() }
      round.lasts = false
      do throws(AuthenticationFault) {
        if needsSame { try challenges?.connectionLost() }
        startOver()
      } catch {
        fail(.authentication("\(error)"))
      }
    }
  }
}
