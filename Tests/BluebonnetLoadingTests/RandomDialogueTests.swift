// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

@testable import BluebonnetLoading

/// Loads that hear anything, in any order, and get any answer, to any question, any number of times.
@Suite struct RandomDialogueTests {
  private static let events: [String] = [
    "200", "206", "500", #"304 ETag: "1""#, #"304 ETag: "2""#, "401", "407", "417",
    #"401 WWW-Authenticate: Basic realm="r""#, #"401 WWW-Authenticate: Basic realm="s""#,
    #"401 WWW-Authenticate: Digest realm="r", nonce="n", qop="auth""#,
    #"401 WWW-Authenticate: Digest realm="r", nonce="m", qop="auth", stale=true"#,
    #"401 WWW-Authenticate: Digest realm="r", nonce="k", qop="auth" | WWW-Authenticate: Basic realm="r""#,
    "401 WWW-Authenticate: NTLM", "401 WWW-Authenticate: NTLM TlRMTVNTUAACAAAA",
    "401 WWW-Authenticate: Bearer",
    #"407 Proxy-Authenticate: Basic realm="p""#,
    #"407 Proxy-Authenticate: Digest realm="p", nonce="n", qop="auth""#,
    #"200 Authentication-Info: rspauth="0", cnonce="x", nc=00000001, qop=auth"#,
    "301 Location: /y", "302 Location: http://b.test/", "303 Location: http://a.test/",
    "307 Location: http://c.test/z",
    "302", "302 Location: /y | Location: /z",
  ]
  private static let answers = ["answer", "reject", "decline", "misfit", "follow", "stay"]
  private static let setups = [
    "", "proxy", "stored", "fallback proxy", "expect", "post", "stored expect proxy", "limit0",
  ]

  /// Each load comes to an end, asks each question once, and tells an origin nothing that was meant for another.
  @Test func anythingInAnyOrder() {
    var random = SeededGenerator(seed: 26)
    for run in 0..<1_500 {
      let setup = Self.setups[run % Self.setups.count]
      var dialogue = Dialogue(setup)
      var history: [String] = []
      var newest: UInt32 = 0
      for step in 0..<40 {
        let event: String
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: event = Self.events.randomElement(using: &random) ?? "200"
        case 4..<7:
          let number = UInt32.random(in: 0...(newest + 1), using: &random)
          event = "\(Self.answers.randomElement(using: &random) ?? "answer") \(number) u\(step) p"
        case 7: event = newest == 0 ? "200" : "answer \(newest) u\(step) p"
        default: event = "send"
        }
        let open = newest
        let said = dialogue.hear(event)
        history.append("\(event) -> \(said)")
        #expect(!said.isEmpty)
        if said.hasPrefix("asks"), let number = UInt32(said.split(separator: " ")[1]) {
          #expect(number == open + 1, "\(history)")
          newest = number
        }
        // An answer counts while its question is the newest, and once.
        if event.hasPrefix("answer"), said != "ignored" {
          #expect(dialogue.hear(event) == "ignored", "\(history)")
        }
      }
      // Whatever has happened, plain responses end it: the first may be to content that was held back, or a false proof.
      let last = (0..<3).map { _ in
        _ = dialogue.hear("send")
        return dialogue.hear("200")
      }
      #expect(last.contains("delivers"), "\(history) \(last)")
      for (host, value) in dialogue.sent {
        #expect(dialogue.wasMeant(for: host, value), "\(host) heard \(value): \(history)")
      }
    }
  }

  /// A server that refuses everything, and a caller who always answers: the refusal is the answer in the end.
  @Test(arguments: [
    #"401 WWW-Authenticate: Basic realm="r""#,
    #"401 WWW-Authenticate: Digest realm="r", nonce="n", qop="auth""#,
    "401 WWW-Authenticate: NTLM", #"407 Proxy-Authenticate: Basic realm="r""#,
  ])
  func refusesForEver(_ refusal: String) {
    var dialogue = Dialogue("proxy")
    var questions = 0
    while true {
      let said = dialogue.hear(refusal)
      guard said.hasPrefix("asks") else {
        #expect(said == "delivers")
        break
      }
      questions += 1
      if questions > 100 { break }
      _ = dialogue.hear("answer \(questions) u p")
      _ = dialogue.hear("send")
    }
    #expect(questions == 21)
  }
}
