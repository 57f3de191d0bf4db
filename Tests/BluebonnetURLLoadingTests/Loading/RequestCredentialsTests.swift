// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// Credentials of a session and of a URL stay with their origin.
@Suite struct RequestCredentialsTests {
  let home: Origin
  let away: Origin

  init() {
    home = Origin.inMemory()
    away = Origin.inMemory()
  }

  private func load(
    _ address: String, headers: [String: String] = [:], own: [String: String] = [:]
  ) async throws -> HTTPURLResponse {
    let configuration = URLSessionConfiguration.inMemory
    configuration.httpAdditionalHeaders = headers
    let session = URLSession(configuration: configuration)
    var request = URLRequest(url: try #require(URL(string: address)))
    for (name, value) in own { request.setValue(value, forHTTPHeaderField: name) }
    let (_, response) = try await session.data(for: request)
    return try #require(response as? HTTPURLResponse)
  }

  private static let secrets = [
    "Authorization": "Bearer session", "Cookie": "session=1", "Proxy-Authorization": "Basic c2Vzc2lvbg==",
    "X-Plain": "yes",
  ]

  @Test(arguments: [301, 302, 303, 307, 308])
  func aSessionsSecretsDoNotGoToAnotherOrigin(status: Int) async throws {
    home.script("/away", .response(status: status, fields: [("Location", away.baseURL + "/get")]))
    _ = try await load(home.baseURL + "/away", headers: Self.secrets)
    for (name, value) in Self.secrets where name != "Proxy-Authorization" {
      #expect(home.requests.last?.value(name) == value)
    }
    #expect(home.requests.allSatisfy { $0.value("Proxy-Authorization") == nil }, "no proxy is on the way")
    let sent = try #require(away.requests.last)
    for name in ["Authorization", "Cookie", "Proxy-Authorization"] {
      #expect(sent.value(name) == nil, "\(name)")
    }
    #expect(sent.value("X-Plain") == "yes")
  }

  @Test func aSessionsSecretsStayOnTheSameOrigin() async throws {
    home.script("/here", .response(status: 302, fields: [("Location", home.baseURL + "/get")]))
    _ = try await load(home.baseURL + "/here", headers: Self.secrets)
    for (name, value) in Self.secrets where name != "Proxy-Authorization" {
      #expect(home.requests.last?.value(name) == value)
    }
    #expect(home.requests.allSatisfy { $0.value("Proxy-Authorization") == nil }, "no proxy is on the way")
  }

  /// Who was sent away and back again comes with a path that the other origin chose.
  @Test func aSessionsSecretsDoNotComeBackWithTheTask() async throws {
    home.script("/away", .response(status: 302, fields: [("Location", away.baseURL + "/back")]))
    away.script("/back", .response(status: 302, fields: [("Location", home.baseURL + "/get?transfer=all")]))
    _ = try await load(home.baseURL + "/away", headers: Self.secrets)
    #expect(home.requests.last?.target == "/get?transfer=all")
    #expect(home.requests.last?.value("Authorization") == nil)
  }

  private func address(_ origin: Origin, _ userInformation: String, _ path: String) -> String {
    "http://\(userInformation)@127.0.0.1:\(origin.port)\(path)"
  }

  @Test(arguments: [
    ("user:secret", "Basic dXNlcjpzZWNyZXQ="), ("us%40er:pa%3Ass", "Basic dXNAZXI6cGE6c3M="),
    ("user", "Basic dXNlcjo="), ("user:", "Basic dXNlcjo="), (":token", "Basic OnRva2Vu"),
    ("us%FFer:p", "Basic dXP/ZXI6cA=="), ("%C3%BC:p", "Basic w7w6cA=="),
  ])
  func userInformationBecomesBasicCredentials(_ information: String, _ field: String) async throws {
    let response = try await load(address(home, information, "/get"))
    #expect(response.statusCode == 200)
    #expect(home.requests.map { $0.value("Authorization") } == [field])
    #expect(home.requests.last?.value("Host") == "127.0.0.1:\(home.port)")
  }

  @Test(arguments: ["", ":"]) func emptyUserInformationIsNone(_ information: String) async throws {
    _ = try await load(address(home, information, "/get"))
    #expect(home.requests.last?.value("Authorization") == nil)
  }

  @Test func anAuthorizationOfTheRequestsOwnWins() async throws {
    _ = try await load(address(home, "user:secret", "/get"), own: ["Authorization": "Bearer own"])
    #expect(home.requests.last?.values("Authorization") == ["Bearer own"])
  }

  @Test func userInformationWinsOverTheSessions() async throws {
    _ = try await load(address(home, "user:secret", "/get"), headers: ["Authorization": "Bearer session"])
    #expect(home.requests.last?.values("Authorization") == ["Basic dXNlcjpzZWNyZXQ="])
  }

  @Test func userInformationStaysOnItsOrigin() async throws {
    home.script("/here", .response(status: 302, fields: [("Location", home.baseURL + "/away")]))
    home.script("/away", .response(status: 302, fields: [("Location", away.baseURL + "/get")]))
    let response = try await load(address(home, "user:secret", "/here"))
    #expect(
      home.requests.map { $0.value("Authorization") } == Array(repeating: "Basic dXNlcjpzZWNyZXQ=", count: 2))
    #expect(away.requests.map { $0.value("Authorization") } == [nil])
    #expect(response.url?.absoluteString == away.baseURL + "/get")
  }

