// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import BluebonnetLocks
import Testing

/// The delegate's rarer methods are called, and what a delegate does not implement is asked of the next one.
@Suite(.serialized) struct TaskEventsTests {
  let origin: Origin

  init() throws { origin = try Origin.start() }

  private func url(_ path: String) throws -> URL { try #require(URL(string: origin.baseURL + path)) }

  /// At once, on the caller's thread, so that the task can be changed before it starts.
  @Test func aNewTaskIsAnnounced() throws {
    let delegate = AnsweringDelegate()
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    _ = session.dataTask(with: try url("/get"))
    #expect(delegate.record.events == ["created 1"])
    _ = session.uploadTask(with: URLRequest(url: try url("/post")), from: Data())
    _ = session.downloadTask(with: try url("/get"))
    _ = session.downloadTask(withResumeData: Data())
    #expect(delegate.record.events == (1...4).map { "created \($0)" })
    session.invalidateAndCancel()
  }

  @Test func interimResponsesAreHeard() async throws {
    origin.script(
      "/hints",
      .text(
        "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
          + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
    let delegate = AnsweringDelegate()
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    session.dataTask(with: try url("/hints")).resume()
    await Eventually.expect("it completes") { delegate.record.isComplete }
    #expect(
      delegate.record.events == ["created 1", "interim 103", "interim 102", "response", "data", "complete"])
    #expect(
      delegate.record.interim.first?.value(forHTTPHeaderField: "Link") == "</a.css>; rel=preload")
    session.invalidateAndCancel()
  }

  private final class Evaluator: URLSessionDelegate {
    let asked = Locked(0)
    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      asked.withLock { $0 += 1 }
      completionHandler(.cancelAuthenticationChallenge, nil)
    }
  }

  private final class Listener: URLSessionTaskDelegate {
    let isComplete = Locked(false)
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      isComplete.withLock { $0 = true }
    }
  }

  private final class TaskEvaluator: URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
      (.cancelAuthenticationChallenge, nil)
    }
  }

  /// A delegate that only knows the session's form evaluates servers all the same.
  @Test func aDelegateOfTheSessionAloneEvaluates() async throws {
    let origin = try Origin.start(security: .tls)
    let evaluator = Evaluator()
    let session = URLSession(configuration: .ephemeral, delegate: evaluator, delegateQueue: nil)
    let url = try #require(URL(string: origin.baseURL + "/get"))
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    #expect(error?.code == .cancelled)
    #expect(evaluator.asked.withLock { $0 } == 1)
    session.invalidateAndCancel()
  }

  /// Knows the session's form of a challenge, and no other.
  private final class SessionForm: URLSessionTaskDelegate {
    let asked = Locked<[String]>([])

    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      asked.withLock { $0.append(challenge.protectionSpace.authenticationMethod) }
      completionHandler(.performDefaultHandling, nil)
    }
  }

  /// A password is the request's affair: the session's form is not asked, whatever protocol the delegate conforms to.
  @Test(arguments: ["/basic-auth/user/password", "/digest-auth/auth/user/password"])
  func thatFormIsNotAskedForAPassword(path: String) async throws {
    let delegate = SessionForm()
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    let (_, response) = try await session.data(from: url(path))
    #expect((response as? HTTPURLResponse)?.statusCode == 401 && delegate.asked.withLock { $0 }.isEmpty)
    session.invalidateAndCancel()
  }

  @Test func thatFormIsAskedAboutAServer() async throws {
    let origin = try Origin.start(security: .tls)
    let delegate = SessionForm()
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    let url = try #require(URL(string: origin.baseURL + "/get"))
    await #expect(throws: URLError.self) { try await session.data(from: url) }
    #expect(delegate.asked.withLock { $0 } == [NSURLAuthenticationMethodServerTrust])
    session.invalidateAndCancel()
  }

  /// A delegate of the task's own that does not evaluate must not make the session's evaluator fall silent.
  @Test(arguments: [true, false]) func aTasksDelegateDoesNotHideTheSessions(ofTasks: Bool) async throws {
    let origin = try Origin.start(security: .tls)
    let configuration = URLSessionConfiguration.ephemeral
    // Trusted by default: only the session's delegate is against it.
    let authority = try #require(origin.authority)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).pem")
    try Data(authority.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    configuration.trustAnchors = .file(path: file.path)
    let evaluator: any URLSessionDelegate = ofTasks ? TaskEvaluator() : Evaluator()
    let session = URLSession(configuration: configuration, delegate: evaluator, delegateQueue: nil)
    let url = try #require(URL(string: origin.baseURL + "/get"))
    let error = await #expect(throws: URLError.self) {
      try await session.data(from: url, delegate: Listener())
    }
    #expect(error?.code == .cancelled)
    session.invalidateAndCancel()
  }

  /// What the task's delegate implements goes to it alone, the rest to the session's.
  @Test func eachEventGoesToWhoImplementsIt() async throws {
    let (delegate, listener) = (RecordingDelegate(followsRedirects: false), Listener())
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    let task = session.dataTask(with: try url("/redirect/1"))
    task.delegate = listener
    task.resume()
    await Eventually.expect("it completes") { listener.isComplete.withLock { $0 } }
    #expect(delegate.record.events.contains("redirect"))
    #expect(delegate.record.events.contains("metrics"))
    #expect(!delegate.record.events.contains("complete"))
    #expect(origin.requests.count == 1)
    session.invalidateAndCancel()
  }
}
