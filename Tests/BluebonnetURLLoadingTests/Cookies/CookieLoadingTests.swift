// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// Cookies of real loads.
@Suite struct CookieLoadingTests {
  private let origin: Origin
  private let configuration = URLSessionConfiguration.inMemory

  init() throws { origin = Origin.inMemory() }

  private func load(_ path: String, host: String? = nil) async throws -> String? {
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + path)))
    request.setValue(host, forHTTPHeaderField: "Host")
    _ = try await URLSession(configuration: configuration).data(for: request)
    return origin.requests.last?.value("Cookie")
  }

  /// Who is named in `Host` is who answers: the cookies are its own.
  @Test(arguments: ["www.example.org", "WWW.Example.ORG:81", "[::2]:80"])
  func aHostOfTheCallersHasItsOwnCookies(_ host: String) async throws {
    origin.script("/set", .response(fields: [("Set-Cookie", "a=b; Path=/")]))
    #expect(try await load("/set", host: host) == nil)
    #expect(try await load("/get", host: host) == "a=b")
    #expect(try await load("/get") == nil)
    #expect(try await load("/get", host: "www.other.example.org") == nil)
    configuration.httpAdditionalHeaders = ["Host": host]
    #expect(try await load("/get") == "a=b")
    let domains = configuration.httpCookieStorage?.cookies?.map(\.domain)
    #expect(domains == [host.hasPrefix("[") ? "::2" : "www.example.org"])
  }

  @Test func oddCookiesComeBackAsTheyWere() async throws {
    origin.script(
      "/set",
      .response(fields: [
        ("Set-Cookie", "nameless"), ("Set-Cookie", "=also"), ("Set-Cookie", "a="), ("Set-Cookie", "b==c"),
        ("Set-Cookie", "d=\"e f\""), ("Set-Cookie", "__Host-x=1"), ("Set-Cookie", "=__Secure-y=2"),
        ("Set-Cookie", "s=1; Secure"), ("Set-Cookie", "n=1; SameSite=None"),
      ]))
    _ = try await load("/set")
    // A nameless cookie takes the place of the other. To this machine, secure cookies go in the clear.
    #expect(try await load("/get") == "also; a=; b==c; d=\"e f\"; s=1")
  }

  /// The clock of the session's loop says how old a cookie is. A storage has no clock of its own, so sessions of several loops can share it.
  @Test func aCookieEndsByTheClockOfTheLoop() async throws {
    origin.script(
      "/set",
      .response(fields: [
        ("Set-Cookie", "a=b; Max-Age=60; Path=/"), ("Set-Cookie", "c=d; Max-Age=10000000; Path=/"),
      ]))
    let clock = configuration.stopClock()
    #expect(try await load("/set") == nil)
    clock.advance(by: .seconds(59))
    #expect(try await load("/get") == "a=b; c=d")
    clock.advance(by: .seconds(2))
    #expect(try await load("/get") == "c=d")
    clock.advance(by: .seconds(10_000_000))
    #expect(try await load("/get") == nil)
    configuration.eventLoop = .shared
    #expect(try await load("/get")?.contains("c=d") == true)
  }

  private func cookies(of task: URLSessionTask) async throws -> [String] {
    let storage = try #require(configuration.httpCookieStorage)
    let cookies = await withCheckedContinuation { continuation in
      storage.getCookiesFor(task) { continuation.resume(returning: $0) }
    }
    return try #require(cookies).map { "\($0.name)=\($0.value)" }
  }

  /// A task stands for its request: what is stored for it is what it carries, and what it is asked for.
  @Test(arguments: [nil, "www.example.org", "[::2]:80"]) func aTaskStandsForItsRequest(host: String?)
    async throws
  {
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + "/get")))
    request.setValue(host, forHTTPHeaderField: "Host")
    let task = session.dataTask(with: request)
    #expect(try await cookies(of: task) == [])
    let site = try #require(URL(string: host.map { "http://\($0)/" } ?? origin.baseURL + "/"))
    let cookie = try #require(HTTPCookie(setCookie: "a=b; Path=/", from: site))
    configuration.httpCookieStorage?.storeCookies([cookie], for: task)
    #expect(configuration.httpCookieStorage?.cookies?.map(\.name) == ["a"])
    #expect(try await cookies(of: task) == ["a=b"])
    #expect(try await load("/get", host: host) == "a=b")
    #expect(try await load("/get", host: "elsewhere.example") == nil)
  }

  @Test func aTasksCookiesFollowTheSessionsHost() async throws {
    origin.script("/set", .response(fields: [("Set-Cookie", "a=b; Path=/")]))
    configuration.httpAdditionalHeaders = ["Host": "www.example.org"]
    #expect(try await load("/set") == nil)
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    let task = session.dataTask(with: try #require(URL(string: origin.baseURL + "/get")))
    #expect(try await cookies(of: task) == ["a=b"])
  }

  /// A redirect that leads back does not bring the session's own host back, neither for the load nor for its task.
  @Test func aTaskThatHasBeenElsewhereHasTheCookiesOfItsAddress() async throws {
    let other = Origin.inMemory()
    origin.script("/start", .response(status: 302, fields: [("Location", other.baseURL + "/back")]))
    other.script("/back", .response(status: 302, fields: [("Location", origin.baseURL + "/get")]))
    configuration.httpAdditionalHeaders = ["Host": "www.example.org"]
    for (site, cookie) in [(origin.baseURL, "here=1; Path=/"), ("http://www.example.org", "there=1; Path=/")]
    {
      let url = try #require(URL(string: site + "/"))
      configuration.httpCookieStorage?.setCookie(try #require(HTTPCookie(setCookie: cookie, from: url)))
    }
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    let task = session.dataTask(with: try #require(URL(string: origin.baseURL + "/start")))
    #expect(try await cookies(of: task) == ["there=1"])
    task.resume()
    await Eventually.expect("it is over") { task.state == .completed }
    #expect(origin.requests.map { $0.value("Cookie") } == ["there=1", "here=1"])
    #expect(try await cookies(of: task) == ["here=1"])
  }

  @Test func theAcceptPolicyCountsForTasks() async throws {
    let storage = try #require(configuration.httpCookieStorage)
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    let task = session.dataTask(with: try #require(URL(string: origin.baseURL + "/get")))
    let site = try #require(URL(string: origin.baseURL + "/"))
    let cookie = try #require(HTTPCookie(setCookie: "a=b", from: site))
    storage.cookieAcceptPolicy = .never
    storage.storeCookies([cookie], for: task)
    #expect(try await cookies(of: task) == [])
    storage.cookieAcceptPolicy = .always
    storage.storeCookies([cookie], for: task)
    #expect(try await cookies(of: task) == ["a=b"])
  }
}