  /// As curl and Go do: these are no secrets of ours, and who names them gets them at the place that is named.
  @Test func userInformationOfALocationIsUsedThere() async throws {
    home.script("/away", .response(status: 302, fields: [("Location", address(away, "guest:guest", "/get"))]))
    let response = try await load(address(home, "user:secret", "/away"))
    #expect(away.requests.last?.value("Authorization") == "Basic Z3Vlc3Q6Z3Vlc3Q=")
    #expect(response.url?.absoluteString == away.baseURL + "/get")
  }

  @Test func aPasswordStandsInNoResponseAndNoMetric() async throws {
    home.script("/here", .response(status: 302, fields: [("Location", "/get")]))
    let delegate = RecordingDelegate()
    let session = URLSession(configuration: .inMemory, delegate: delegate, delegateQueue: nil)
    let task = session.dataTask(with: try #require(URL(string: address(home, "user:secret", "/here"))))
    task.resume()
    await Eventually.expect("the task completes") { delegate.record.isComplete }
    #expect(task.response?.url?.absoluteString == home.baseURL + "/get")
    #expect(task.currentRequest?.url?.absoluteString == home.baseURL + "/get")
    let metrics = try #require(delegate.record.metrics)
    #expect(metrics.transactionMetrics.count == 2)
    for transaction in metrics.transactionMetrics {
      #expect(transaction.request.url?.absoluteString.contains("secret") == false)
      #expect(transaction.response?.url?.absoluteString.contains("secret") == false)
    }
  }

  private static func text(of error: URLError?) -> String {
    "\(String(describing: error)) \(error?.userInfo ?? [:])"
  }

  @Test func aPasswordStandsInNoError() async throws {
    home.script("/wrong", .text("nonsense"))
    let url = try #require(URL(string: address(home, "user:secret", "/wrong")))
    let error = await #expect(throws: URLError.self) { try await URLSession.shared.data(from: url) }
    #expect(Self.text(of: error).contains("secret") == false)
    let elsewhere = try #require(URL(string: "ftp://user:secret@127.0.0.1/"))
    let refusal = await #expect(throws: URLError.self) { try await URLSession.shared.data(from: elsewhere) }
    #expect(Self.text(of: refusal).contains("secret") == false)
  }

  @Test func theSessionsHostIsSentAndDoesNotLeave() async throws {
    home.script("/away", .response(status: 302, fields: [("Location", away.baseURL + "/get")]))
    _ = try await load(home.baseURL + "/away", headers: ["Host": "virtual.example"])
    #expect(home.requests.last?.values("Host") == ["virtual.example"])
    #expect(away.requests.last?.values("Host") == ["127.0.0.1:\(away.port)"])
  }

  @Test func twoHostFieldsAreRefused() async throws {
    var added = URLRequest(url: try #require(URL(string: home.baseURL + "/get")))
    added.addValue("a.example", forHTTPHeaderField: "Host")
    added.addValue("b.example", forHTTPHeaderField: "Host")
    var mixed = URLRequest(url: try #require(URL(string: home.baseURL + "/get")))
    mixed.allHTTPHeaderFields = ["Host": "a.example", "host": "b.example"]
    for request in [added, mixed] {
      let error = await #expect(throws: URLError.self) { try await URLSession.shared.data(for: request) }
      #expect(error?.code == .badURL)
    }
    #expect(home.connectionCount == 0)
  }
}
