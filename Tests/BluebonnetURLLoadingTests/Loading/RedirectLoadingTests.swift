// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import BluebonnetLocks
import Testing

/// Redirects that nobody follows, and what becomes of the bodies of those that are followed.
@Suite struct RedirectLoadingTests {
  let origin: Origin
  let configuration = URLSessionConfiguration.inMemory

  init() {
    origin = Origin.inMemory()
    // Far more than any of these loads takes, and far less than the time-out of a request that has to run out.
    configuration.timeoutIntervalForResource = 30
  }

  /// Answers with what a closure makes of the proposed request.
  private final class Chooser: URLSessionTaskDelegate {
    let proposals = Locked<[URLRequest]>([])
    let choose: @Sendable (URLRequest) -> URLRequest?

    init(_ choose: @escaping @Sendable (URLRequest) -> URLRequest?) { self.choose = choose }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      proposals.withLock { $0.append(request) }
      completionHandler(choose(request))
    }
  }

  private func load(
    _ path: String, timeout: Double = 60, _ choose: (@Sendable (URLRequest) -> URLRequest?)? = nil
  ) async throws -> HTTPURLResponse {
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + path)))
    request.timeoutInterval = timeout
    let session = URLSession(configuration: configuration)
    let (_, response) = try await session.data(for: request, delegate: choose.map(Chooser.init))
    return try #require(response as? HTTPURLResponse)
  }

  static let unfollowable: [[(name: String, value: String)]] = [
    [("Location", "myapp://callback?code=1")], [("Location", "http://[broken/")], [("Location", "http://")],
    [("Location", "http://a.test:99999/")], [("Location", "file:///etc/passwd")], [],
    [("Location", "http://a.test/"), ("Location", "http://b.test/")],
  ]

  @Test(arguments: unfollowable.indices)
  func aRedirectThatNobodyFollowsIsAnAnswer(index: Int) async throws {
    origin.script("/r", .response(status: 302, fields: Self.unfollowable[index], body: "body".utf8))
    let response = try await load("/r") { _ in nil }
    #expect(response.statusCode == 302)
  }

  @Test(arguments: unfollowable.indices)
  func aRedirectThatIsModifiedIsFollowed(index: Int) async throws {
    guard !Self.unfollowable[index].isEmpty else { return }
    origin.script("/r", .response(status: 302, fields: Self.unfollowable[index]))
    let other = try #require(URL(string: origin.baseURL + "/get"))
    let response = try await load("/r") {
      var request = $0
      request.url = other
      return request
    }
    #expect(response.statusCode == 200)
  }

  @Test(arguments: unfollowable.indices)
  func aRedirectThatCannotBeFollowedIsAnErrorForWhoFollows(index: Int) async throws {
    guard !Self.unfollowable[index].isEmpty else { return }
    origin.script("/r", .response(status: 302, fields: Self.unfollowable[index]))
    for choose in [nil, { @Sendable (request: URLRequest) -> URLRequest? in request }] {
      let error = await #expect(throws: URLError.self) { try await load("/r", choose) }
      #expect(error?.localizedDescription.contains("redirect") == true)
    }
  }

  @Test func theLastOfTooManyRedirectsIsAnAnswerForWhoDoesNotFollow() async throws {
    origin.script("/loop", .response(status: 302, fields: [("Location", "/loop")]))
    let count = Locked(0)
    let response = try await load("/loop") { request in
      count.withLock {
        $0 += 1; return $0
      } > 20 ? nil : request
    }
    #expect(response.statusCode == 302)
    let error = await #expect(throws: URLError.self) { try await load("/loop") { $0 } }
    #expect(error?.code == .httpTooManyRedirects)
  }

  @Test(arguments: ["", " \t"]) func anEmptyLocationLeadsNowhere(_ value: String) async throws {
    let head = "HTTP/1.1 302 Found\r\nLocation:\(value)\r\nContent-Length: 5\r\n\r\nbody."
    origin.script("/r", .text(head))
    let response = try await load("/r") {
      Issue.record("nobody is asked")
      return $0
    }
    #expect(response.statusCode == 302)
    #expect(origin.requests.count == 1)
  }

  @Test func theSameLocationTwiceIsOne() async throws {
    origin.script("/r", .response(status: 302, fields: [("Location", "/get"), ("Location", "/get")]))
    #expect(try await load("/r").statusCode == 200)
  }

  /// A server that sends half of a body nobody wants holds nothing up.
  static let slowBodies: [String] = [
    "Content-Length: 100\r\n\r\nhalf", "Content-Length: 10000000\r\n\r\nhalf", "\r\nhalf",
    "Connection: close\r\n\r\nhalf", "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
    "Content-Length: 100\r\nConnection: close\r\n\r\nhalf",
  ]

  @Test(arguments: slowBodies) func theBodyOfARedirectHoldsNothingUp(rest: String) async throws {
    origin.script("/slow", .text("HTTP/1.1 302 Found\r\nLocation: /get\r\n" + rest).then(.hang))
    let response = try await load("/slow", timeout: 600)
    #expect(response.statusCode == 200)
    #expect(origin.requests.map(\.connection) == [1, 2])
  }

  @Test(arguments: slowBodies) func theBodyOfAnAnsweredChallengeHoldsNothingUp(rest: String) async throws {
    let head = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\n"
    origin.script("/get", .text(head + rest).then(.hang), .endpoint)
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + "/get")))
    request.timeoutInterval = 600
    let delegate = RecordingDelegate(credential: URLCredential(user: "u", password: "p", persistence: .none))
    let session = URLSession(configuration: configuration)
    let (_, response) = try await session.data(for: request, delegate: delegate)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
  }

  /// And an honest one keeps its connection.
  @Test func theConnectionOfAWholeRedirectIsUsedAgain() async throws {
    origin.script("/whole", .response(status: 302, fields: [("Location", "/get")], body: "moved".utf8))
    for _ in 0..<20 { _ = try await load("/whole") }
    #expect(origin.requests.count == 40)
    #expect(origin.connectionCount == 20)
  }

  @Test func latin1BytesOfALocationStayBytes() async throws {
    let head = Array("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /get?caf".utf8)
    origin.script("/latin", ScriptedReply([.bytes(head + [0xE9] + Array("[x] y\r\n\r\n".utf8))]))
    origin.script("/utf8", .response(status: 302, fields: [("Location", "/get?café[x] y")]))
    _ = try await load("/latin")
    #expect(
      origin.requests.last?.target == "/get?caf%E9[x]%20y"
        || origin.requests.last?.target == "/get?caf%E9%5Bx%5D%20y")
    _ = try await load("/utf8")
    #expect(origin.requests.last?.target.hasPrefix("/get?caf%C3%A9") == true)
  }

  /// The methods and bodies of what a redirected POST sends.
  private func bodies(
    _ statuses: [Int], _ choose: @escaping @Sendable (URLRequest) -> URLRequest?,
    change: (inout URLRequest) -> Void = { _ in }
  ) async throws -> [String] {
    for (number, status) in statuses.enumerated() {
      origin.script("/\(number)", .response(status: status, fields: [("Location", "/\(number + 1)")]))
    }
    origin.script("/\(statuses.count)", .response())
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + "/0")))
    request.httpMethod = "POST"
    request.httpBody = Data("old".utf8)
    change(&request)
    let session = URLSession(configuration: configuration)
    let (_, response) = try await session.data(for: request, delegate: Chooser(choose))
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    return origin.requests.map { "\($0.method) \(String(decoding: $0.body, as: UTF8.self))" }
  }

  @Test(arguments: [false, true]) func theBodyThatADelegateChoosesIsSent(isStream: Bool) async throws {
    let sent = try await bodies([307]) {
      var next = $0
      if isStream {
        next.httpBody = nil
        next.httpBodyStream = InputStream(data: Data("new".utf8))
      } else {
        next.httpBody = Data("new".utf8)
      }
      return next
    }
    #expect(sent == ["POST old", "POST new"])
  }

  /// The second redirect finds a request without a body.
  @Test(arguments: [[302], [302, 302]]) func aBodyThatADelegatePutsBackIsSent(statuses: [Int]) async throws {
    let count = Locked(0)
    let sent = try await bodies(statuses) {
      var next = $0
      let number = count.withLock {
        $0 += 1
        return $0
      }
      guard number == statuses.count else { return next }
      next.httpMethod = "POST"
      next.httpBody = Data("old".utf8)
      return next
    }
    #expect(sent == ["POST old"] + Array(repeating: "GET ", count: statuses.count - 1) + ["POST old"])
  }

  @Test func aGETMayBecomeAPOST() async throws {
    let sent = try await bodies(
      [302],
      {
        var next = $0
        next.httpMethod = "POST"
        next.httpBody = Data("new".utf8)
        return next
      }
    ) { ($0.httpMethod, $0.httpBody) = ("GET", nil) }
    #expect(sent == ["GET ", "POST new"])
  }

  /// The new body is in the coding of the old one, if it is worth it.
  @Test(arguments: [(5000, "gzip"), (3, nil)])
  func theNewBodyIsCodedAsTheOldOneWas(count: Int, coding: String?) async throws {
    let new = Data(repeating: 120, count: count)
    // The proposal has the coding of the request before.
    _ = try await bodies(
      [307],
      {
        var next = $0
        next.httpBody = new
        return next
      }
    ) {
      $0.httpBody = Data(repeating: 121, count: 5000)
      $0.bodyCoding = BodyCoding(.gzip, level: nil, minimumLength: 1000)
    }
    #expect(origin.requests.map { $0.value("Content-Encoding") } == ["gzip", coding])
    if coding == nil { #expect(origin.requests.last?.body == Array(new)) }
  }
}
