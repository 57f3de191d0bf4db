// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import Testing

/// Which requests a stored response answers (RFC 9111 §4.1).
@Suite struct CacheSelectionTests {
  private func fields(_ fields: [String: String]) -> HeaderFields { HeaderFields(fields) }

  @Test func aVariantAnswersRequestsThatAreAlike() throws {
    let request = fields(["Accept": "a", "Authorization": "me", "X-Other": "1"])
    let selection = try #require(CacheSelection(vary: ["accept, Accept-Language"], request: request))
    for (other, answers) in [
      (["Accept": "a", "Authorization": "me"], true),
      (["accept": "a", "authorization": "me", "X-Other": "2"], true),
      (["Accept": "b", "Authorization": "me"], false), (["Accept": "a", "Authorization": "you"], false),
      (["Accept": "a"], false), (["Accept": "a", "Authorization": "me", "Accept-Language": "en"], false),
      (["Accept": "a", "Authorization": "me", "Host": "b"], false),
    ] {
      #expect(selection.answers(fields(other)) == answers, "\(other)")
      #expect(
        (CacheSelection(vary: ["accept, Accept-Language"], request: fields(other)) == selection) == answers)
    }
  }

  @Test(arguments: ["*", "a, *", "a b", "a:b", "ä", "\"a\""]) func whatVariesByMoreIsNotKept(_ vary: String) {
    #expect(CacheSelection(vary: [vary], request: HeaderFields()) == nil)
  }

  @Test(arguments: [(0, true), (32, true), (33, false), (15_000, false)])
  func whatVariesByThousandsIsNotKept(_ count: Int, _ isKept: Bool) {
    let vary = (0..<count).map { "f\($0)" }.joined(separator: ",")
    #expect((CacheSelection(vary: [vary], request: HeaderFields()) != nil) == isKept)
  }

  /// What means the same is the same, and nothing else.
  @Test(
    arguments: [
      ("foo", "1, 2", "1,2", true), ("foo", "1,2", " 1 ,\t2 ", true), ("foo", "1,2", "2,1", false),
      ("foo", "a  b", "a b", true), ("foo", "a b", "ab", false), ("foo", "\"a, b\"", "\"a,b\"", false),
      ("foo", "\"a\\\", b\"", "\"a\\\",b\"", false), ("foo", "A", "a", false),
      ("accept-language", "en, de", "eN,De", true), ("accept-language", "en, de", "de, en", false),
      ("accept-encoding", "gzip, br", "GZIP,br", true), ("authorization", "Basic a", "Basic  a", false),
      ("cookie", "sid=a, b", "sid=a,b", false), ("cookie", "sid=a; b=c", "sid=a; b=c", true),
    ] as [(String, String, String, Bool)])
  func valuesAreComparedByMeaning(_ name: String, _ one: String, _ other: String, _ answers: Bool) throws {
    let selection = try #require(CacheSelection(vary: [name], request: fields([name: one])))
    #expect(selection.answers(fields([name: other])) == answers)
  }

  @Test func theWayCounts() throws {
    let ways = [
      CachePartition(), CachePartition(decodesContent: false), CachePartition(substitute: "/a"),
      CachePartition(substitute: "/b"),
      CachePartition(trust: "a"), CachePartition(trust: "b"), CachePartition(substitute: "/a", trust: "a"),
    ]
    for way in ways {
      let selection = try #require(CacheSelection(vary: [], request: HeaderFields(), partition: way))
      for other in ways { #expect(selection.answers(HeaderFields(), partition: other) == (way == other)) }
      #expect(selection == CacheSelection(fields: selection.fields, isDecoded: way.decodesContent))
    }
  }

  /// Who is let in beside the anchors is so for the evaluator's own; nil is nobody's mark.
  @Test func anEvaluatorMayLetInMore() throws {
    func selection(_ trust: String?) throws -> CacheSelection {
      try #require(CacheSelection(vary: [], request: HeaderFields(), partition: CachePartition(trust: trust)))
    }
    let ways = [
      CachePartition(), CachePartition(evaluator: "e"), CachePartition(trust: "a", evaluator: "e"),
      CachePartition(trust: "a"),
    ]
    let answers = try [nil, "a", "e"].map { trust in
      let selection = try selection(trust)
      return ways.map { selection.answers(HeaderFields(), partition: $0) }
    }
    #expect(
      answers == [[true, true, false, false], [false, false, true, true], [false, true, true, false]])
  }

  /// What a later version may write is understood by none.
  @Test func anUnknownMarkIsNobodys() {
    let selection = CacheSelection(fields: [.init(name: ":other", value: nil)], isDecoded: true)
    #expect(!selection.answers(HeaderFields()))
  }
}
