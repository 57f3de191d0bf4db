// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics
import Testing

/// What a private cache does about a request (RFC 9111 §4), by a clock that is an argument.
@Suite struct CacheExchangeTests {
  private static let start = Double(FreshnessTests.now)

  private func stored(
    _ fields: [(String, String)], status: Int = 200, request: [String: String] = [:], vary: [String] = []
  ) throws -> StoredHead {
    StoredHead(
      status: status, fields: FieldBlock(fields),
      selection: try #require(CacheSelection(vary: vary, request: HeaderFields(request))),
      requestTime: Self.start, responseTime: Self.start)
  }

  private func exchange(
    _ request: [String: String] = [:], _ mode: CacheExchange.Mode = .rules, method: String = "GET"
  ) -> CacheExchange {
    CacheExchange(method: method, fields: HeaderFields(request), mode: mode, partition: CachePartition())
  }

  /// What happens to a request so many seconds after something was stored, in words.
  private func opening(
    _ exchange: CacheExchange, _ stored: [StoredHead], after seconds: Double = 10
  ) -> String {
    var exchange = exchange
    switch exchange.begin(stored, now: Self.start + seconds) {
    case .serve(let index, let serving):
      return "serve \(index)" + (serving.revalidates ? " and revalidate" : "")
    case .forward(let conditions):
      return conditions.isEmpty
        ? "forward" : "validate " + conditions.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
    case .unavailable: return "unavailable"
    }
  }

  /// `Cache-Control` of what is stored, which has an entity tag, the request's fields, and what happens after ten seconds.
  @Test(
    arguments: [
      ("max-age=60", [:], "serve 0"), ("max-age=10", [:], "validate"), ("max-age=5", [:], "validate"),
      ("", [:], "validate"), ("max-age=60, no-cache", [:], "validate"),
      ("max-age=60, no-cache=\"a\"", [:], "serve 0"), ("max-age=60, must-revalidate", [:], "serve 0"),
      // §5.2.1.
      ("max-age=60", ["Cache-Control": "no-cache"], "validate"),
      ("max-age=60", ["Pragma": "no-cache"], "validate"),
      ("max-age=60", ["Cache-Control": "max-age=0"], "validate"),
      ("max-age=60", ["Cache-Control": "max-age=9"], "validate"),
      ("max-age=60", ["Cache-Control": "max-age=11"], "serve 0"),
      ("max-age=60", ["Cache-Control": "min-fresh=51"], "validate"),
      ("max-age=60", ["Cache-Control": "min-fresh=50"], "serve 0"),
      ("max-age=60", ["Cache-Control": "no-store"], "serve 0"),
      ("max-age=5", ["Cache-Control": "max-stale"], "serve 0"),
      ("max-age=5", ["Cache-Control": "max-stale=5"], "serve 0"),
      ("max-age=5", ["Cache-Control": "max-stale=4"], "validate"),
      ("max-age=5, must-revalidate", ["Cache-Control": "max-stale"], "validate"),
      ("max-age=5, no-cache", ["Cache-Control": "max-stale"], "validate"),
      ("max-age=60", ["Cache-Control": "only-if-cached"], "serve 0"),
      ("max-age=5", ["Cache-Control": "only-if-cached"], "unavailable"),
      ("max-age=5", ["Cache-Control": "only-if-cached, max-stale"], "serve 0"),
      // RFC 5861 §3.
      ("max-age=5, stale-while-revalidate=6", [:], "serve 0 and revalidate"),
      ("max-age=5, stale-while-revalidate=5", [:], "validate"),
      ("max-age=60, stale-while-revalidate=5", [:], "serve 0"),
      ("max-age=5, stale-while-revalidate=60, must-revalidate", [:], "validate"),
      ("max-age=5, stale-while-revalidate=60", ["Cache-Control": "max-age=60"], "validate"),
      ("max-age=5, stale-while-revalidate=60", ["Cache-Control": "min-fresh=1"], "validate"),
      ("max-age=5, stale-while-revalidate=60", ["Cache-Control": "only-if-cached"], "serve 0"),
      // What only the server can judge, and what the caller has conditions of their own for.
      ("max-age=60", ["If-Match": "\"a\""], "forward"),
      ("max-age=60", ["If-Unmodified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"], "forward"),
      ("max-age=5", ["If-None-Match": "\"b\""], "forward"), ("max-age=5", ["Range": "bytes=0-1"], "forward"),
    ] as [(String, [String: String], String)])
  func directives(_ control: String, _ request: [String: String], _ expected: String) throws {
    let stored = try stored([("Cache-Control", control), ("ETag", "\"a\"")])
    let happened = opening(exchange(request), [stored])
    #expect(happened == (expected == "validate" ? "validate If-None-Match: \"a\"" : expected))
  }

