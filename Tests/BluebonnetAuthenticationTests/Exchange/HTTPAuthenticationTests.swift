// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics
import Testing

@testable import BluebonnetAuthentication

@Suite struct HTTPAuthenticationTests {
  private static let sha = "Digest realm=\"r\", nonce=\"n1\", qop=auth, algorithm=SHA-256"
  private static let md5 = "Digest realm=\"r\", nonce=\"n2\", qop=auth"

  @Test(arguments: [AuthenticationSide.origin, .proxy])
  func aLoginAnswersTheFirstChallengeAndNoOther(_ side: AuthenticationSide) throws {
    var steps = Steps(side)
    #expect(try steps.proof() == nil)
    #expect(steps.challenged("Basic realm=\"r\"") == "again")
    #expect(try steps.proof() == "Basic dTpw")
    #expect(steps.challenged("Basic realm=\"r\"") == "ask basic")
    #expect(steps.machine.failures == 1 && steps.cache.isEmpty)
    // Whoever has nothing else to say is not asked for more.
    #expect(try steps.proof() == nil)
  }

  /// Several in one field, several fields, what nobody speaks.
  @Test(arguments: [
    (
      ["Basic realm=r", "NTLM", sha, "Negotiate", md5],
      "ask negotiate, digest SHA-256, ntlm, digest MD5, basic"
    ),
    (
      [
        "Digest realm=r, nonce=n, algorithm=SHA-256, Digest realm=r, nonce=n, algorithm=SHA-512-256, Basic realm=r"
      ],
      "ask digest SHA-512-256, digest SHA-256, basic"
    ),
    (["Basic realm=r, Bearer realm=x, scope=\"a b\""], "ask bearer, basic"),
    (["Magic realm=r, Basic realm=s"], "ask basic"), (["Magic"], "pass"), ([""], "pass"), ([], "pass"),
    (["Digest realm=r, nonce=n, algorithm=ROT13"], "pass"),
  ])
  func theStrongestComesFirst(_ challenges: [String], _ step: String) throws {
    var steps = Steps(login: nil)
    _ = try steps.proof()
    #expect(steps.received(401, challenges.map { ("WWW-Authenticate", $0) }) == step)
  }

  /// A server could have somebody asked about thousands.
  @Test func noMoreThanAFewAreAskedAbout() {
    let many = (0..<2_000).map { "Digest realm=\"r\($0)\", nonce=n" } + ["NTLM"]
    let offers = AuthenticationOffer.all(in: [FieldValue(many.joined(separator: ", "))], allowing: .all)
    #expect(offers.count == AuthenticationOffer.limit && offers.first?.scheme == .ntlm)
  }

  /// What answers by itself.
  private static let choices: [(Login, AuthenticationSchemes, AuthenticationScheme?)] = [
    (Steps.user, .all, .digest), (Steps.user, .basic, .basic), (.ticket, .all, .negotiate),
    (.token("t"), .all, .bearer), (Steps.user, [.ntlm, .basic], .ntlm), (.ticket, [.basic, .digest], nil),
    (Steps.user, .negotiate, nil),
  ]

  @Test(arguments: choices)
  func theStrongestThatFitsIsTaken(
    _ login: Login, _ allowed: AuthenticationSchemes, _ scheme: AuthenticationScheme?
  ) throws {
    var steps = Steps(login: login, allowing: allowed)
    _ = try steps.proof()
    let step = steps.challenged("Basic realm=r, NTLM, Negotiate, Bearer realm=r", Self.sha)
    #expect((step == "again") == (scheme != nil) && steps.machine.scheme == scheme)
  }

  @Test func othersThanTheSidesStatusAreNoChallenge() throws {
    var origin = Steps(.origin)
    _ = try origin.proof()
    #expect(origin.received(407, [("Proxy-Authenticate", "Basic realm=r")]) == "pass")
    var proxy = Steps(.proxy)
    _ = try proxy.proof()
    #expect(proxy.received(401, [("WWW-Authenticate", "Basic realm=r")]) == "pass")
    #expect(proxy.received(200, [("Proxy-Authenticate", "Basic realm=r")]) == "pass")
  }

  // MARK: Known spaces

  @Test func basicIsSentAheadBelowThePath() throws {
    var steps = Steps()
    _ = try steps.proof("/a/b?c=/d")
    _ = steps.challenged("Basic realm=r")
    _ = try steps.proof("/a/b?c=/d")
    #expect(steps.received(200) == "pass")
    for (target, isProved) in [("/a/c/d", true), ("/a/", true), ("/b", false), ("/a", false), ("/ab", false)]
    {
      var next = steps.next(login: Steps.user)
      #expect(try next.proof(target) == (isProved ? "Basic dTpw" : nil), "\(target)")
    }
  }

