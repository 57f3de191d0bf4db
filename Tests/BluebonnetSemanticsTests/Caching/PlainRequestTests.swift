// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics
import Testing

/// What is known before a plain request comes is what the rules would say.
@Suite struct PlainRequestTests {
  private static let start = Double(FreshnessTests.now)

  private struct Case {
    let stored: StoredHead
    let fields: HeaderFields
    let now: Double
  }

  /// Each with each: what is stored, who asks, and when.
  private static func cases() throws -> [Case] {
    let directives = [
      "max-age=60", "max-age=0", "no-cache", "max-age=60, no-cache", "max-age=60, must-revalidate",
      "private, max-age=60",
      "max-age=5, stale-while-revalidate=60", "max-age=60, no-cache=\"x\"", "max-age=60, immutable", "",
    ]
    let more: [[(String, String)]] = [
      [], [("Age", "30")], [("Age", "90")], [("Date", "Thu, 01 Jan 1970 00:00:00 GMT")],
      [("Content-Range", "bytes 0-0/2")],
    ]
    let vary = [[], ["Accept"], ["Cookie"], ["Accept-Encoding, Cookie"]]
    let requests: [[String: String]] = [
      [:], ["Accept": "a"], ["Authorization": "x"], ["Host": "other.example"], ["Cookie": "a=b"],
    ]
    var cases: [Case] = []
    for directive in directives {
      for more in more {
        for vary in vary {
          for (status, asked) in [
            (200, requests[0]), (200, requests[1]), (200, requests[2]), (206, [:]), (301, [:]), (404, [:]),
          ] {
            let stored = StoredHead(
              status: status, fields: FieldBlock([("Cache-Control", directive), ("ETag", "\"a\"")] + more),
              selection: try #require(CacheSelection(vary: vary, request: HeaderFields(asked))),
              requestTime: start - 1,
              responseTime: start)
            for request in requests {
              for after in [-3, 0.5, 31, 60] {
                cases.append(Case(stored: stored, fields: HeaderFields(request), now: start + after))
              }
            }
          }
        }
      }
    }
    return cases
  }

  @Test func whatIsKnownBeforeIsWhatTheRulesSay() throws {
    var (known, served) = (0, 0)
    for one in try Self.cases() {
      var exchange = CacheExchange(
        method: "GET", fields: one.fields, mode: .rules, partition: CachePartition())
      let opening = exchange.begin([one.stored], now: one.now)
      if case .serve = opening { served += 1 }
      guard one.stored.plainSpan.contains(one.now), one.stored.selection.answers(one.fields) else { continue }
      known += 1
      guard case .serve(0, let serving) = opening else {
        Issue.record(
          "The rules would not serve \(Array(one.stored.fields)) at \(one.now) to \(one.fields.fields).")
        continue
      }
      #expect(serving.body == .all && !serving.revalidates && serving.status == one.stored.status)
      #expect(
        Array(serving.fields.map { "\($0)" })
          == one.stored.plainlyServed(one.stored.plainAge(at: one.now)).map { "\($0)" })
    }
    // Most of what is served to those who share its variant, and not all of it.
    #expect(known > 100 && served > known, "\(known) of \(served)")
  }

  @Test func itsAgeIsAsOldAsAWholeSecond() throws {
    let stored = StoredHead(
      status: 200, fields: FieldBlock([("Cache-Control", "max-age=60")]),
      selection: try #require(CacheSelection(vary: [], request: HeaderFields())), requestTime: Self.start,
      responseTime: Self.start)
    #expect(stored.plainAge(at: Self.start + 1.25) == stored.plainAge(at: Self.start + 1.75))
    #expect(stored.plainAge(at: Self.start + 1.25) != stored.plainAge(at: Self.start + 2.25))
    #expect(stored.plainlyServed(stored.plainAge(at: Self.start + 1.75)).first(.age) == "1")
  }

  @Test(
    arguments: [
      ([:], true), (["Accept": "*/*"], true), (["cache-control": "max-age=1"], false),
      (["Pragma": "x"], false),
      (["range": "bytes=0-1"], false), (["If-None-Match": "\"a\""], false),
      (["If-Modified-Since": "x"], false),
      (["If-Match": "*"], false), (["If-Unmodified-Since": "x"], false), (["If-Range": "\"a\""], false),
    ] as [([String: String], Bool)])
  func whoAsksForSomethingInParticularIsNotPlain(fields: [String: String], isPlain: Bool) {
    #expect(HeaderFields(fields).arePlain == isPlain)
  }
}