  @Test(
    arguments: [
      (CacheExchange.Mode.storedOnly, "serve 0", "serve 0", "serve 0", "unavailable"),
      (.storedElseLoaded, "serve 0", "serve 0", "serve 0", "forward"),
      (.reloaded, "forward", "forward", "forward", "forward"),
      (.revalidated, "validate If-None-Match: \"a\"", "serve 0", "validate If-None-Match: \"a\"", "forward"),
      (.rules, "serve 0", "serve 0", "validate If-None-Match: \"a\"", "forward"),
    ] as [(CacheExchange.Mode, String, String, String, String)])
  func wishes(
    _ mode: CacheExchange.Mode, _ fresh: String, _ immutable: String, _ stale: String, _ missing: String
  ) throws {
    let tag = ("ETag", "\"a\"")
    let exchange = exchange([:], mode)
    #expect(opening(exchange, [try stored([("Cache-Control", "max-age=60"), tag])]) == fresh)
    #expect(opening(exchange, [try stored([("Cache-Control", "max-age=60, immutable"), tag])]) == immutable)
    #expect(opening(exchange, [try stored([("Cache-Control", "max-age=6, immutable"), tag])]) == stale)
    #expect(opening(exchange, []) == missing)
  }

  /// RFC 9111 §5.2.1.7: it is for the caches on the way where this one has to ask in any case.
  @Test(
    arguments: [
      (CacheExchange.Mode.rules, "unavailable"), (.storedElseLoaded, "unavailable"),
      (.storedOnly, "unavailable"),
      (.revalidated, "forward"), (.reloaded, "forward"),
    ] as [(CacheExchange.Mode, String)])
  func onlyIfCached(_ mode: CacheExchange.Mode, _ expected: String) {
    #expect(opening(exchange(["Cache-Control": "only-if-cached"], mode), []) == expected)
  }

  /// Who has waited for a response takes it, unless it says otherwise.
  @Test(
    arguments: [
      ("", 0, "serve 0"), ("max-age=0", 0, "serve 0"), ("", 1, "validate If-None-Match: \"a\""),
      ("no-cache", 0, "validate If-None-Match: \"a\""),
      ("must-revalidate", 0, "validate If-None-Match: \"a\""),
    ] as [(String, Double, String)])
  func whatWasWaitedFor(_ control: String, _ since: Double, _ expected: String) throws {
    var exchange = exchange()
    exchange.acceptedSince = Self.start + since
    #expect(opening(exchange, [try stored([("Cache-Control", control), ("ETag", "\"a\"")])]) == expected)
  }

  @Test(arguments: ["POST", "PUT", "OPTIONS", "X"]) func otherMethodsAreForwarded(method: String) throws {
    let fresh = try stored([("Cache-Control", "max-age=60")])
    #expect(opening(exchange([:], .storedElseLoaded, method: method), [fresh]) == "forward")
    #expect(opening(exchange([:], .storedOnly, method: method), [fresh]) == "unavailable")
  }

  /// RFC 9111 §4.3.1.
  @Test(
    arguments: [
      ([("ETag", "W/\"a\"")], "validate If-None-Match: W/\"a\""),
      (
        [("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Cache-Control", "no-cache")],
        "validate If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"
      ),
      (
        [("ETag", "\"a\""), ("Last-Modified", "x"), ("Cache-Control", "no-cache")],
        "validate If-None-Match: \"a\", If-Modified-Since: x"
      ),
      ([("ETag", "a")], "forward"), ([("ETag", "\"a\""), ("ETag", "\"b\"")], "forward"),
      ([("ETag", "\"ä\"")], "forward"), ([("Last-Modified", "ä")], "forward"), ([], "forward"),
    ] as [([(String, String)], String)])
  func conditions(_ fields: [(String, String)], _ expected: String) throws {
    #expect(opening(exchange(), [try stored(fields)]) == expected)
  }