  @Test(arguments: [
    ("", ["/", "/x?y", "/z/a"], []),
    (", domain=\"/x /y/\"", ["/x", "/x/a", "/x?b", "/y/a"], ["/", "/xa", "/y"]),
    (", domain=\"http://a.test/x http://b.test/y\"", ["/x/z"], ["/y", "/"]),
    // Nobody else's word opens another server, and this one's not all of itself either.
    (", domain=\"http://b.test/y //b.test/z\"", ["/a/c"], ["/y", "/z", "/"]),
    (", domain=\"https://a.test/x\"", ["/a/c"], ["/x"]),
  ])
  func digestIsSentAheadInItsDomain(_ domain: String, _ inside: [String], _ outside: [String]) throws {
    var steps = Steps()
    _ = try steps.proof("/a/b")
    _ = steps.challenged(Self.sha + domain)
    _ = try steps.proof("/a/b")
    #expect(steps.received(204) == "pass")
    for target in inside {
      var next = steps.next(login: Steps.user)
      #expect(try next.proof(target)?.parameter("uri") == target)
    }
    for target in outside {
      var next = steps.next(login: Steps.user)
      #expect(try next.proof(target) == nil, "\(target)")
    }
  }

  @Test func aLoginIsNotProvedByWhatIsKnownOfAnother() throws {
    var steps = Steps()
    _ = try steps.proof()
    _ = steps.challenged("Basic realm=r")
    _ = try steps.proof()
    _ = steps.received(200)
    var other = steps.next(login: .password(user: "other", password: "p"))
    #expect(try other.proof() == nil)
    var same = steps.next(login: Steps.user)
    #expect(try same.proof() != nil)
    var strict = steps.next(login: Steps.user, allowing: [.digest])
    #expect(try strict.proof() == nil)
    var proxy = Steps(.proxy, cache: steps.cache)
    #expect(try proxy.proof() == nil)
  }

  @Test func whatIsNotToBeKeptIsForgotten() throws {
    var steps = Steps(login: nil)
    _ = try steps.proof()
    _ = steps.challenged("Basic realm=r")
    let offer = try #require(AuthenticationOffer.all(in: ["Basic realm=r"], allowing: .all).first)
    steps.machine.answer(offer, with: Steps.user, isKept: false)
    #expect(try steps.proof() == "Basic dTpw")
    #expect(steps.received(200) == "pass" && steps.cache.isEmpty)
  }

  // MARK: Digest

  @Test func noNumberOfANonceIsUsedTwice() throws {
    var steps = Steps()
    _ = try steps.proof()
    _ = steps.challenged(Self.sha)
    let first = try #require(try steps.proof())
    #expect(first.parameter("nc") == "00000001")
    _ = steps.received(200)
    var cache = steps.cache
    var seen: Set<String> = ["00000001"]
    for _ in 0..<100 {
      var next = Steps(cache: cache)
      let field = try #require(try next.proof("/c"))
      #expect(field.parameter("cnonce") == first.parameter("cnonce"))
      #expect(seen.insert(try #require(field.parameter("nc"))).inserted)
      // In flight at once: none of them has a response yet.
      cache = next.cache
    }
    #expect(seen.contains("00000065"))
  }

  @Test func aStaleNonceIsRenewedWithoutAQuestion() throws {
    var steps = Steps()
    _ = try steps.proof()
    _ = steps.challenged(Self.sha)
    _ = try steps.proof()
    #expect(steps.challenged(Self.sha.replacing("n1", with: "n3") + ", stale=true") == "again")
    #expect(try steps.proof()?.parameter("nonce") == "n3")
    #expect(steps.received(200) == "pass" && steps.machine.failures == 0)
    var next = steps.next(login: Steps.user)
    #expect(try next.proof()?.parameter("nonce") == "n3")
    // A server that has forgotten its nonces does not know that they are stale.
    #expect(next.challenged(Self.sha.replacing("n1", with: "n4")) == "again")
    #expect(try next.proof()?.parameter("nonce") == "n4")
    #expect(next.challenged(Self.sha.replacing("n1", with: "n5")) == "ask digest SHA-256")
    #expect(next.machine.failures == 1 && next.cache.isEmpty)
  }

  @Test(arguments: [
    // The same nonce is not stale, whatever it says; nor is one of another realm.
    sha + ", stale=true", sha.replacing("n1", with: "n3").replacing("\"r\"", with: "\"s\"") + ", stale=true",
    // A weaker sum than the one that was asked for.
    md5 + ", stale=true", "Basic realm=r", sha.replacing("n1", with: "n3"),
  ])
  func whatIsNotStaleIsRefused(_ challenge: String) throws {
    var steps = Steps()
    _ = try steps.proof()
    _ = steps.challenged(Self.sha)
    _ = try steps.proof()
    #expect(steps.challenged(challenge).hasPrefix("ask "))
    #expect(steps.machine.failures == 1)
    #expect(try steps.proof() == nil)
  }

