// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetURLLoading
import Testing

/// Requests that are written as their authors spell them.
@Suite struct RawRequestOptionsTests {
  private final class Witness: URLSessionTransmissionDelegate {
    let heads = Locked<[String]>([])
    let proved = Locked<[Int]>([])

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willSend head: Data, over connection: URLSessionConnection
    ) {
      heads.withLock { $0.append(String(decoding: head, as: UTF8.self)) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, willProveAfter response: HTTPURLResponse) {
      proved.withLock { $0.append(response.statusCode) }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let own = URLCredential(user: "user", password: "secret", persistence: .none)
      guard challenge.previousFailureCount == 0 else { return completionHandler(.rejectProtectionSpace, nil) }
      completionHandler(.useCredential, own)
    }
  }

  private let origin: Origin
  private let witness = Witness()

  init() throws { origin = Origin.inMemory() }

  private func status(
    _ path: String, _ rawOptions: RawRequestOptions, body: String? = nil,
    _ change: (inout URLRequest) -> Void = { _ in }
  ) async throws -> Int? {
    let session = URLSession(configuration: .inMemory, delegate: witness, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + path)))
    if let body {
      request.httpMethod = "POST"
      request.httpBody = Data(body.utf8)
    }
    change(&request)
    request.rawOptions = rawOptions
    return (try await session.data(for: request).1 as? HTTPURLResponse)?.statusCode
  }

  private var heads: [String] { witness.heads.withLock { $0 } }

  @Test func linesGoOutAsTheyAre() async throws {
    let lines = [
      RawRequestOptions.Line(name: "A", rest: "1"), .init(name: "a", rest: "  2 "),
      .init(name: "B", rest: ""),
    ]
    #expect(lines.map(\.rest) == ["1", "  2 ", ""])
    #expect(RawRequestOptions.Line(name: "A", bytes: [0x61, 0xFF]).rest == "a\u{FFFD}")
    let host = RawRequestOptions.Host.written(" LocalHost:1")
    #expect(try await status("/ip", RawRequestOptions(lines: lines, host: host)) == 200)
    #expect(
      heads.first?.hasPrefix("GET /ip HTTP/1.1\r\nHost: LocalHost:1\r\nA:1\r\na:  2 \r\nB:\r\n") == true)
  }

  /// What servers should refuse (RFC 9112 §3.2) can be sent to them.
  @Test func hostCanBeLeftOut() async throws {
    _ = try await status("/ip", RawRequestOptions(lines: [], host: .omitted))
    #expect(heads.first?.hasPrefix("GET /ip HTTP/1.1\r\n") == true)
    #expect(heads.first?.contains("Host") == false)
  }

  @Test(arguments: [
    RawRequestOptions.Line(name: "A B", rest: "1"), .init(name: "A", rest: " 1\r\nB: 2"),
    .init(name: "", rest: ""),
    .init(name: "A", rest: "\u{0}"),
  ])
  func noLineMakesTwo(line: RawRequestOptions.Line) async {
    await #expect(throws: URLError.self) { try await status("/ip", RawRequestOptions(lines: [line])) }
    #expect(origin.requests.isEmpty)
  }

  @Test func framingIsNobodyElsesToSay() async throws {
    let lines = [
      RawRequestOptions.Line(name: "Content-Length", rest: "9"),
      .init(name: "transfer-encoding", rest: "chunked"),
    ]
    #expect(try await status("/ip", RawRequestOptions(lines: lines), body: "ab") != nil)
    #expect(heads.first?.contains("Content-Length: 2\r\n") == true)
    #expect(heads.first?.lowercased().contains("chunked") == false)
  }

  /// A body that would only be refused waits, and so does the next request's nonce not have to be asked for.
  @Test func bodiesWaitAndProofsAreKept() async throws {
    let proofs = SharedAuthenticationCache()
    let rawOptions = RawRequestOptions(lines: [], withholdsContent: true, authenticationCache: proofs)
    let path = "/digest-auth/auth/user/secret"
    #expect(try await status(path, rawOptions, body: "body") == 200)
    #expect(origin.requests.map(\.body) == [[], Array("body".utf8)])
    #expect(heads.first?.contains("Content-Length: 0\r\n") == true)
    #expect(witness.proved.withLock { $0 } == [401])
    #expect(try await status(path, rawOptions, body: "more") == 200)
    #expect(origin.requests.map(\.body).last == Array("more".utf8))
    #expect(origin.requests.count == 3)
    #expect(heads.last?.contains("nc=00000002") == true)
    // What another has proved is not known to this one.
    let other = RawRequestOptions(
      lines: [], withholdsContent: true, authenticationCache: SharedAuthenticationCache())
    #expect(try await status(path, other, body: "body") == 200)
    #expect(origin.requests.count == 5)
  }

  /// Who is not asked sends it all the same.
  @Test func bodiesThatNobodyAsksAboutAreSent() async throws {
    let rawOptions = RawRequestOptions(lines: [], withholdsContent: true)
    #expect(try await status("/post", rawOptions, body: "body") == 200)
    #expect(origin.requests.map(\.body) == [[], Array("body".utf8)])
    #expect(witness.proved.withLock { $0 } == [200])
  }

  /// What is meant for one origin is not said to another, in whichever spelling.
  @Test func anotherOriginHearsNothingThatIsMeantForTheFirst() async throws {
    let other = Origin.inMemory()
    other.script("/anything", .response())
    let lines = [
      RawRequestOptions.Line(name: "authorization", rest: " Basic dTpw"), .init(name: "COOKIE", rest: " a=b"),
      .init(name: "X-Own", rest: " 1"), .init(name: "content-type", rest: " text/plain"),
    ]
    let rawOptions = RawRequestOptions(lines: lines, host: .written(" first.test"))
    let path = "/redirect-to?url=\(other.baseURL)/anything"
    #expect(try await status(path, rawOptions, body: "body") == 200)
    #expect(heads.count == 2)
    for line in lines { #expect(heads.first?.contains("\(line.name):\(line.rest)\r\n") == true) }
    #expect(heads.first?.contains("Host: first.test\r\n") == true)
    let last = try #require(heads.last)
    #expect(last.hasPrefix("GET /anything "))
    for line in lines { #expect(last.contains("\(line.name):") == (line.name == "X-Own")) }
    #expect(!last.contains("first.test"))
    #expect(last.contains("Host: \(other.baseURL.dropFirst("http://".count))\r\n"))
    // The content that was sent on keeps its fields.
    #expect(try await status(path + "&statusCode=307", rawOptions, body: "body") == 200)
    #expect(heads.last?.hasPrefix("POST /anything ") == true)
    #expect(heads.last?.contains("content-type: text/plain\r\n") == true)
    #expect(heads.last?.lowercased().contains("authorization") == false)
    #expect(other.requests.count == 2)
  }

  @Test func anotherOriginIsNotSentTheFirstMessageOfNTLM() async throws {
    let other = Origin.inMemory()
    other.script("/anything", .response())
    let credential = URLCredential(user: "user", password: "secret", persistence: .none)
    let rawOptions = RawRequestOptions(lines: [], ntlm: credential)
    #expect(try await status("/redirect-to?url=\(other.baseURL)/anything", rawOptions) == 200)
    #expect(heads.first?.contains("Authorization: NTLM ") == true)
    #expect(heads.last?.contains("Authorization") == false)
    #expect(other.requests.count == 1)
  }

  @Test func itIsNoPartOfEquality() throws {
    let url = try #require(URL(string: "http://a/"))
    var request = URLRequest(url: url)
    request.rawOptions = RawRequestOptions(lines: [])
    #expect(request == URLRequest(url: url))
    #expect(request.rawOptions != nil)
  }

  @Test(arguments: [
    ("Example.TEST", "example.test"), ("[::0001]", "::1"), ("bücher.test", "xn--bcher-kva.test"),
    ("0x7f.1", "127.0.0.1"),
  ])
  func canonicalHosts(spelling: String, name: String) {
    #expect(RawRequestOptions.Host.canonical(spelling) == name)
  }

  @Test func exceptionsOfProxies() {
    typealias Selection = URLSessionConfiguration.ProxySelection
    #expect(Selection.isException("A.Example.test", in: "x, .example.test"))
    #expect(Selection.isException("[::1]", in: "::/8"))
    #expect(!Selection.isException("example.org", in: "example.test"))
    #expect(!Selection.isException("example.org", in: ""))
  }
}
