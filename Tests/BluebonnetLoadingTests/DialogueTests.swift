// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetHTTP1
import BluebonnetSemantics
import Testing

@testable import BluebonnetLoading

/// Whole loads, event by event, without a port or a clock.
@Suite struct DialogueTests {
  /// What the load is like, and its dialogue: an event, and behind the arrow what has come of it.
  static let dialogues: [(setup: String, lines: String)] = [
    // One side asks.
    ("", "send -> sends; 200 -> delivers"),
    (
      "",
      """
      send -> sends; 401 WWW-Authenticate: Basic realm="r" -> asks 1 basic; answer 1 u p -> resend(origin)
      send -> sends Authorization: Basic; 200 -> delivers
      """
    ),
    (
      "",
      """
      401 WWW-Authenticate: Digest realm="r", nonce="n", qop="auth" | WWW-Authenticate: Basic realm="r" -> asks 1 digest
      answer 1 u p -> resend(origin); send -> sends Authorization: Digest; 200 -> delivers
      """
    ),
    (
      "",
      """
      401 WWW-Authenticate: Digest realm="r", nonce="n", qop="auth" | WWW-Authenticate: Basic realm="r" -> asks 1 digest
      reject 1 -> asks 2 basic; answer 2 u p -> resend(origin); send -> sends Authorization: Basic; 200 -> delivers
      """
    ),
    (
      "",
      """
      401 WWW-Authenticate: Digest realm="r", nonce="n", qop="auth" | WWW-Authenticate: Basic realm="r" -> asks 1 digest
      reject 1 -> asks 2 basic; reject 2 -> delivers
      """
    ),
    (
      "",
      """
      401 WWW-Authenticate: Digest realm="r", nonce="n", qop="auth" | WWW-Authenticate: Basic realm="r" -> asks 1 digest
      decline 1 -> delivers
      """
    ),
    ("", "401 WWW-Authenticate: Negotiate -> asks 1 negotiate; misfit 1 -> no answer to negotiate"),
    (
      "",
      """
      401 WWW-Authenticate: Negotiate | WWW-Authenticate: Basic realm="r" -> asks 1 negotiate
      misfit 1 -> asks 2 basic; answer 2 u p -> resend(origin)
      """
    ),
    (
      "",
      """
      401 WWW-Authenticate: Negotiate | WWW-Authenticate: Basic realm="r" -> asks 1 negotiate
      misfit 1 -> asks 2 basic; reject 2 -> no answer to negotiate basic
      """
    ),
    // A refused answer is asked about anew, and never sent again by itself.
    (
      "",
      """
      401 WWW-Authenticate: Basic realm="r" -> asks 1 basic; answer 1 u p -> resend(origin)
      send -> sends Authorization: Basic; 401 WWW-Authenticate: Basic realm="r" -> asks 2 basic
      answer 2 u q -> resend(origin); send -> sends Authorization: Basic; 200 -> delivers
      """
    ),
    // An answer counts once, and for its own question.
    (
      "",
      """
      401 WWW-Authenticate: Basic realm="r" -> asks 1 basic; answer 1 u p -> resend(origin); answer 1 u p -> ignored
      """
    ),
    (
      "",
      """
      401 WWW-Authenticate: Digest realm="r", nonce="n" | WWW-Authenticate: Basic realm="r" -> asks 1 digest
      reject 1 -> asks 2 basic; answer 1 u p -> ignored; answer 2 u p -> resend(origin)
      """
    ),
    (
      "",
      "401 WWW-Authenticate: Basic realm=\"r\" -> asks 1 basic; decline 1 -> delivers; answer 1 u p -> ignored"
    ),
    // A stale nonce is renewed without a question.
    (
      "",
      """
      401 WWW-Authenticate: Digest realm="r", nonce="n", qop="auth" -> asks 1 digest; answer 1 u p -> resend(origin)
      send -> sends Authorization: Digest
      401 WWW-Authenticate: Digest realm="r", nonce="m", qop="auth", stale=true -> resend(origin)
      send -> sends Authorization: Digest; 200 -> delivers
      """
    ),
    // The server's own proof is wrong.
    (
      "",
      """
      401 WWW-Authenticate: Digest realm="r", nonce="n", qop="auth" -> asks 1 digest; answer 1 u p -> resend(origin)
      send -> sends Authorization: Digest
      200 Authentication-Info: rspauth="0", cnonce="x", nc=00000001, qop=auth -> fails mutualAuthenticationFailed
      """
    ),
    // A proxy.
    (
      "proxy",
      """
      407 Proxy-Authenticate: Basic realm="r" -> asks 1 basic; answer 1 u p -> resend(proxy)
      send -> sends Proxy-Authorization: Basic; 200 -> delivers
      """
    ),
    ("proxy", "407 Proxy-Authenticate: Basic realm=\"r\" -> asks 1 basic; decline 1 -> delivers"),
    ("proxy", "407 -> delivers"),
    // Without a proxy a 407 is a response like any other.
    ("", "407 Proxy-Authenticate: Basic realm=\"r\" -> delivers"),
    // Both sides, one after the other; each keeps its answer.
    (
      "proxy",
      """
      407 Proxy-Authenticate: Basic realm="p" -> asks 1 basic; answer 1 u p -> resend(proxy)
      send -> sends Proxy-Authorization: Basic; 401 WWW-Authenticate: Basic realm="o" -> asks 2 basic
      answer 2 v q -> resend(origin); send -> sends Authorization: Basic; 200 -> delivers
      """
    ),
    // Redirects.
    ("", "302 Location: /y -> asks 1 http://a.test/y; follow 1 -> follow; send -> sends; 200 -> delivers"),
    ("", "302 Location: /y -> asks 1 http://a.test/y; stay 1 -> delivers; follow 1 -> ignored"),
    ("post", "302 Location: /y -> asks 1 GET http://a.test/y; follow 1 -> follow"),
    ("post", "307 Location: /y -> asks 1 http://a.test/y; follow 1 -> follow"),
    ("post", "303 Location: /y -> asks 1 GET http://a.test/y"),
    ("limit0", "302 Location: /y -> asks 1 http://a.test/y too often"),
    ("", "302 -> delivers"), ("", "300 Location: /y -> delivers"), ("", "304 Location: /y -> delivers"),
    (
      "",
      """
      301 Location: /1 -> asks 1 http://a.test/1; follow 1 -> follow; 301 Location: /2 -> asks 2 http://a.test/2
      follow 2 -> follow; 301 Location: /3 -> asks 3 http://a.test/3; follow 3 -> follow
      301 Location: /4 -> asks 4 http://a.test/4 too often
      """
    ),
    ("", "302 Location: /y | Location: /z -> asks 1 nowhere; stay 1 -> delivers"),
    // A redirect behind a challenge: the credentials stay at their origin.
    (
      "",
      """
      401 WWW-Authenticate: Basic realm="r" -> asks 1 basic; answer 1 u p -> resend(origin)
      send -> sends Authorization: Basic; 302 Location: http://b.test/ -> asks 2 http://b.test/; follow 2 -> follow
      send -> sends; 200 -> delivers
      """
    ),
    // In the middle of one: the open question is superseded.
    (
      "",
      """
      401 WWW-Authenticate: Basic realm="r" -> asks 1 basic; 302 Location: /y -> asks 2 http://a.test/y
      answer 1 u p -> ignored; follow 2 -> follow; send -> sends
      """
    ),
    // The proxy stays the same behind a redirect.
    (
      "proxy",
      """
      407 Proxy-Authenticate: Digest realm="p", nonce="n", qop="auth" -> asks 1 digest; answer 1 u p -> resend(proxy)
      send -> sends Proxy-Authorization: Digest; 302 Location: http://b.test/ -> asks 2 http://b.test/; follow 2 -> follow
      407 Proxy-Authenticate: Digest realm="p", nonce="m", qop="auth" -> asks 3 digest
      """
    ),
    // A challenge that redirects is a challenge: the status says so.
    ("", "401 WWW-Authenticate: Basic realm=\"r\" | Location: /y -> asks 1 basic; decline 1 -> delivers"),
    // The cache.
    ("stored", "304 ETag: \"1\" -> serves 0 as 200 freshened"),
    ("stored", "304 ETag: \"2\" -> sendUnconditionally; send -> sends; 200 -> delivers"),
    ("stored", "200 -> delivers"), ("stored", "500 -> delivers"),
    ("fallback", "500 -> serves 0 as 200"), ("fallback", "503 -> serves 0 as 200"),
    ("fallback", "404 -> delivers"),
    // A 304 behind a proxy's 407 and an origin's 401 validates what it was asked about.
    (
      "stored proxy",
      """
      407 Proxy-Authenticate: Basic realm="p" -> asks 1 basic; answer 1 u p -> resend(proxy)
      send -> sends Proxy-Authorization: Basic; 304 ETag: "1" -> delivers
      """
    ),
    ("stored", "401 WWW-Authenticate: Basic realm=\"r\" -> asks 1 basic; decline 1 -> delivers"),
    ("stored", "302 Location: /y -> asks 1 http://a.test/y; follow 1 -> follow; 304 ETag: \"1\" -> delivers"),
    // An outage of the origin is none where the response that stands in is asked about by a proxy.
    ("fallback proxy", "407 Proxy-Authenticate: Basic realm=\"p\" -> asks 1 basic"),
    // 417.
    ("expect", "417 -> sendWithoutExpect; send -> sends; 200 -> delivers"),
    ("expect", "417 -> sendWithoutExpect; 417 -> delivers"), ("", "417 -> delivers"),
    (
      "expect",
      """
      417 -> sendWithoutExpect; 401 WWW-Authenticate: Basic realm="r" -> asks 1 basic; answer 1 u p -> resend(origin)
      send -> sends Authorization: Basic; 417 -> delivers
      """
    ),
    (
      "expect",
      """
      401 WWW-Authenticate: Basic realm="r" -> asks 1 basic; answer 1 u p -> resend(origin); 417 -> sendWithoutExpect
      """
    ),
    ("expect", "302 Location: /y -> asks 1 http://a.test/y; follow 1 -> follow; 417 -> sendWithoutExpect"),
    ("expect proxy", "417 -> sendWithoutExpect; 407 Proxy-Authenticate: Basic realm=\"p\" -> asks 1 basic"),
    // NTLM takes three messages over one connection.
    (
      "",
      """
      401 WWW-Authenticate: NTLM -> asks 1 ntlm; answer 1 u p -> resend(origin); send -> sends Authorization: NTLM
      401 WWW-Authenticate: NTLM -> asks 2 ntlm
      """
    ),
  ]