  /// Known credentials go to all of a server that names no domain, where they are of no use in its other realms.
  @Test func anAnswerForAnotherRealmIsNotRefused() throws {
    var steps = Steps()
    _ = try steps.proof("/a")
    _ = steps.challenged(Self.sha)
    _ = try steps.proof("/a")
    _ = steps.received(200)
    let other = "Digest realm=\"s\", nonce=\"n3\", qop=auth, algorithm=SHA-256"
    var next = steps.next(login: Steps.user)
    #expect(try next.proof("/b")?.parameter("realm") == "r")
    #expect(next.challenged(other, "Basic realm=s") == "again")
    #expect(next.machine.failures == 0)
    #expect(try next.proof("/b")?.parameter("realm") == "s")
    // There it has been asked for.
    #expect(next.challenged(other.replacing("n3", with: "n4")) == "ask digest SHA-256")
    #expect(next.machine.failures == 1)
    // What opens the first space still does.
    var third = next.next(login: Steps.user)
    #expect(try third.proof("/a")?.parameter("realm") == "r")
    // A caller without a login is asked as if for the first time.
    var fourth = next.next()
    fourth.machine.begin(
      with: try #require(fourth.cache.space(of: Steps.place, .origin, for: "/b", login: nil)))
    _ = try fourth.proof("/b")
    // All offers are the caller's to choose from. A password is told only if the caller says so.
    #expect(fourth.challenged("Basic realm=s", "Negotiate", other) == "ask negotiate, digest SHA-256, basic")
    #expect(fourth.machine.failures == 0)
    let offers = AuthenticationOffer.all(in: [FieldValue("Basic realm=s, Negotiate")], allowing: .all)
    #expect(offers.map(fourth.machine.isStrongEnough) == [true, false])
  }

  @Test(arguments: [
    "Basic realm=s", "Digest realm=s, nonce=n3", "NTLM", sha.replacing("n1", with: "n3") + ", Basic realm=s",
  ])
  func noWeakerAnswerIsGivenForAnotherRealm(_ challenge: String) throws {
    var steps = Steps()
    _ = try steps.proof()
    _ = steps.challenged(Self.sha.replacing("SHA-256", with: "SHA-512-256"))
    _ = try steps.proof()
    _ = steps.received(200)
    var next = steps.next(login: Steps.user)
    _ = try next.proof()
    #expect(next.challenged(challenge).hasPrefix("ask "))
    #expect(next.machine.failures == 1)
  }

  @Test func aPasswordThatWentOutAsItIsDoesNotGoOutAgain() throws {
    var steps = Steps()
    _ = try steps.proof("/a/b")
    _ = steps.challenged("Basic realm=r")
    _ = try steps.proof("/a/b")
    _ = steps.received(200)
    var next = steps.next(login: Steps.user)
    #expect(try next.proof("/a/c") == "Basic dTpw")
    #expect(next.challenged("Basic realm=s") == "ask basic")
    #expect(next.machine.failures == 1)
  }

  @Test func aServerIsNotFollowedFromNonceToNonceForEver() throws {
    var steps = Steps()
    _ = try steps.proof()
    _ = steps.challenged(Self.sha)
    var count = 0
    repeat {
      _ = try steps.proof()
      count += 1
    } while steps.challenged(Self.sha.replacing("n1", with: "s\(count)") + ", stale=true") == "again"
      && count < 99
    #expect(count == HTTPAuthentication.renewalLimit + 1)
  }

  @Test func theNextNonceIsTaken() throws {
    var steps = Steps()
    _ = try steps.proof()
    _ = steps.challenged(Self.sha)
    _ = try steps.proof()
    #expect(steps.received(200, [("Authentication-Info", "nextnonce=\"n9\", qop=auth")]) == "pass")
    var next = steps.next(login: Steps.user)
    let field = try #require(try next.proof())
    #expect(field.parameter("nonce") == "n9" && field.parameter("nc") == "00000001")
  }

  @Test func aServerThatDoesNotKnowTheSecretIsNotBelieved() throws {
    for (side, name) in [
      (AuthenticationSide.origin, "Authentication-Info"), (.proxy, "Proxy-Authentication-Info"),
    ] {
      var steps = Steps(side)
      _ = try steps.proof()
      _ = steps.challenged(Self.sha)
      _ = try steps.proof()
      #expect(steps.received(200, [(name, "rspauth=\"00\", qop=auth")]) == "fail mutualAuthenticationFailed")
      #expect(steps.cache.isEmpty)
    }
  }

  @Test func withoutRandomNumbersNothingIsProved() throws {
    var steps = Steps(sources: AuthenticationSources(random: { _ in nil }, now: { 0 }))
    _ = try steps.proof()
    _ = steps.challenged(Self.sha)
    #expect(throws: AuthenticationFault.self) { try steps.proof() }
  }

  @Test func whatCannotBeProvedOneWayIsProvedTheNext() throws {
    var steps = Steps()
    let content = AuthenticatedRequest.Content.unknown("it comes from a stream")
    _ = try steps.proof(content: content)
    _ = steps.challenged("Digest realm=r, nonce=n, qop=\"auth-int\", algorithm=SHA-256, Basic realm=r")
    #expect(try steps.proof(content: content) == "Basic dTpw")
  }
}
