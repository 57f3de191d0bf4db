// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetHTTP1
import BluebonnetSemantics

/// One load, from its first request to its last byte: the order in which requests and responses pass their stages, which questions
/// are open, and what comes after a response that is not the load's. A value: event in, action out.
///
///     send ─▶ classes ▶ local ▶ memory ▶ cache ▶ turn ▶ origin ▶ proxy ─▶ (the server)
///      ▲                                                                      │
///      │                      ┌── storages ◀──────────────────────────────────┘
///      │                      ▼
///      └── discarding ◀── expectation ▶ cache ▶ proxy ▶ origin ▶ redirect ─▶ deliver
///
/// The phases:
///
///     initial ─▶ loading ◀──────────────┐
///                  │  ▲                 │ next step
///                  ▼  │ answer          │
///               deciding ─────▶ discarding
///                  │ answer
///                  ▼
///               receiving ─▶ concluding ─▶ finished
///
/// What the stages decide by are values, too: `ChallengeStage`, `CacheExchange`, `RedirectPolicy`. Nothing here knows a socket, a
/// clock, a lock or an address; the driver, which does, carries the actions out and tells the events.
package struct LoadMachine: Sendable {
  package enum Phase: Sendable, Hashable {
    case initial
    case loading
    /// The listener has been asked and has not answered: the body is held back.
    case deciding
    case receiving
    /// The body of this response is thrown away.
    case discarding(then: NextStep)
    /// All is there; the listener has been asked what becomes of it.
    case concluding
    case finished
  }

  package private(set) var phase = Phase.initial
  /// Of the listener's questions the newest may be open while the phase is `deciding`.
  private var questions = QuestionLog()
  /// The stages that the request has yet to pass.
  private var requestStages = RequestStage.Set.none
  /// The stages that the response has yet to pass.
  private var responseStages = ResponseStage.Set.none
  /// The newest response, for its stages.
  private var head: LoadHead?

  /// Whether the server is asked before a body, where the caller wants that (RFC 9110 §10.1.1).
  package private(set) var asksFirst = true
  /// The redirects that have come so far, whether they were followed or not.
  package private(set) var redirects: RedirectPolicy

  package init(redirectLimit: Int) { redirects = RedirectPolicy(limit: redirectLimit) }

  // MARK: The request

  /// A request is about to go out.
  ///
  /// - Parameter stages: Those that have something to do with it.
  package mutating func send(by stages: RequestStage.Set) -> LoadAction {
    phase = .loading
    requestStages = stages
    return requestPassed()
  }

  /// The request has passed the stage that it was in.
  package mutating func requestPassed() -> LoadAction {
    requestStages.takeFirst().map { .enter($0) } ?? .send
  }

  // MARK: The response

  /// The head of a final response has come.
  ///
  /// - Parameter stages: Those that may have something to do with it.
  package mutating func received(_ head: LoadHead, by stages: ResponseStage.Set) -> LoadAction {
    self.head = head
    responseStages = stages
    return responsePassed()
  }

  /// The response has passed the stage that it was in.
  package mutating func responsePassed() -> LoadAction {
    while let stage = responseStages.takeFirst() {
      if stage != .expectation { return .examine(stage) }
      if expectationFailed() { return .passOver(.sendWithoutExpect) }
    }
    return .deliver
  }

  /// RFC 9110 §10.1.1: the server does not know what `Expect` means; the request is sent once more without it.
  private mutating func expectationFailed() -> Bool {
    guard let head, head.status == 417, head.expectsContinue, asksFirst else { return false }
    asksFirst = false
    return true
  }

  /// The cache looks at the response.
  ///
  /// - Parameters:
  ///   - requestTime: When the server was asked, in seconds since 1970.
  ///   - now: The present.
  ///   - namesTarget: Whether `Content-Location` is the address that was asked for.
  package mutating func examine(
    _ exchange: inout CacheExchange, requestTime: Double, now: Double, namesTarget: () -> Bool
  ) -> LoadAction {
    guard let head else { return responsePassed() }
    let reception = exchange.received(
      status: head.status, fields: head.fields, requestTime: requestTime, now: now, namesTarget: namesTarget)
    switch reception {
    case .askAgain: return .discard(.sendUnconditionally)
    case .serve(let index, let serving, let change): return .serve(index, serving, change)
    case .pass(let record, let change): return .keep(record, change)
    }
  }

  /// A side's challenges look at the response.
  package mutating func examine(
    _ challenges: inout ChallengeStage, _ cache: inout AuthenticationCache
  ) -> LoadAction {
    guard let head else { return responsePassed() }
    switch challenges.received(status: head.status, fields: head.fields, cache: &cache) {
    // A refusal that nothing is done about is the answer, whatever else it says.
    case .pass where head.status == challenges.side.status: return .deliver
    case .pass: return responsePassed()
    case .sendAgain: return .passOver(.resend(challenges.side))
    case .ask: return askForCredential(&challenges)
    case .fail(let fault): return .fail(fault)
    }
  }

  /// Asks about the next offer of a challenge, the strongest first.
  ///
  /// - Returns: What comes of the response if there are no more.
  package mutating func askForCredential(_ challenges: inout ChallengeStage) -> LoadAction {
    guard let offer = challenges.takeOffer() else {
      return challenges.hasMisfit ? .failUnanswerable(challenges.offers) : .deliver
    }
    return .askForCredential(ask(challenges.side == .origin ? .credential : .proxyCredential), offer)
  }

  /// The redirect stage looks at the response to a request for `url`.
  package mutating func redirect(method: String, url: String) -> LoadAction {
    guard let head else { return responsePassed() }
    let step = redirects.evaluate(
      status: head.status, location: Location(of: head.fields), method: method, url: url)
    guard case .redirect(let redirect) = step else { return responsePassed() }
    return .askAboutRedirect(ask(.redirect), redirect)
  }

  // MARK: Questions

  /// Asks the listener: what comes of the response waits for the answer.
  package mutating func ask(_ subject: QuestionSubject) -> QuestionLog.Question {
    phase = .deciding
    return questions.ask(subject)
  }

  /// - Returns: Whether an answer to the question counts. It does once, and only while the load waits for it.
  package mutating func take(_ question: QuestionLog.Question) -> Bool {
    phase == .deciding && questions.take(question)
  }

  /// Whether an answer to the question would count.
  package func waits(for question: QuestionLog.Question) -> Bool {
    phase == .deciding && questions.isOpen(question)
  }

  /// Whether the question had no answer when the load ended.
  package func endedWithout(_ question: QuestionLog.Question) -> Bool { isOver && questions.isOpen(question) }

  // MARK: Phases

  /// All that came is handed over, or the load has failed.
  package var isOver: Bool { phase == .concluding || phase == .finished }

  /// The load has not begun, or begins anew.
  package mutating func rest() { phase = .initial }

  /// A request is under way, or a response is looked for.
  package mutating func load() { phase = .loading }

  /// The body of the response is wanted.
  package mutating func receive() { phase = .receiving }

  /// The body of the response is not wanted; then comes the next step.
  package mutating func discard(then next: NextStep) { phase = .discarding(then: next) }

  /// All is there.
  package mutating func conclude() { phase = .concluding }

  package mutating func finish() { phase = .finished }
}
