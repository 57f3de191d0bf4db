// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import BluebonnetLocks
import Testing

/// Classes of the caller's load in place of the network.
@Suite(.serialized) struct URLProtocolTests {
  /// What the classes below were asked and told, by the path of the request.
  private static let log = Locked<[String: [String]]>([:])

  /// What an earlier round of the same test has left would be counted again.
  init() { Self.log.withLock { $0 = [:] } }

  private static func note(_ event: String, _ request: URLRequest) {
    log.withLock { $0[request.url?.path ?? "", default: []].append(event) }
  }

  private static func events(_ path: String) -> [String] { log.withLock { $0[path] ?? [] } }

  /// Answers everything below its host; the path says how.
  private class Stub: URLProtocol, @unchecked Sendable {
    class var host: String { "stub.test" }

    override class func canInit(with request: URLRequest) -> Bool { request.url?.host() == host }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest {
      var request = request
      request.setValue("yes", forHTTPHeaderField: "Canonical")
      return request
    }

    private func respond(_ status: Int = 200, _ fields: [String: String] = [:]) -> HTTPURLResponse {
      guard let url = request.url,
        let response = HTTPURLResponse(
          url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
      else { preconditionFailure("a request without an address") }
      return response
    }

    override func startLoading() {
      URLProtocolTests.note("start", request)
      guard let client else { return }
      switch request.url?.path {
      case "/silent", "/suspended": break
      case "/twice":
        client.urlProtocol(self, didReceive: respond(), cacheStoragePolicy: .notAllowed)
        client.urlProtocol(self, didLoad: Data("one".utf8))
        client.urlProtocol(self, didReceive: respond(404), cacheStoragePolicy: .notAllowed)
        client.urlProtocol(self, didLoad: Data("two".utf8))
        client.urlProtocolDidFinishLoading(self)
      case "/again":
        client.urlProtocol(self, didReceive: respond(), cacheStoragePolicy: .notAllowed)
        client.urlProtocol(self, didLoad: Data("one".utf8))
        client.urlProtocolDidFinishLoading(self)
        client.urlProtocol(self, didReceive: respond(404), cacheStoragePolicy: .notAllowed)
        client.urlProtocol(self, didLoad: Data("two".utf8))
        client.urlProtocolDidFinishLoading(self)
        client.urlProtocol(self, didFailWithError: Broken())
      case "/begun": client.urlProtocol(self, didReceive: respond(), cacheStoragePolicy: .notAllowed)
      case "/fail": client.urlProtocol(self, didFailWithError: Broken())
      case "/partial":
        client.urlProtocol(self, didReceive: respond(), cacheStoragePolicy: .notAllowed)
        client.urlProtocol(self, didLoad: Data("half".utf8))
        client.urlProtocol(self, didFailWithError: URLError(.networkConnectionLost))
      case "/redirect":
        guard let url = URL(string: "http://\(Self.host)/target") else { return }
        client.urlProtocol(self, wasRedirectedTo: URLRequest(url: url), redirectResponse: respond(302))
      case "/respondAndRedirect", "/redirectAndRedirect":
        guard let url = URL(string: "http://\(Self.host)/target") else { return }
        if request.url?.path == "/respondAndRedirect" {
          client.urlProtocol(self, didReceive: respond(), cacheStoragePolicy: .notAllowed)
          client.urlProtocol(self, didLoad: Data("first".utf8))
        } else {
          client.urlProtocol(self, wasRedirectedTo: URLRequest(url: url), redirectResponse: respond(302))
        }
        client.urlProtocol(self, wasRedirectedTo: URLRequest(url: url), redirectResponse: respond(302))
        client.urlProtocolDidFinishLoading(self)
      case "/redirectAndFail", "/redirectAndFinish", "/redirectAndRespond":
        guard let path = request.url?.path, let url = URL(string: "http://\(Self.host)/after\(path)") else {
          return
        }
        client.urlProtocol(self, wasRedirectedTo: URLRequest(url: url), redirectResponse: respond(302))
        switch path {
        case "/redirectAndFail": client.urlProtocol(self, didFailWithError: URLError(.cancelled))
        case "/redirectAndFinish": client.urlProtocolDidFinishLoading(self)
        default:
          client.urlProtocol(self, didReceive: respond(302), cacheStoragePolicy: .notAllowed)
          client.urlProtocol(self, didLoad: Data("moved".utf8))
          client.urlProtocolDidFinishLoading(self)
        }
      case "/away":
        guard let url = URL(string: request.value(forHTTPHeaderField: "To") ?? "") else { return }
        client.urlProtocol(self, wasRedirectedTo: URLRequest(url: url), redirectResponse: respond(302))
      case "/copied":
        // What a class commonly does: the request that it got, with another address.
        var next = request
        next.url = URL(string: request.value(forHTTPHeaderField: "To") ?? "")
        next.setValue("/", forHTTPHeaderField: "To")
        client.urlProtocol(self, wasRedirectedTo: next, redirectResponse: respond(302))
      case "/stated":
        guard let url = URL(string: request.value(forHTTPHeaderField: "To") ?? "") else { return }
        var next = URLRequest(url: url)
        next.setValue("Bearer for-the-other", forHTTPHeaderField: "Authorization")
        client.urlProtocol(self, wasRedirectedTo: next, redirectResponse: respond(302))
      case "/loop":
        client.urlProtocol(self, wasRedirectedTo: request, redirectResponse: respond(302))
      case "/many":
        client.urlProtocol(self, didReceive: respond(), cacheStoragePolicy: .notAllowed)
        for piece in 0..<100 { client.urlProtocol(self, didLoad: Data([UInt8(piece)])) }
        client.urlProtocolDidFinishLoading(self)
        // Too late for anybody to hear.
        client.urlProtocol(self, didLoad: Data("more".utf8))
        client.urlProtocolDidFinishLoading(self)
      case "/fields":
        let names = ["Session", "Own", "Authorization"]
        let text = names.map { request.value(forHTTPHeaderField: $0) ?? "-" }.joined(separator: " ")
        client.urlProtocol(self, didReceive: respond(), cacheStoragePolicy: .notAllowed)
        client.urlProtocol(self, didLoad: Data(text.utf8))
        client.urlProtocolDidFinishLoading(self)
      case "/nothing": client.urlProtocolDidFinishLoading(self)
      case "/secret": client.urlProtocol(self, didReceive: challenge)
      case "/withdrawn":
        let challenge = challenge
        client.urlProtocol(self, didReceive: challenge)
        client.urlProtocol(self, didCancel: challenge)
      case "/raised-again":
        let challenge = challenge
        client.urlProtocol(self, didReceive: challenge)
        client.urlProtocol(self, didCancel: challenge)
        client.urlProtocol(self, didReceive: challenge)
      default:
        let canonical = request.value(forHTTPHeaderField: "Canonical") ?? "no"
        let body = request.httpBody.map { String(decoding: $0, as: UTF8.self) } ?? "-"
        client.urlProtocol(
          self, didReceive: respond(200, ["Cache-Control": "max-age=60"]), cacheStoragePolicy: .allowed)
        client.urlProtocol(self, didLoad: Data("\(canonical) \(body)".utf8))
        client.urlProtocolDidFinishLoading(self)
      }
    }

    private var challenge: URLAuthenticationChallenge {
      let space = URLProtectionSpace(
        host: Self.host, port: 80, protocol: "http", realm: "r",
        authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
      return URLAuthenticationChallenge(
        protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: nil,
        error: nil, sender: Answers(owner: self))
    }

    override func stopLoading() { URLProtocolTests.note("stop", request) }

    func finish(_ text: String) {
      client?.urlProtocol(self, didReceive: respond(), cacheStoragePolicy: .notAllowed)
      client?.urlProtocol(self, didLoad: Data(text.utf8))
      client?.urlProtocolDidFinishLoading(self)
    }
  }

  private struct Broken: Error, Equatable {}

  private final class Answers: URLAuthenticationChallengeSender {
    private let owner: Stub
    init(owner: Stub) { self.owner = owner }
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {
      owner.finish("as \(credential.user ?? "-")")
    }
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) { owner.finish("as nobody") }
    func cancel(_ challenge: URLAuthenticationChallenge) { owner.finish("cancelled") }
  }