  @Test func theNewestThatFitsAnswers() throws {
    let fields = { (offset: Int, vary: String) in
      [("Cache-Control", "max-age=600"), ("Date", FreshnessTests.date(offset)), ("Vary", vary)]
    }
    let candidates = [
      try stored(fields(-5, "a"), request: ["a": "1"], vary: ["a"]),
      try stored(fields(-1, "a"), request: ["a": "2"], vary: ["a"]),
      try stored(fields(-9, "b"), request: ["b": "1"], vary: ["b"]),
    ]
    #expect(opening(exchange(["a": "1"]), candidates) == "serve 0")
    #expect(opening(exchange(["a": "2"]), candidates) == "serve 1")
    #expect(opening(exchange(["a": "2", "b": "1"]), candidates) == "serve 1")
    #expect(opening(exchange(["a": "3", "b": "1"]), candidates) == "serve 2")
    #expect(opening(exchange(), candidates) == "forward")
  }

  @Test func whatIsServedSaysHowOldItIs() throws {
    let fields = [
      ("Cache-Control", "max-age=60"), ("Age", "7"), ("Date", FreshnessTests.date(0)),
      ("Cache-Status", "Far; hit"), ("Connection", "X-Hop"), ("X-Hop", "1"), ("Keep-Alive", "1"),
      ("Transfer-Encoding", "chunked"),
      ("X-End", "2"),
    ]
    var exchange = exchange()
    guard case .serve(0, let serving) = exchange.begin([try stored(fields)], now: Self.start + 3.7) else {
      Issue.record("it is fresh")
      return
    }
    #expect(serving.status == 200 && serving.body == .all && !serving.revalidates)
    #expect(serving.fields.values(.age) == ["10"])
    #expect(serving.fields.values("cache-status") == ["Far; hit", "Bluebonnet; hit; ttl=49"])
    #expect(serving.fields.first("X-End") == "2")
    for name in ["Connection", "X-Hop", "Keep-Alive", "Transfer-Encoding"] {
      #expect(!serving.fields.contains(name))
    }
  }

  // MARK: After the server was asked

  private func received(
    _ exchange: CacheExchange, _ stored: [StoredHead], _ status: Int, _ fields: [(String, String)],
    after seconds: Double = 100
  ) -> CacheExchange.Reception {
    var exchange = exchange
    _ = exchange.begin(stored, now: Self.start + seconds)
    return exchange.received(
      status: status, fields: FieldBlock(fields), requestTime: Self.start + seconds,
      now: Self.start + seconds, namesTarget: { false })
  }

