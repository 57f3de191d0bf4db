// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetLoading
import BluebonnetTransport

// Questions to the listener for credentials.
extension ChallengeDriver {
  /// Asks about an offer of the origin's; if that is not answered, about the next.
  func ask(_ question: QuestionLog.Question, about offer: AuthenticationOffer) {
    guard let space = URLProtectionSpace(stage.authentication.place, offer) else { return askAboutNext() }
    let challenge = URLAuthenticationChallenge(
      protectionSpace: space, proposedCredential: proposal(for: space, offer),
      previousFailureCount: stage.failures, failureResponse: load.state.response, error: nil, sender: nil)
    let answer: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = {
      [load, challenges = LoopConfined(self)] disposition, credential in
      load.engine.loop.execute {
        guard load.take(question) else { return }
        challenges.value.answered(challenge, offer, disposition, credential)
      }
    }
    if let listener = load.listener {
      listener.ask(.challenge(challenge, answer), of: load.state.task)
    } else {
      answer(.performDefaultHandling, nil)
    }
    load.holdWhileDeciding()
  }

  private func askAboutNext() {
    let action = load.state.machine.askForCredential(&stage)
    guard case .askForCredential(let question, let offer) = action else {
      load.run(action)
      return load.releaseDecision()
    }
    ask(question, about: offer)
  }

  private func answered(
    _ challenge: URLAuthenticationChallenge, _ offer: AuthenticationOffer,
    _ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?
  ) {
    switch taken(challenge, offer, disposition, credential) {
    case .taken: open()
    case .cancelled: break
    case .notTaken(let isMisfit):
      if isMisfit { stage.hasMisfit = true }
      askAboutNext()
    case .declined:
      stage.decline()
      askAboutNext()
    }
  }

  /// Sends credentials with the next request, if all they need is there: it is looked for while the response still is. If it is not,
  /// the next offer is asked about.
  func open() {
    let work: AuthenticationProof.Work
    do throws(AuthenticationFault) {
      guard let found = try stage.authentication.opening() else {
        return load.passOver(then: .resend(side))
      }
      work = found
    } catch {
      return cannotBeOpened()
    }
    let question = load.state.machine.ask(.credential)
    // A Kerberos server may be asked, which takes as long as it takes.
    DispatchQueue.global().async { [load, challenges = LoopConfined(self)] in
      let result = work()
      load.engine.loop.execute {
        guard load.take(question) else { return }
        guard case .success(let field) = result else { return challenges.value.cannotBeOpened() }
        challenges.value.stage.authentication.open(with: field)
        load.passOver(then: .resend(challenges.value.side))
      }
    }
    load.holdWhileDeciding()
  }

  private func cannotBeOpened() {
    stage.takeBackAnswer()
    whenAccepted = nil
    askAboutNext()
  }

  /// The credential that is tried without the delegate's answer: the URL's, or the storage's.
  private func proposal(for space: URLProtectionSpace, _ offer: AuthenticationOffer) -> URLCredential? {
    let credentials = load.state.credentials
    // The URL's has been sent for Basic already.
    if offer.scheme != .basic || credentials.isProved, let own = credentials.credential { return own }
    if load.state.request.isTrace { return nil }
    return load.engine.settings.urlCredentialStorage?.proposal(for: space)
  }

  /// The answer to an offer.
  private enum OfferAnswer {
    case taken
    /// The next one is asked about.
    ///
    /// - Parameter isMisfit: There was a credential, of another kind.
    case notTaken(isMisfit: Bool)
    /// None is answered.
    case declined
    case cancelled
  }

  private func taken(
    _ challenge: URLAuthenticationChallenge, _ offer: AuthenticationOffer,
    _ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?
  ) -> OfferAnswer {
    let chosen: URLCredential
    switch disposition {
    case .useCredential:
      guard let credential else { return .declined }
      chosen = credential
    case .performDefaultHandling:
      // A known credential is tried once.
      guard stage.failures == 0, stage.authentication.isStrongEnough(offer),
        let proposed = challenge.proposedCredential
      else {
        return .notTaken(isMisfit: false)
      }
      chosen = proposed
    case .rejectProtectionSpace: return .notTaken(isMisfit: false)
    case .cancelAuthenticationChallenge:
      load.stop(
        .loading(
          .userCancelledAuthentication, url: load.state.request.url, phase: .waiting,
          reason: "the \(offer.scheme.name) challenge was cancelled"))
      return .cancelled
    }
    guard let login = chosen.login(for: challenge.protectionSpace.authenticationMethod) else {
      return .notTaken(isMisfit: chosen.user != nil)
    }
    let isOfURL = chosen == load.state.credentials.credential
    if chosen.persistence == .none, !isOfURL, ownCache == nil {
      ownCache = load.state.request.rawOptions?.authenticationCache ?? SharedAuthenticationCache()
    }
    if !isOfURL, let storage = load.engine.settings.urlCredentialStorage {
      whenAccepted = { storage.set(chosen, for: challenge.protectionSpace) }
    }
    // The session's delegate speaks for all of its requests, a task's own one and an owner for that one.
    let isShared = chosen.persistence != .none && !isOfURL && load.isHeardBySession
    stage.authentication.answer(offer, with: login, isShared: isShared)
    return .taken
  }

  /// Asks about a proxy's offers.
  func askAboutProxy(_ hop: ProxyHop, _ asked: QuestionLog.Question) {
    let challenge = ProxyChallenge(server: hop.server, offers: stage.offers, failures: stage.failures)
    let answer: @Sendable (ProxyAnswer?) -> Void = { [load, challenges = LoopConfined(self)] answer in
      load.engine.loop.execute {
        guard load.take(asked) else { return }
        guard let answer, answer.login.fits(answer.offer.scheme) else {
          load.run(.deliver)
          return load.releaseDecision()
        }
        challenges.value.take(answer)
        load.passOver(then: .resend(.proxy))
      }
    }
    ProxyQuestion(challenge, load.state.response, by: load).ask(
      isOpen: { [load] in load.state.machine.waits(for: asked) }, answer)
    load.holdWhileDeciding()
  }

  private func take(_ answer: ProxyAnswer) {
    if !answer.isKept, ownCache == nil { ownCache = SharedAuthenticationCache() }
    whenAccepted = answer.whenAccepted
    stage.authentication.answer(answer.offer, with: answer.login, isShared: answer.isShared)
  }
}
