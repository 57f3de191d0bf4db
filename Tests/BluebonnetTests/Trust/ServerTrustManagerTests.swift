// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct ServerTrustManagerTests {
  @Test func hostsAreExact() throws {
    let evaluator = DisabledTrustEvaluator()
    let manager = ServerTrustManager(evaluators: ["example.org": evaluator])
    #expect(manager.allHostsMustBeEvaluated)
    #expect(try manager.serverTrustEvaluator(forHost: "example.org") as? DisabledTrustEvaluator === evaluator)
    let error = #expect(throws: AFError.self) { try manager.serverTrustEvaluator(forHost: "www.example.org") }
    guard case .serverTrustEvaluationFailed(.noRequiredEvaluator(let host))? = error else {
      Issue.record("unexpected \(String(describing: error))")
      return
    }
    #expect(host == "www.example.org")
  }

  @Test(
    arguments: [
      ("www.example.org", "wildcard"), ("WWW.Example.ORG.", "wildcard"),
      ("b%C3%BCcher.example.org", "wildcard"),
      ("exact.example.org", "exact"), ("Exact.Example.Org", "exact"), ("a.b.example.org", nil),
      ("a.exact.example.org", nil), ("example.org", nil), ("org", nil), ("wwwexample.org", nil),
      ("www.example.org.evil.test", nil), ("www.xn--bcher-kva.test", "international"),
      ("www.bücher.test", "international"), ("bücher.test", nil), ("127.0.0.1", nil), ("::1", nil),
      (".example.org", nil),
    ] as [(String, String?)])
  func aWildcardIsOneLabel(_ host: String, _ expected: String?) throws {
    let named = [
      "*.Example.org": DisabledTrustEvaluator(), "exact.example.org": DisabledTrustEvaluator(),
      "*.bücher.test": DisabledTrustEvaluator(),
    ]
    let names = ["*.Example.org": "wildcard", "exact.example.org": "exact", "*.bücher.test": "international"]
    let manager = ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: named)
    let found = try manager.serverTrustEvaluator(forHost: host) as? DisabledTrustEvaluator
    #expect(named.first { $0.value === found }.flatMap { names[$0.key] } == expected)
    let strict = ServerTrustManager(evaluators: named)
    if expected == nil {
      #expect(throws: AFError.self) { try strict.serverTrustEvaluator(forHost: host) }
    }
  }

  @Test func wildcardsOfOneSpellingMustAllAccept() throws {
    let manager = ServerTrustManager(
      evaluators: ["*.example.org": DisabledTrustEvaluator(), "*.EXAMPLE.org.": DisabledTrustEvaluator()])
    #expect(try manager.serverTrustEvaluator(forHost: "a.example.org") is CompositeTrustEvaluator)
  }

  @Test func unknownHostsMayBeLeftAlone() throws {
    let manager = ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: [:])
    #expect(try manager.serverTrustEvaluator(forHost: "example.org") == nil)
  }

  @Test func aZoneLeadsAroundNoEvaluator() throws {
    let (bare, zoned) = (DisabledTrustEvaluator(), DisabledTrustEvaluator())
    let manager = ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: ["::1": bare])
    for host in ["::1%lo", "[::1%25lo]", "0:0::1%1"] {
      #expect(try manager.serverTrustEvaluator(forHost: host) as? DisabledTrustEvaluator === bare)
    }
    let both = ServerTrustManager(
      allHostsMustBeEvaluated: false, evaluators: ["[::1]": bare, "[::1%25lo]": zoned])
    #expect(try both.serverTrustEvaluator(forHost: "::1%lo") is CompositeTrustEvaluator)
    #expect(try both.serverTrustEvaluator(forHost: "::1") as? DisabledTrustEvaluator === bare)
    #expect(try both.serverTrustEvaluator(forHost: "::2%lo") == nil)
  }

  @Test(arguments: [
    ("https://example.org", "without scheme, port and path"),
    ("example.org:443", "without scheme, port and path"),
    ("example.org/api", "without scheme, port and path"), ("*", "a wildcard is the whole first label"),
    ("*.*.example.org", "a wildcard is the whole first label"),
    ("a.*.org", "a wildcard is the whole first label"),
    ("w*.example.org", "a wildcard is the whole first label"), ("*.", "it is empty"),
    ("*.example.org:443", "without scheme, port and path"), ("*.0.0.1", "not for addresses"),
    ("*.[::1]", "not for addresses"), ("*.1", "not for addresses"),
    ("[example.org]", "the brackets do not hold an IPv6 address"), ("", "it is empty"),
  ])
  func aKeyThatIsNoHostIsToldWhy(_ key: String, _ reason: String) {
    let manager = ServerTrustManager(evaluators: [key: DisabledTrustEvaluator()])
    let error = #expect(throws: AFError.self) { try manager.serverTrustEvaluator(forHost: "example.org") }
    let text = error?.localizedDescription ?? ""
    #expect(text.contains(reason), "\(text)")
  }

  /// As it comes, or with a use of its own for such a key.
  private final class Subclass: ServerTrustManager, @unchecked Sendable {
    override func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
      if host == "own.example.org", let own = evaluators["own:443"] { return own }
      return try super.serverTrustEvaluator(forHost: host)
    }
  }

  /// Whoever subclasses it loses no pin: a host that seems to have no evaluator may be that of the key.
  @Test func aSubclassWithAKeyThatIsNoHost() throws {
    let own = DisabledTrustEvaluator()
    let manager = Subclass(
      allHostsMustBeEvaluated: false,
      evaluators: ["own:443": own, "example.org": DefaultTrustEvaluator(), "bank.test:443": own])
    #expect(try manager.serverTrustEvaluator(forHost: "own.example.org") is DisabledTrustEvaluator)
    #expect(try manager.serverTrustEvaluator(forHost: "example.org") is DefaultTrustEvaluator)
    #expect(throws: AFError.self) { try manager.serverTrustEvaluator(forHost: "bank.test") }
    #expect(throws: AFError.self) { try manager.serverTrustEvaluator(forHost: "other.test") }
  }
}
