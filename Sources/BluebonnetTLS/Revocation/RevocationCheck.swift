// SPDX-License-Identifier: MIT

/// The questions about one certificate, their order, and the meaning of the answers. Findings go in, steps come out; the
/// caller reads, fetches and has the clock.
///
/// Sources at hand go first: a stapled response, then lists that are kept. Then those to be fetched: responders, then
/// lists. With ``RevocationOptions/prefersLists`` lists go first, kept and fetched ones, and then the staple and responders. The
/// first that says good or revoked ends it.
///
/// A promised staple (RFC 7633) is asked for before all others, and has to say good. It takes the place of other answers where OCSP
/// is wanted and lists are not preferred to it: a list may be newer than a response.
///
/// A responder that does not know the certificate has answered, and not well: others are asked, and if none of them says
/// good, that is the verdict, however soft the check is.
package struct RevocationCheck: Sendable {
  /// A source of answers.
  package enum Source: Sendable, Hashable {
    /// The response stapled by the server.
    case staple
    /// Lists that came with the anchors or from files.
    case keptLists
    case responder(String)
    case list(String)
  }

  package enum Step: Sendable, Hashable {
    case ask(Source)
    case conclude(Verdict)
  }

  package enum Verdict: Sendable, Hashable {
    case good
    case revoked(Revocation)
    /// A responder does not know the certificate, and no other says that it is good.
    case unknown
    /// The certificate promises a stapled response (RFC 7633), and there is none that says good.
    case unstapled(RevocationFault)
    /// There was no answer; the fault of the last source asked.
    case unanswered(RevocationFault?)
  }

  /// The facts about a certificate.
  package struct Subject: Sendable, Hashable {
    /// There is a stapled response about it.
    package var isStapled: Bool
    /// It promises one.
    package var demandsStapling: Bool
    package var responders: [String]
    package var lists: [String]

    package init(
      isStapled: Bool = false, demandsStapling: Bool = false, responders: [String] = [], lists: [String] = []
    ) {
      self.isStapled = isStapled
      self.demandsStapling = demandsStapling
      self.responders = responders
      self.lists = lists
    }
  }

  private let demandsStapling: Bool
  /// Whether a promised staple that says good is all that is wanted.
  private let isStapleEnough: Bool
  /// Whether it counts where no other source answers.
  private let isStapleAnAnswer: Bool
  private var isPromiseKept = false
  private var sources: ArraySlice<Source>
  private var isUnknown = false
  private var lastFault: RevocationFault?

  package init(of subject: Subject, _ options: RevocationOptions) {
    demandsStapling = subject.demandsStapling
    let usesOCSP = options.contains(.ocsp)
    let usesLists = options.contains(.lists)
    let lists = usesLists ? [.keptLists] + subject.lists.map(Source.list) : []
    let staple: [Source] = usesOCSP && subject.isStapled ? [.staple] : []
    let responders = usesOCSP ? subject.responders.map(Source.responder) : []
    let prefersLists = usesLists && options.contains(.prefersLists)
    isStapleAnAnswer = usesOCSP
    isStapleEnough = usesOCSP && !prefersLists
    guard !subject.demandsStapling else {
      // A thief of the key can leave everything else out.
      sources = subject.isStapled ? ([.staple] + (isStapleEnough ? [] : lists))[...] : []
      if !subject.isStapled { lastFault = .missing }
      return
    }
    sources =
      prefersLists
      ? (lists + staple + responders)[...] : (staple + lists.prefix(1) + responders + lists.dropFirst())[...]
  }

  /// The first step.
  package mutating func start() -> Step { next() }

  /// Returns the step after a finding.
  package mutating func found(_ finding: Result<RevocationAnswer, RevocationFault>) -> Step {
    switch finding {
    case .success(let answer):
      switch answer.status {
      case .good:
        guard demandsStapling, !isPromiseKept, !isStapleEnough else { return .conclude(.good) }
        isPromiseKept = true
        return next()
      case .revoked(let revocation): return .conclude(.revoked(revocation))
      case .unknown:
        isUnknown = true
        breakPromise()
        return next()
      }
    case .failure(let fault):
      // The lack of a kept answer says nothing about the sources asked before.
      if fault != .missing || lastFault == nil { lastFault = fault }
      breakPromise()
      return next()
    }
  }

  /// Others are asked besides a promised staple, never in its place.
  private mutating func breakPromise() {
    if demandsStapling, !isPromiseKept { sources = [] }
  }

  private mutating func next() -> Step {
    if let source = sources.popFirst() { return .ask(source) }
    if isUnknown { return .conclude(.unknown) }
    if demandsStapling, !isPromiseKept { return .conclude(.unstapled(lastFault ?? .missing)) }
    return .conclude(isPromiseKept && isStapleAnAnswer ? .good : .unanswered(lastFault))
  }
}