  @Test(arguments: dialogues.indices)
  func goesSo(_ index: Int) {
    let (setup, lines) = Self.dialogues[index]
    var dialogue = Dialogue(setup)
    for line in lines.split(whereSeparator: { $0 == ";" || $0 == "\n" }) {
      let halves = line.split(separator: "->").map { $0.trimmed }
      #expect(halves.count == 2, "\(line)")
      #expect(dialogue.hear(halves[0]) == halves[1], "\(setup): \(halves[0])")
    }
  }

  /// A response belongs to the request that was sent last: no step of an earlier one is left.
  @Test(arguments: [
    NextStep.follow, .resend(.origin), .sendUnconditionally, .sendWithoutExpect, .sendForWhole, .serve,
  ])
  func aRequestLeavesTheStepBeforeBehind(_ step: NextStep) {
    var machine = LoadMachine(redirectLimit: 3)
    machine.discard(then: step)
    #expect(machine.phase == .discarding(then: step))
    _ = machine.send(by: [])
    #expect(machine.phase == .loading)
  }

  /// Each stage has a bit of its own, and they are passed in the order in which they are declared.
  @Test func stagesArePassedInTheirOrder() {
    var machine = LoadMachine(redirectLimit: 3)
    var said: [String] = []
    var action = machine.send(by: [.proxy, .origin, .turn, .cache, .memory, .local, .classes])
    while case .enter(let stage) = action {
      said.append("\(stage)")
      action = machine.requestPassed()
    }
    #expect(said == RequestStage.allCases.map { "\($0)" })
    said = []
    action = machine.received(
      LoadHead(status: 200, fields: FieldBlock([])),
      by: [.redirect, .origin, .proxy, .cache, .expectation, .storages])
    while case .examine(let stage) = action {
      said.append("\(stage)")
      action = machine.responsePassed()
    }
    // The machine deals with the expectation itself.
    #expect(said == ResponseStage.allCases.filter { $0 != .expectation }.map { "\($0)" })
    if case .deliver = action { return }
    Issue.record("\(action)")
  }

