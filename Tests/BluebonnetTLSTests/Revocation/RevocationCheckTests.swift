// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetTLS

/// Who is asked in which order, and what the answers mean.
@Suite struct RevocationCheckTests {
  typealias Source = RevocationCheck.Source
  typealias Verdict = RevocationCheck.Verdict

  private static let all = RevocationCheck.Subject(isStapled: true, responders: ["r1", "r2"], lists: ["l"])
  private static let revocation = Revocation(time: 1, reason: 1)

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var subject: RevocationCheck.Subject
    var options: RevocationOptions = [.ocsp, .lists]
    /// What each source answers that is asked; the others have nothing.
    var answers: [Source: CertificateStatus] = [:]
    let asked: [Source]
    let verdict: Verdict

    init(
      _ name: String, _ subject: RevocationCheck.Subject = all,
      _ options: RevocationOptions = [.ocsp, .lists],
      _ answers: [Source: CertificateStatus] = [:], asks asked: [Source], _ verdict: Verdict
    ) {
      testDescription = name
      self.subject = subject
      self.options = options
      self.answers = answers
      self.asked = asked
      self.verdict = verdict
    }
  }

  private static let everybody: [Source] = [
    .staple, .keptLists, .responder("r1"), .responder("r2"), .list("l"),
  ]
  private static let promised = RevocationCheck.Subject(
    isStapled: true, demandsStapling: true, responders: ["r1"], lists: ["l"])

  static let rows: [Row] = [
    Row("everybody, in order", asks: everybody, .unanswered(.expired)),
    Row(
      "lists before responders", all, [.ocsp, .lists, .prefersLists],
      asks: [.keptLists, .list("l"), .staple, .responder("r1"), .responder("r2")], .unanswered(.expired)),
    Row(
      "a list that knows more than a staple", all, [.ocsp, .lists, .prefersLists],
      [.staple: .good, .list("l"): .revoked(revocation)], asks: [.keptLists, .list("l")], .revoked(revocation)
    ),
    Row(
      "OCSP alone", all, [.ocsp], asks: [.staple, .responder("r1"), .responder("r2")], .unanswered(.expired)),
    Row("lists alone", all, [.lists], asks: [.keptLists, .list("l")], .unanswered(.expired)),
    Row("nobody to ask", RevocationCheck.Subject(), [.ocsp], asks: [], .unanswered(nil)),
    Row("a good staple ends it", all, [.ocsp, .lists], [.staple: .good], asks: [.staple], .good),
    Row(
      "so does a revoked one", all, [.ocsp, .lists], [.staple: .revoked(revocation)], asks: [.staple],
      .revoked(revocation)),
    Row(
      "a list that is kept", all, [.ocsp, .lists], [.keptLists: .good], asks: [.staple, .keptLists], .good),
    Row(
      "the second responder", all, [.ocsp, .lists], [.responder("r2"): .revoked(revocation)],
      asks: Array(everybody.dropLast()), .revoked(revocation)),
    Row("the list", all, [.ocsp, .lists], [.list("l"): .good], asks: everybody, .good),
    Row(
      "an unknown certificate", all, [.ocsp, .lists], [.responder("r1"): .unknown], asks: everybody, .unknown),
    Row(
      "unknown to one, good for another", all, [.ocsp, .lists],
      [.staple: .unknown, .list("l"): .good], asks: everybody, .good),
    Row("a promise kept", promised, [.ocsp, .lists], [.staple: .good], asks: [.staple], .good),
    Row(
      "a promise kept, with lists alone", promised, [.lists], [.staple: .good],
      asks: [.staple, .keptLists, .list("l")], .unanswered(.expired)),
    Row(
      "a promise kept, and a good list", promised, [.lists], [.staple: .good, .list("l"): .good],
      asks: [.staple, .keptLists, .list("l")], .good),
    Row(
      "a promise kept by an older answer than the list's", promised, [.lists],
      [.staple: .good, .list("l"): .revoked(revocation)], asks: [.staple, .keptLists, .list("l")],
      .revoked(revocation)),
    Row(
      "the same with lists first", promised, [.ocsp, .lists, .prefersLists],
      [.staple: .good, .keptLists: .revoked(revocation)], asks: [.staple, .keptLists], .revoked(revocation)),
    Row(
      "a promise kept, where no list can be had", promised, [.ocsp, .lists, .prefersLists], [.staple: .good],
      asks: [.staple, .keptLists, .list("l")], .good),
    Row(
      "a promise broken with lists first", promised, [.ocsp, .lists, .prefersLists], [.list("l"): .good],
      asks: [.staple], .unstapled(.expired)),
    Row(
      "a promise broken, whatever others say", promised, [.ocsp, .lists],
      [.responder("r1"): .good, .keptLists: .good, .list("l"): .good], asks: [.staple],
      .unstapled(.expired)),
    Row(
      "a promise with no staple at all",
      RevocationCheck.Subject(demandsStapling: true, responders: ["r1"]), [.ocsp],
      [.responder("r1"): .good], asks: [], .unstapled(.missing)),
    Row(
      "a promise kept by saying revoked", promised, [.ocsp], [.staple: .revoked(revocation)],
      asks: [.staple], .revoked(revocation)),
    Row("a promise kept by not knowing", promised, [.ocsp], [.staple: .unknown], asks: [.staple], .unknown),
  ]

  @Test(arguments: rows) func asksAndConcludes(_ row: Row) {
    var check = RevocationCheck(of: row.subject, row.options)
    var asked: [Source] = []
    var step = check.start()
    while case .ask(let source) = step {
      asked.append(source)
      step = check.found(
        row.answers[source].map { .success(RevocationAnswer($0, validUntil: nil)) } ?? .failure(.expired))
    }
    #expect(asked == row.asked)
    #expect(step == .conclude(row.verdict))
  }

  /// That there are no lists says nothing about why a responder failed.
  @Test func theTellingFaultIsKept() {
    var check = RevocationCheck(
      of: RevocationCheck.Subject(isStapled: true), [.ocsp, .lists])
    #expect(check.start() == .ask(.staple))
    #expect(check.found(.failure(.wrongSigner)) == .ask(.keptLists))
    #expect(check.found(.failure(.missing)) == .conclude(.unanswered(.wrongSigner)))
  }

  @Test func optionsNeedAWay() {
    #expect(RevocationOptions([.ocsp]).isUsable)
    #expect(RevocationOptions([.lists, .requiresAnswer, .staysOffline, .prefersLists]).isUsable)
    #expect(!RevocationOptions([]).isUsable)
    #expect(!RevocationOptions([.requiresAnswer, .prefersLists]).isUsable)
    #expect(!RevocationOptions(rawValue: 1 | 1 << 7).isUsable)
  }
}
