// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetLocks
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@Suite struct CookieNotificationTests {
  private final class Count: Sendable {
    private let number = Locked(0)
    var value: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
  }

  @Test func changesAreTold() async throws {
    let storage = HTTPCookieStorage()
    let (cookies, policies) = (Count(), Count())
    let center = NotificationCenter.default
    let observers = [
      center.addObserver(forName: .NSHTTPCookieManagerCookiesChanged, object: storage, queue: nil) { _ in
        cookies.add()
      },
      center.addObserver(forName: .NSHTTPCookieManagerAcceptPolicyChanged, object: storage, queue: nil) { _ in
        policies.add()
      },
    ]
    defer { observers.forEach { center.removeObserver($0) } }
    let url = try #require(URL(string: "http://example.org/"))
    storage.store(
      setCookiesOf: FieldBlock([("Set-Cookie", "a=b")]), from: url, mainDocumentURL: nil,
      now: Date().timeIntervalSince1970)
    await Eventually.expect("a cookie is told") { cookies.value >= 1 }
    let before = cookies.value
    storage.removeCookies(since: .distantPast)
    await Eventually.expect("its end, too") { cookies.value > before }
    storage.cookieAcceptPolicy = .never
    await Eventually.expect("the policy is told") { policies.value == 1 }
    // What changes nothing is not told: the next one that is comes after it.
    let last = cookies.value
    storage.removeCookies(since: .distantPast)
    storage.setCookies(
      [try #require(HTTPCookie(setCookie: "c=d", from: url))], for: url, mainDocumentURL: nil)
    storage.cookieAcceptPolicy = .never
    storage.cookieAcceptPolicy = .always
    await Eventually.expect("the next policy is told") { policies.value == 2 }
    #expect(cookies.value == last && policies.value == 2)
  }
}