  // MARK: Each response in each situation

  /// What the load has behind it, by its setup and the events before.
  private static let situations: [(setup: String, before: [String])] = [
    ("", []),
    ("", [#"401 WWW-Authenticate: Basic realm="r""#, "answer 1 u p", "send"]),
    ("", [#"401 WWW-Authenticate: Digest realm="r", nonce="n", qop="auth""#, "answer 1 u p", "send"]),
    ("proxy", []),
    ("proxy", [#"407 Proxy-Authenticate: Basic realm="r""#, "answer 1 u p", "send"]),
    ("stored", []), ("fallback", []), ("expect", []), ("stored proxy", []), ("post", []), ("limit0", []),
    ("expect", ["417", "send"]),
    ("", ["302 Location: /y", "follow 1", "send"]),
    (
      "",
      [
        #"401 WWW-Authenticate: Basic realm="r""#, "answer 1 u p", "send", "302 Location: http://b.test/",
        "follow 2", "send",
      ]
    ),
  ]

  private static let responses: [String] = [
    "200", #"304 ETag: "1""#, #"304 ETag: "2""#, #"401 WWW-Authenticate: Basic realm="r""#, "401",
    #"401 WWW-Authenticate: Digest realm="r", nonce="m", qop="auth", stale=true"#,
    #"407 Proxy-Authenticate: Basic realm="r""#, "407", "417", "301 Location: http://c.test/", "302",
    "303 Location: /z",
    "307 Location: /z", "500", "206",
  ]

  /// A row for each situation, a column for each response. `a` asks for a credential, `A` for one once more, `r` asks about a redirect
  /// by the same method and `g` by GET, `l` about one too many, `d` delivers, `s` serves and freshens, `f` serves in the place of
  /// an error, `u` sends without conditions, `x` without Expect, `o` sends with credentials for the origin.
  private static let grid = [
    "d d d a d a d d d r d r r d d",
    "d d d A d A d d d r d r r d d",
    "d d d A d o d d d r d r r d d",
    "d d d a d a a d d r d r r d d",
    "d d d a d a A d d r d r r d d",
    "d s u a d a d d d r d r r d d",
    "d s u a d a d d d r d r r f d",
    "d d d a d a d d x r d r r d d",
    "d s u a d a a d d r d r r d d",
    "d d d a d a d d d g d g r d d",
    "d d d a d a d d d l d l l d d",
    "d d d a d a d d d r d r r d d",
    "d d d a d a d d d r d r r d d",
    "d d d a d a d d d r d r r d d",
  ]

  @Test(arguments: situations.indices)
  func eachResponseInEachSituation(_ row: Int) {
    let expected = Self.grid[row].split(separator: " ").map(String.init)
    #expect(expected.count == Self.responses.count)
    for (response, letter) in zip(Self.responses, expected) {
      let (setup, before) = Self.situations[row]
      var dialogue = Dialogue(setup)
      for event in before { _ = dialogue.hear(event) }
      let hasAsked = (response.hasPrefix("407") ? dialogue.proxy : dialogue.origin) != nil
      let said = dialogue.hear(response)
      #expect(Self.letter(said, hasAsked: hasAsked) == letter, "\(setup) \(before): \(response) -> \(said)")
    }
  }

  private static func letter(_ said: String, hasAsked: Bool) -> String {
    let words = said.split(separator: " ").map(String.init)
    switch words[0] {
    case "delivers": return "d"
    case "asks" where said.hasSuffix("too often"): return "l"
    case "asks" where said.contains(" GET "): return "g"
    case "asks" where said.contains("http://"): return "r"
    case "asks": return hasAsked ? "A" : "a"
    case "serves": return said.hasSuffix("freshened") ? "s" : "f"
    case "sendUnconditionally": return "u"
    case "sendWithoutExpect": return "x"
    case "resend(origin)": return "o"
    default: return said
    }
  }
}

extension Substring {
  fileprivate var trimmed: String {
    var rest = self.drop { $0 == " " }
    while rest.last == " " { rest.removeLast() }
    return String(rest)
  }
}