  @Test func aConfirmedResponseIsServedAndBroughtUpToDate() throws {
    let old = try stored([
      ("Cache-Control", "max-age=60"), ("ETag", "\"a\""), ("Age", "9"), ("Content-Length", "5"),
      ("Content-Encoding", "gzip"), ("X", "old"), ("X", "older"), ("Y", "old"),
      ("Date", FreshnessTests.date(0)),
    ])
    let newer = [
      ("ETag", "\"a\""), ("Cache-Control", "max-age=90"), ("x", "new"), ("Content-Length", "7"),
      ("Content-Encoding", "br"), ("Connection", "Z"), ("Z", "1"), ("Date", FreshnessTests.date(100)),
    ]
    guard case .serve(0, let serving, .freshen(0, let fresh)) = received(exchange(), [old], 304, newer) else {
      Issue.record("it is confirmed")
      return
    }
    #expect(serving.status == 200 && serving.body == .all)
    #expect(serving.fields.values("cache-status") == ["Bluebonnet; fwd=stale; fwd-status=304"])
    #expect(serving.fields.values(.age) == ["0"])
    #expect(fresh.fields.values("X") == ["new"] && fresh.fields.values("Y") == ["old"])
    #expect(fresh.fields.values(.contentLength) == ["5"] && fresh.fields.values(.contentEncoding) == ["gzip"])
    #expect(
      !fresh.fields.contains("Z") && !fresh.fields.contains(.connection) && !fresh.fields.contains(.age))
    #expect(opening(exchange(), [fresh], after: 189) == "serve 0")
    #expect(opening(exchange(), [fresh], after: 191).hasPrefix("validate"))
    // As a store gives it back.
    let restored = StoredHead(
      status: fresh.status, fields: fresh.fields, selection: fresh.selection, requestTime: fresh.requestTime,
      responseTime: fresh.responseTime)
    #expect(restored.freshness == fresh.freshness)
  }

  /// RFC 9110 §6.6.1: whatever comes without a date was made when it came.
  @Test(
    arguments: [
      ([("Cache-Control", "max-age=60")], [], 60), ([], [("Cache-Control", "max-age=60")], 60),
      ([("Cache-Control", "max-age=60")], [("Connection", "Date"), ("Date", FreshnessTests.date(0))], 60),
      ([("Cache-Control", "max-age=60")], [("Date", FreshnessTests.date(70))], 30),
      ([("Cache-Control", "max-age=60")], [("Age", "20")], 40),
      ([("Expires", FreshnessTests.date(130))], [], 30),
    ] as [([(String, String)], [(String, String)], Double)])
  func aConfirmationWithoutADateFreshens(
    _ first: [(String, String)], _ newer: [(String, String)], _ remainder: Double
  ) throws {
    let old = try stored(first + [("ETag", "\"a\""), ("Date", FreshnessTests.date(0))])
    var exchange = exchange([:], .revalidated)
    let now = Self.start + 100
    _ = exchange.begin([old], now: now)
    guard
      case .serve(0, let serving, .freshen(0, let fresh)) = exchange.received(
        status: 304, fields: FieldBlock(newer), requestTime: now, now: now, namesTarget: { false })
    else {
      Issue.record("it is confirmed")
      return
    }
    #expect(fresh.freshness.remainder(at: now) == remainder)
    #expect(fresh.fields.values(.date).count == 1 && serving.fields.values(.date).count == 1)
    // As a store gives it back.
    let restored = StoredHead(
      status: fresh.status, fields: fresh.fields, selection: fresh.selection, requestTime: now,
      responseTime: now)
    #expect(restored.freshness == fresh.freshness)
  }

  /// The directives that go on are those of the fields that stay, wherever they come from.
  @Test(
    arguments: [
      ([], []), ([("Cache-Control", "max-age=60, must-revalidate")], []),
      ([("Cache-Control", "max-age=60")], [("Cache-Control", "no-cache")]),
      ([("Cache-Control", "no-cache")], [("Cache-Control", "max-age=60"), ("Cache-Control", "immutable")]),
      ([], [("Cache-Control", "max-age=60"), ("Connection", "Cache-Control")]),
      (
        [("Cache-Control", "max-age=60")],
        [("Cache-Control", "max-age=90"), ("Connection", "cache-control, x")]
      ),
      ([("Cache-Control", "max-age=60")], [("Cache-Control", "max-age=90, no-cache=\"cache-control\"")]),
      ([("Cache-Control", "max-age=60")], [("Cache-Control", "max-age=90, no-cache=\"x, y\"")]),
      ([("Cache-Control", "no-cache=\"x\"")], [("X", "1")]),
      ([("Cache-Control", "max-age=60"), ("Connection", "Cache-Control")], []),
      ([("Cache-Control", "max-age=60, no-cache=\"cache-control\"")], [("X", "1")]),
    ] as [([(String, String)], [(String, String)])])
  func aConfirmationSaysWhatItsFieldsSay(_ first: [(String, String)], _ newer: [(String, String)]) throws {
    let old = try stored(first + [("ETag", "\"a\"")])
    var exchange = exchange([:], .revalidated)
    let now = Self.start + 100
    _ = exchange.begin([old], now: now)
    guard
      case .serve(0, _, .freshen(0, let fresh)) = exchange.received(
        status: 304, fields: FieldBlock(newer), requestTime: now, now: now, namesTarget: { false })
    else {
      Issue.record("it is confirmed")
      return
    }
    #expect(fresh.directives == ResponseDirectives(fresh.fields))
  }

  /// RFC 9111 §3.5: what is confirmed to somebody who was proved meanwhile is confirmed to nobody else.
  @Test func aConfirmationForSomebodyElseFreshensNothing() throws {
    let old = try stored([("Cache-Control", "max-age=60"), ("ETag", "\"a\"")])
    let newer = FieldBlock([("ETag", "\"a\""), ("Cache-Control", "max-age=600")])
    let now = Self.start + 100
    var asked = exchange()
    _ = asked.begin([old], now: now)
    asked.proved(by: "Digest somebody")
    guard
      case .serve(0, _, .forget(0)) = asked.received(
        status: 304, fields: newer, requestTime: now, now: now, namesTarget: { false })
    else {
      Issue.record("it is for nobody else")
      return
    }
  }

  /// RFC 9111 §4.3.4.
  @Test(
    arguments: [
      ("\"a\"", [("ETag", "\"a\"")], true), ("W/\"a\"", [("ETag", "W/\"a\"")], true),
      ("\"a\"", [("ETag", "W/\"a\"")], true), ("\"a\"", [], true), ("\"a\"", [("ETag", "\"b\"")], false),
      ("W/\"a\"", [("ETag", "\"a\"")], false), ("\"a\"", [("ETag", "a")], false),
    ] as [(String, [(String, String)], Bool)])
  func whatAConfirmationIsAbout(_ tag: String, _ newer: [(String, String)], _ isConfirmed: Bool) throws {
    let reception = received(exchange(), [try stored([("ETag", tag)])], 304, newer)
    switch reception {
    case .serve: #expect(isConfirmed)
    case .askAgain: #expect(!isConfirmed)
    case .pass: Issue.record("nobody asked for a 304")
    }
  }

  @Test func theCallersOwnConditionIsAnsweredToTheCaller() throws {
    let old = try stored([("ETag", "\"a\""), ("Cache-Control", "max-age=60")])
    let request = exchange(["If-None-Match": "\"a\""])
    let newer = [("ETag", "\"a\""), ("Cache-Control", "max-age=600")]
    guard case .pass(nil, .freshen(0, let fresh)) = received(request, [old], 304, newer) else {
      Issue.record("it is the caller's")
      return
    }
    #expect(fresh.freshness.lifetime == 600)
    guard case .pass(nil, .none) = received(request, [old], 304, []) else {
      Issue.record("nothing says what it is about")
      return
    }
  }

  /// RFC 9111 §4.3.2.
  @Test(
    arguments: [
      (["If-None-Match": "\"a\""], 304), (["If-None-Match": "W/\"a\""], 304),
      (["If-None-Match": "\"x\", \"a\""], 304), (["If-None-Match": "*"], 304),
      (["If-None-Match": "\"b\""], 200),
      (["If-None-Match": "a"], 200), (["If-None-Match": "\"b,\"a\""], 200),
      (["If-Modified-Since": FreshnessTests.date(-50)], 304),
      (["If-Modified-Since": FreshnessTests.date(-51)], 200),
      (["If-Modified-Since": "x"], 200),
      (["If-None-Match": "\"b\"", "If-Modified-Since": FreshnessTests.date(0)], 200),
    ] as [([String: String], Int)])
  func conditionsOfTheCallers(_ request: [String: String], _ status: Int) throws {
    let fresh = try stored([
      ("ETag", "\"a\""), ("Last-Modified", FreshnessTests.date(-50)), ("Cache-Control", "max-age=600"),
      ("Content-Length", "5"),
    ])
    var exchange = exchange(request)
    guard case .serve(0, let serving) = exchange.begin([fresh], now: Self.start + 1) else {
      Issue.record("it is fresh")
      return
    }
    #expect(serving.status == status)
    #expect(serving.body == (status == 304 ? .none : .all))
    #expect(serving.fields.contains(.contentLength) == (status == 200))
  }

  /// RFC 5861 §4. `Cache-Control` of what is stored, the request's, the seconds since, and whether it stands in for an error.
  @Test(
    arguments: [
      ("max-age=60, stale-if-error=60", "", 100, true), ("max-age=60, stale-if-error=60", "", 120, true),
      ("max-age=60, stale-if-error=60", "", 121, false), ("max-age=60", "", 100, false),
      ("max-age=60", "stale-if-error=40", 100, true), ("max-age=60", "stale-if-error=39", 100, false),
      ("max-age=60, stale-if-error=60, must-revalidate", "", 100, false),
      ("max-age=60, stale-if-error=60, no-cache", "", 100, false),
      ("max-age=60, stale-if-error=60", "no-cache", 100, false),
      ("max-age=60, stale-if-error=60", "max-age=1", 100, false),
    ] as [(String, String, Double, Bool)])
  func errors(_ control: String, _ mode: String, _ seconds: Double, _ standsIn: Bool) throws {
    let old = try stored([("Cache-Control", control), ("ETag", "\"a\"")])
    let request = exchange(mode.isEmpty ? [:] : ["Cache-Control": mode])
    for status in [500, 502, 503, 504] {
      if case .serve(0, let serving, .none) = received(request, [old], status, [], after: seconds) {
        #expect(standsIn)
        #expect(serving.fields.values("cache-status") == ["Bluebonnet; fwd=stale; fwd-status=\(status)"])
      } else {
        #expect(!standsIn)
      }
    }
    for status in [200, 404, 501] {
      guard case .pass = received(request, [old], status, [], after: seconds) else {
        Issue.record("\(status) is an answer")
        return
      }
    }
    var lost = request
    _ = lost.begin([old], now: Self.start + seconds)
    #expect((lost.failed(now: Self.start + seconds) != nil) == standsIn)
    #expect(exchange().failed(now: Self.start) == nil)
  }

  /// RFC 9111 §4.3.5.
  @Test(
    arguments: [
      ([("ETag", "\"a\""), ("Cache-Control", "max-age=600")], "freshen"), ([("X", "1")], "freshen"),
      ([("Content-Length", "5")], "freshen"), ([("Content-Length", "6")], "forget"),
      ([("ETag", "\"b\"")], "forget"), ([("Last-Modified", "x")], "forget"),
    ] as [([(String, String)], String)])
  func whatAHeadTells(_ newer: [(String, String)], _ change: String) throws {
    let old = try stored([("ETag", "\"a\""), ("Content-Length", "5")])
    switch received(exchange([:], method: "HEAD"), [old], 200, newer) {
    case .pass(nil, .freshen(0, _)): #expect(change == "freshen")
    case .pass(nil, .forget(0)): #expect(change == "forget")
    case let other: Issue.record("\(other)")
    }
    guard case .pass(nil, .none) = received(exchange([:], method: "HEAD"), [old], 404, newer) else {
      Issue.record("a failure tells nothing")
      return
    }
  }

  @Test func aKeptGetAnswersAHead() throws {
    var exchange = exchange([:], method: "HEAD")
    let fresh = try stored([("Cache-Control", "max-age=60"), ("Content-Length", "5")])
    guard case .serve(0, let serving) = exchange.begin([fresh], now: Self.start + 1) else {
      Issue.record("it is fresh")
      return
    }
    #expect(serving.status == 200 && serving.body == .none)
    #expect(serving.fields.values(.contentLength) == ["5"])
    // A stale one is asked for as it is.
    #expect(opening(self.exchange([:], method: "HEAD"), [fresh], after: 70) == "forward")
  }

  /// RFC 9111 §4.3.5: what a HEAD says counts for what is stored, also where the caller does not want that.
  @Test(
    arguments: [CacheExchange.Mode.rules, .reloaded, .revalidated],
    [
      ([("ETag", "\"b\"")], true), ([("ETag", "\"a\""), ("Content-Length", "5")], true),
      ([("Last-Modified", "Thu, 01 Jan 1970 00:00:00 GMT")], true),
      ([("ETag", "\"a\""), ("Content-Length", "4")], false), ([("Content-Length", "4")], false),
    ])
  func aHeadThatContradicts(mode: CacheExchange.Mode, _ head: ([(String, String)], Bool)) throws {
    let stored = try stored([("ETag", "\"a\""), ("Content-Length", "4"), ("Cache-Control", "max-age=5")])
    var exchange = exchange([:], mode, method: "HEAD")
    #expect(exchange.asksStore)
    guard case .forward(let conditions) = exchange.begin([stored], now: Self.start + 10) else {
      Issue.record("a HEAD is asked for")
      return
    }
    #expect(conditions.isEmpty)
    let reception = exchange.received(
      status: 200, fields: FieldBlock(head.0), requestTime: Self.start + 10, now: Self.start + 10,
      namesTarget: { false })
    guard case .pass(_, let change) = reception else {
      Issue.record("the answer is the server's")
      return
    }
    if case .forget = change { #expect(head.1) } else { #expect(!head.1) }
  }
}