  /// Answers for the same host as `Stub`.
  private final class Rival: Stub, @unchecked Sendable {
    override func startLoading() { finish("rival") }
  }

  private final class Elsewhere: Stub, @unchecked Sendable {
    override class var host: String { "elsewhere.test" }
  }

  private final class OwnScheme: Stub, @unchecked Sendable {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "own" }
  }

  private func session(
    _ classes: [AnyClass], _ delegate: (any URLSessionDelegate)? = nil, executor: CallbackExecutor? = nil
  ) -> URLSession {
    let configuration = URLSessionConfiguration.inMemory
    configuration.protocolClasses = classes
    if let executor {
      return URLSession(configuration: configuration, delegate: delegate, executor: executor)
    }
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  private func url(_ path: String, _ host: String = "stub.test") throws -> URL {
    try #require(URL(string: "http://\(host)\(path)"))
  }

  private func text(_ session: URLSession, _ request: URLRequest) async throws -> String {
    String(decoding: try await session.data(for: request).0, as: UTF8.self)
  }

  @Test func aClassLoads() async throws {
    let session = session([Stub.self])
    var request = URLRequest(url: try url("/plain"))
    request.httpMethod = "POST"
    request.httpBody = Data("body".utf8)
    let (data, response) = try await session.data(for: request)
    #expect(String(decoding: data, as: UTF8.self) == "yes body")
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    // It is stopped when it is done, too.
    await Eventually.expect("it is stopped") { Self.events("/plain") == ["start", "stop"] }
    var upload = URLRequest(url: try url("/upload"))
    upload.httpMethod = "PUT"
    let sent = try await session.upload(for: upload, from: Data("sent".utf8)).0
    #expect(String(decoding: sent, as: UTF8.self) == "yes sent")
    session.invalidateAndCancel()
  }

  @Test func theFirstClassThatCanIsTaken() async throws {
    let first = session([Elsewhere.self, Rival.self, Stub.self])
    #expect(try await text(first, URLRequest(url: try url("/order"))) == "rival")
    let second = session([Stub.self, Rival.self])
    #expect(try await text(second, URLRequest(url: try url("/order"))) == "yes -")
  }

  /// What a class says behind a redirect that is followed is about the redirect.
  @Test(
    arguments: ["/redirectAndFail", "/redirectAndFinish", "/redirectAndRespond"],
    [nil, false, true] as [Bool?])
  func aRedirectIsFollowedOnce(path: String, onTheLoop: Bool?) async throws {
    let delegate = onTheLoop == nil ? nil : RecordingDelegate()
    let session = session([Stub.self], delegate, executor: onTheLoop == true ? .loop : nil)
    defer { session.invalidateAndCancel() }
    let before = Self.events("/after" + path).count { $0 == "start" }
    #expect(try await text(session, URLRequest(url: try url(path))) == "yes -")
    #expect(Self.events("/after" + path).count { $0 == "start" } == before + 1)
  }

  /// Loads what has the session's field.
  private final class Choosy: Stub, @unchecked Sendable {
    override class func canInit(with request: URLRequest) -> Bool {
      request.value(forHTTPHeaderField: "Session") == "s"
    }
  }

  /// `httpAdditionalHeaders` are part of what a class is asked about and given, as of what goes over the wire.
  @Test(arguments: [Stub.self, Choosy.self]) func theSessionsFieldsAreThere(type: AnyClass) async throws {
    let configuration = URLSessionConfiguration.inMemory
    configuration.protocolClasses = [type]
    configuration.httpAdditionalHeaders = ["Session": "s", "Own": "s", "Authorization": "Bearer s"]
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    var request = URLRequest(url: try url("/fields"))
    request.setValue("r", forHTTPHeaderField: "Own")
    #expect(try await text(session, request) == "s r Bearer s")
    // What is meant for one origin is not taken to another, even by a class that copies its request.
    let origin = Origin.inMemory()
    request.url = try url("/copied")
    request.setValue(origin.baseURL + "/get", forHTTPHeaderField: "To")
    configuration.protocolClasses = [Stub.self]
    let other = URLSession(configuration: configuration)
    defer { other.invalidateAndCancel() }
    _ = try await other.data(for: request)
    #expect(origin.requests.map { $0.value("Authorization") } == [nil])
    #expect(origin.requests.map { $0.value("Own") } == ["r"])
  }

  @Test func whatNoClassTakesGoesOut() async throws {
    let origin = Origin.inMemory()
    let session = session([Stub.self])
    let url = try #require(URL(string: origin.baseURL + "/get"))
    #expect((try await session.data(from: url).1 as? HTTPURLResponse)?.statusCode == 200)
    #expect(origin.requests.count == 1)
  }

  @Test func aClassMayTakeASchemeOfItsOwn() async throws {
    let url = try #require(URL(string: "own:something"))
    #expect(try await text(session([OwnScheme.self]), URLRequest(url: url)) == "yes -")
    let error = await #expect(throws: URLError.self) { try await session([Stub.self]).data(from: url) }
    #expect(error?.code == .unsupportedURL)
  }

  @Test func itsErrorIsTheTasks() async throws {
    let session = session([Stub.self])
    await #expect(throws: Broken.self) { try await session.data(from: try url("/fail")) }
    let error = await #expect(throws: URLError.self) { try await session.data(from: try url("/partial")) }
    #expect(error?.code == .networkConnectionLost)
  }

  /// The end without any response is none.
  @Test func anEndWithoutAResponseFails() async throws {
    let error = await #expect(throws: URLError.self) {
      try await session([Stub.self]).data(from: try url("/nothing"))
    }
    #expect(error?.code == .badServerResponse)
  }

  @Test(arguments: [true, false]) func aDelegateHearsInOrder(onTheLoop: Bool) async throws {
    let delegate = RecordingDelegate()
    let session = session([Stub.self], delegate, executor: onTheLoop ? .loop : nil)
    session.dataTask(with: try url("/many")).resume()
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect(delegate.record.events == ["response", "data", "metrics", "complete"])
    #expect(delegate.record.data == Data((0..<100).map { UInt8($0) }))
    session.invalidateAndCancel()
    await Eventually.expect("the session ends") { delegate.record.events.last == "invalid" }
  }

  @Test func aSuspendedTaskHoldsBackWhatCame() async throws {
    let delegate = RecordingDelegate()
    let session = session([Stub.self], delegate)
    let task = session.dataTask(with: try url("/many"))
    task.resume()
    task.suspend()
    await Eventually.expect("it has started") { Self.events("/many").contains("start") }
    task.resume()
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect(delegate.record.data.count == 100)
    session.invalidateAndCancel()
  }

  @Test func aDownloadIsLoaded() async throws {
    let (file, _) = try await session([Stub.self]).download(from: try url("/many"))
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try Data(contentsOf: file).count == 100)
  }

  @Test func cancellingStopsTheClass() async throws {
    let session = session([Stub.self])
    let task = session.dataTask(with: try url("/silent")) { _, _, _ in }
    task.resume()
    await Eventually.expect("it starts") { Self.events("/silent") == ["start"] }
    task.cancel()
    await Eventually.expect("it is stopped") { Self.events("/silent") == ["start", "stop"] }
    // The class is told first.
    await Eventually.expect("it ends") { (task.error as? URLError)?.code == .cancelled }
  }

  @Test(arguments: [("/silent", "waiting for the response"), ("/begun", "receiving the response body")])
  func theResourceTimeOutEndsIt(path: String, phase: String) async throws {
    let configuration = URLSessionConfiguration.inMemory
    configuration.protocolClasses = [Stub.self]
    configuration.timeoutIntervalForResource = 1
    let session = URLSession(configuration: configuration)
    let error = await #expect(throws: URLError.self) { try await session.data(from: try url(path)) }
    #expect(error?.code == .timedOut)
    #expect((error?.errorUserInfo[NSLocalizedDescriptionKey] as? String)?.contains(phase) == true)
  }

  /// It says nothing, at first or after the head.
  @Test(arguments: [("/silent", "waiting for the response"), ("/begun", "receiving the response body")])
  func aClassThatFallsSilent(path: String, phase: String) async throws {
    var request = URLRequest(url: try url(path))
    request.timeoutInterval = 0.2
    let session = session([Stub.self])
    let error = await #expect(throws: URLError.self) { try await session.data(for: request) }
    #expect(error?.code == .timedOut && error?.loadingFault == .caller)
    let words = error?.errorUserInfo[NSLocalizedDescriptionKey] as? String
    #expect(words?.contains(phase) == true && words?.contains("Stub said nothing for 0.2 s") == true)
  }

  /// A task that is suspended hears nothing, which is not the class's fault.
  @Test func theSilenceOfASuspendedTaskIsNoFault() async throws {
    var request = URLRequest(url: try url("/suspended"))
    request.timeoutInterval = 0.3
    let delegate = AnsweringDelegate()
    let configuration = URLSessionConfiguration.inMemory
    configuration.protocolClasses = [Stub.self]
    let clock = configuration.stopClock()
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    let task = session.dataTask(with: request)
    task.resume()
    // The cache is asked first, on a queue; only then does anything wait for the class.
    await Eventually.expect("it starts") { Self.events("/suspended") == ["start"] }
    task.suspend()
    clock.advance(by: .seconds(3600))
    #expect(!delegate.record.isComplete && task.state == .suspended)
    task.resume()
    clock.advance(by: .milliseconds(300))
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect((delegate.record.error as? URLError)?.code == .timedOut)
    session.invalidateAndCancel()
  }

  /// Two responses cannot both be the answer; their bodies would be mixed.
  @Test func aSecondResponseFails() async throws {
    let session = session([Stub.self])
    let error = await #expect(throws: URLError.self) { try await session.data(from: try url("/twice")) }
    #expect(error?.code == .badServerResponse)
    let words = error?.errorUserInfo[NSLocalizedDescriptionKey] as? String
    #expect(words?.contains("Stub told of a second response") == true)
  }

  /// The body of where a redirect leads would come behind what has been told of the first response's.
  @Test(arguments: [false, true]) func aRedirectBehindAResponseFails(isDownload: Bool) async throws {
    let session = session([Stub.self])
    let url = try url("/respondAndRedirect")
    let error = await #expect(throws: URLError.self) {
      if isDownload { _ = try await session.download(from: url) }
      _ = try await session.data(from: url)
    }
    #expect(error?.code == .badServerResponse)
    let words = error?.errorUserInfo[NSLocalizedDescriptionKey] as? String
    #expect(words?.contains("Stub told of a redirect behind a response") == true)
  }

  private final class Stayer: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    let questions = Locked(0)

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      let count = questions.withLock { questions in
        questions += 1
        return questions
      }
      completionHandler(count == 1 ? nil : request)
    }
  }

  /// A redirect that was not followed is the response: the next one comes too late.
  @Test func whatIsNotFollowedIsTheResponse() async throws {
    let delegate = Stayer()
    let session = session([Stub.self])
    let (_, response) = try await session.data(from: try url("/redirectAndRedirect"), delegate: delegate)
    #expect((response as? HTTPURLResponse)?.statusCode == 302)
    #expect(delegate.questions.withLock { $0 } == 1)
  }

  /// Whatever is said behind the end is not heard.
  @Test func whatComesBehindTheEnd() async throws {
    let (data, response) = try await session([Stub.self]).data(from: try url("/again"))
    #expect(String(decoding: data, as: UTF8.self) == "one")
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
  }

  @Test func aRedirectIsFollowed() async throws {
    let session = session([Stub.self])
    let (data, response) = try await session.data(from: try url("/redirect"))
    #expect(String(decoding: data, as: UTF8.self) == "yes -")
    #expect(response.url?.path == "/target")
    await Eventually.expect("both are stopped") {
      Self.events("/redirect") == ["start", "stop"] && Self.events("/target").last == "stop"
    }
  }

  @Test func aRedirectMayLeadToTheNetworkButNotToAFile() async throws {
    let origin = Origin.inMemory()
    let session = session([Stub.self])
    var request = URLRequest(url: try url("/away"))
    request.setValue(origin.baseURL + "/get", forHTTPHeaderField: "To")
    let there = request
    #expect((try await session.data(for: there).1 as? HTTPURLResponse)?.statusCode == 200)
    request.setValue("file:///etc/hostname", forHTTPHeaderField: "To")
    let file = request
    let error = await #expect(throws: URLError.self) { try await session.data(for: file) }
    #expect(error?.code == .unsupportedURL)
  }

  /// Makes an address with user information, or a request with credentials of its own.
  private func secretive(_ path: String, _ to: String, inURL: Bool) throws -> URLRequest {
    var request = URLRequest(url: try url(path, inURL ? "ann:secret@stub.test" : "stub.test"))
    if !inURL {
      request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
      request.setValue("Basic secret", forHTTPHeaderField: "Proxy-Authorization")
      request.setValue("id=secret", forHTTPHeaderField: "Cookie")
      request.setValue("stub.test", forHTTPHeaderField: "Host")
    }
    request.setValue(to, forHTTPHeaderField: "To")
    request.setValue("kept", forHTTPHeaderField: "X-Other")
    return request
  }

  /// Where another origin is proposed, credentials stay behind, also if the class copies them.
  @Test(arguments: [false, true]) func aRedirectTakesNoCredentialsElsewhere(inURL: Bool) async throws {
    let origin = Origin.inMemory()
    let delegate = RecordingDelegate()
    let session = session([Stub.self], delegate)
    session.dataTask(with: try secretive("/copied", origin.baseURL + "/get", inURL: inURL)).resume()
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect(delegate.record.error == nil)
    let sent = try #require(origin.requests.first)
    for name in ["Authorization", "Proxy-Authorization", "Cookie"] { #expect(sent.value(name) == nil) }
    #expect(sent.value("Host") == "127.0.0.1:\(origin.port)")
    #expect(sent.value("X-Other") == "kept")
    session.invalidateAndCancel()
  }

  /// At the same origin they are still good, and what a class states for another one is its own.
  @Test(arguments: [false, true]) func aRedirectKeepsWhatIsMeantForWhereItLeads(inURL: Bool) async throws {
    let (seen, session) = (Seen.self, session([Seen.self, Stub.self]))
    seen.fields.withLock { $0 = [:] }
    _ = try await session.data(for: try secretive("/copied", "http://stub.test/seen", inURL: inURL))
    #expect(
      seen.fields.withLock { $0["Authorization"] } == (inURL ? "Basic YW5uOnNlY3JldA==" : "Bearer secret"))
    _ = try await session.data(for: try secretive("/stated", "http://other.test/seen", inURL: inURL))
    #expect(seen.fields.withLock { $0["Authorization"] } == "Bearer for-the-other")
    session.invalidateAndCancel()
  }

  /// Notes the fields of requests for one path.
  private final class Seen: URLProtocol, @unchecked Sendable {
    static let fields = Locked<[String: String]>([:])

    override class func canInit(with request: URLRequest) -> Bool { request.url?.path == "/seen" }

    override func startLoading() {
      guard let client, let url = request.url else { return }
      Self.fields.withLock { $0 = request.allHTTPHeaderFields ?? [:] }
      let response = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
      client.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      client.urlProtocolDidFinishLoading(self)
    }
  }

  /// Nobody answers the challenge, which the class withdraws.
  @Test func theSilenceBehindAWithdrawnChallenge() async throws {
    var request = URLRequest(url: try url("/withdrawn"))
    request.timeoutInterval = 0.2
    let delegate = DeafDelegate()
    let session = session([Stub.self], delegate)
    let task = session.dataTask(with: request)
    task.resume()
    guard try await detached({ delegate.isOver.wait(seconds: 10) }) else {
      Issue.record("it goes on for ever")
      return task.cancel()
    }
    #expect((task.error as? URLError)?.code == .timedOut)
    session.invalidateAndCancel()
  }

  /// Answers no challenge.
  private final class DeafDelegate: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    let isOver = Signal()

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {}

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      isOver.raise()
    }
  }

  /// The answer to a challenge that has been withdrawn is none to the same one, raised again.
  @Test func anAnswerToAWithdrawnChallenge() async throws {
    let session = session([Stub.self], LateDelegate())
    #expect(try await text(session, URLRequest(url: try url("/raised-again"))) == "as bob")
    session.invalidateAndCancel()
  }

  /// Answers two challenges, in their order, when both have come.
  private final class LateDelegate: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    private let kept = Locked<[@Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void]>([])

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let all = kept.withLock { kept in
        kept.append(completionHandler)
        return kept
      }
      guard all.count == 2 else { return }
      for (answer, user) in zip(all, ["ann", "bob"]) {
        answer(.useCredential, URLCredential(user: user, password: "p", persistence: .none))
      }
    }
  }

  @Test func redirectsAreCounted() async throws {
    let error = await #expect(throws: URLError.self) {
      try await session([Stub.self]).data(from: try url("/loop"))
    }
    #expect(error?.code == .httpTooManyRedirects)
  }

  @Test func itsChallengeIsTheDelegates() async throws {
    let credential = URLCredential(user: "ann", password: "b", persistence: .none)
    let delegate = RecordingDelegate(credential: credential)
    let session = session([Stub.self], delegate)
    session.dataTask(with: try url("/secret")).resume()
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect(delegate.record.data == Data("as ann".utf8))
    session.invalidateAndCancel()
    #expect(try await text(self.session([Stub.self]), URLRequest(url: try url("/secret"))) == "as nobody")
  }

  /// Registered classes are asked for the shared session alone, after its own.
  @Test func registeredClassesServeTheSharedSession() async throws {
    let url = try url("/shared", "elsewhere.test")
    #expect(URLProtocol.registerClass(Elsewhere.self))
    #expect(try await text(.shared, URLRequest(url: url)) == "yes -")
    URLProtocol.unregisterClass(Elsewhere.self)
    #expect(!URLProtocol.registerClass(NSObject.self))
  }

  /// Says of which task it is, and whether two requests would be the same to it.
  private final class Telling: Stub, @unchecked Sendable {
    override func startLoading() {
      let same = Self.requestIsCacheEquivalent(request, to: request)
      var other = request
      other.setValue("1", forHTTPHeaderField: "Other")
      let isOther = Self.requestIsCacheEquivalent(request, to: other)
      finish("\(task?.taskDescription ?? "-") \(same) \(isOther)")
    }
  }

  @Test func aClassKnowsItsTask() async throws {
    let session = session([Telling.self])
    defer { session.invalidateAndCancel() }
    let text = try await withCheckedThrowingContinuation { continuation in
      do {
        let task = session.dataTask(with: try url("/task")) { data, _, _ in
          continuation.resume(returning: String(decoding: data ?? Data(), as: UTF8.self))
        }
        task.taskDescription = "the one"
        task.resume()
      } catch {
        continuation.resume(throwing: error)
      }
    }
    #expect(text == "the one true false")
    let alone = Telling(request: URLRequest(url: try url("/task")), cachedResponse: nil, client: nil)
    #expect(alone.task == nil)
  }

  @Test func aChallengeCanBePassedOn() throws {
    let (first, second) = (
      Telling(request: URLRequest(url: try url("/a")), cachedResponse: nil, client: nil),
      Telling(request: URLRequest(url: try url("/b")), cachedResponse: nil, client: nil)
    )
    let (one, other) = (Answers(owner: first), Answers(owner: second))
    let space = URLProtectionSpace(
      host: "stub.test", port: 80, protocol: "http", realm: "r",
      authenticationMethod: NSURLAuthenticationMethodHTMLForm)
    let credential = URLCredential(user: "a", password: "b", persistence: .none)
    let response = URLResponse(
      url: try url("/a"), mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    let challenge = URLAuthenticationChallenge(
      protectionSpace: space, proposedCredential: credential, previousFailureCount: 2,
      failureResponse: response, error: Broken(), sender: one)
    let passed = URLAuthenticationChallenge(authenticationChallenge: challenge, sender: other)
    #expect(challenge.sender === one && passed.sender === other)
    #expect(passed.protectionSpace == space && passed.proposedCredential == credential)
    #expect(passed.previousFailureCount == 2 && passed.failureResponse === response)
    #expect(passed.error is Broken)
    #expect(space.authenticationMethod == "NSURLAuthenticationMethodHTMLForm")
  }
}
