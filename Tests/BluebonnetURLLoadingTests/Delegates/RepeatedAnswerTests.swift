// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestSupport
import Testing

@testable import BluebonnetURLLoading

/// A completion handler that is called again, when another question is open or none, changes nothing.
@Suite struct RepeatedAnswerTests {
  /// The servers of a flow, and what has come to them.
  struct Stage {
    let authority: OriginAuthority
    let first: Origin
    let second: Origin
    let secure: Origin
    /// Nothing leads here but a wrong answer.
    let elsewhere: Origin
    let proxy: ScriptedProxy
    let identity: URLCredential

    init() throws {
      authority = try OriginAuthority()
      first = try Origin.start()
      second = try Origin.start()
      secure = try Origin.start(security: .clients(of: authority))
      elsewhere = try Origin.start()
      proxy = try ScriptedProxy()
      proxy.answer { asked in
        asked.value("Proxy-Authorization") != nil
          ? .connect
          // What comes of the chunked body it does not understand.
          : .sayAndClose(
            "HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"proxy\"\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
          )
      }
      let issued = try authority.issue(names: [.host("alice.test")])
      identity = try URLCredential(
        certificates: Data(issued.certificateChain.utf8), key: Data(issued.privateKey.utf8),
        persistence: .none)
    }

    func stop() {
      for origin in [first, second, secure, elsewhere] { origin.stop() }
      proxy.stop()
    }

    /// What has come to each server, beginning after so many requests.
    func log(after counts: [Int]) -> [String] {
      let names = ["first", "second", "secure", "elsewhere"]
      return zip(zip(names, [first, second, secure, elsewhere]), counts).flatMap { server, count in
        server.1.requests.dropFirst(count).map { request in
          let credentials = request.value("Authorization") ?? "-"
          return "\(server.0) \(request.method) \(request.path) \(credentials) \(request.clientName ?? "-") "
            + String(decoding: request.body, as: UTF8.self)
        }
      }
    }

    var counts: [Int] { [first, second, secure, elsewhere].map(\.requests.count) }
  }

  /// A task that asks many questions.
  enum Flow: CaseIterable, Sendable {
    /// Two redirects, to another origin in the end, and a challenge of each.
    case get
    /// The same, and a download comes of it.
    case download
    /// A streamed body through a proxy that asks, to an origin that redirects to one that is to be trusted, wants to know the client, and
    /// asks, too.
    case upload
  }

  private func prepare(_ flow: Flow, _ stage: Stage) {
    func challenge(_ realm: String) -> ScriptedReply {
      .response(status: 401, fields: [("WWW-Authenticate", "Basic realm=\"\(realm)\"")])
    }
    let fresh = ("Cache-Control", "max-age=600")
    switch flow {
    case .get, .download:
      stage.first.script(
        "/start", .response(status: 301, fields: [("Location", stage.first.baseURL + "/secret"), fresh]))
      stage.first.script(
        "/secret", challenge("first"),
        .response(status: 302, fields: [("Location", stage.second.baseURL + "/secret")]))
      stage.second.script(
        "/secret", challenge("second"), .response(fields: [fresh], body: "the answer".utf8))
    case .upload:
      // As a proxy passes it on.
      stage.first.script(
        stage.first.baseURL + "/start",
        .response(status: 307, fields: [("Location", stage.secure.baseURL + "/secret")]))
      stage.secure.script("/secret", challenge("secure"), .response(body: "the answer".utf8))
    }
  }

  private struct Outcome: Equatable {
    var record: RepeatingDelegate.Record
    var requests: [String]
  }

  /// - Parameter loop: Its clock stands still: a redirect is offered to the cache only if its body ends within 200 ms.
  private func play(
    _ flow: Flow, _ plan: RepeatingDelegate.Plan, on stage: Stage, _ loop: URLSessionConfiguration.EventLoop,
    callsBackThere: Bool
  ) async throws -> (Outcome, RepeatingDelegate) {
    prepare(flow, stage)
    let counts = stage.counts
    let elsewhere = URLRequest(url: try #require(URL(string: stage.elsewhere.baseURL + "/get")))
    let delegate = RepeatingDelegate(
      .init(
        disposition: flow == .download ? .becomeDownload : .allow, identity: stage.identity,
        elsewhere: elsewhere), plan)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.trustAnchors = .certificates([
      try #require(SecCertificate(pem: stage.authority.certificate))
    ])
    configuration.eventLoop = loop
    configuration.timeoutIntervalForContinue = 0
    if flow == .upload {
      configuration.proxySelection = .proxy(.init(.http, host: "127.0.0.1", port: Int(stage.proxy.port)))
    }
    let session =
      if callsBackThere {
        URLSession(configuration: configuration, delegate: delegate, executor: configuration.loopExecutor)
      } else {
        URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
      }
    defer { session.invalidateAndCancel() }
    var request = URLRequest(url: try #require(URL(string: stage.first.baseURL + "/start")))
    let task: URLSessionTask
    if flow == .upload {
      request.httpMethod = "POST"
      task = session.uploadTask(withStreamedRequest: request)
    } else {
      task = session.dataTask(with: request)
    }
    task.earliestBeginDate = Date(timeIntervalSince1970: loop.loop.secondsSince1970 + 10)
    task.resume()
    loop.loop.advance(by: .seconds(11))
    await Eventually.expect("it completes: \(plan)") { delegate.isComplete }
    return (Outcome(record: delegate.record, requests: stage.log(after: counts)), delegate)
  }

  @Test(arguments: Flow.allCases, [false, true]) func changesNothing(flow: Flow, onTheLoop: Bool) async throws
  {
    let stage = try Stage()
    defer { stage.stop() }
    let loop = URLSessionConfiguration.EventLoop(name: "stopped")
    loop.loop.stopClock()
    let (control, witness) = try await play(flow, .init(), on: stage, loop, callsBackThere: onTheLoop)
    #expect(control.record.data == Data("the answer".utf8) && control.record.status == 200)
    #expect(control.record.errorCode == nil)
    let subjects: Set<String> =
      flow == .upload
      ? ["delay", "stream", "proxy", "redirect", "trust", "certificate", "credential", "response"]
      : ["delay", "redirect", "credential", "response", "cache"]
    let questions = control.record.questions
    // A response that has become a download is offered to no cache.
    #expect(subjects.isSubset(of: Set(questions.map { String($0.prefix { $0 != " " }) })), "\(questions)")
    // The first handler of each subject is kept; the question at hand may be the second of its subject, as of its own.
    for (place, kept) in questions.enumerated() where kept.hasSuffix(" 1") {
      let count = witness.otherAnswers[kept] ?? 0
      // A flow with handshakes takes ten times as long: one other answer of each question does there.
      for answer in flow == .upload ? [place % count] : Array(0..<count) {
        var plans = [RepeatingDelegate.Plan(kept: kept, answer: answer)]
        for moment in questions[place...] where moment.hasSuffix(" 1") || moment.hasSuffix(" 2") {
          plans.append(.init(kept: kept, answer: answer, moment: moment))
          if moment != kept { plans.append(.init(kept: kept, answer: answer, moment: moment, isEarly: true)) }
        }
        for plan in plans {
          let (outcome, delegate) = try await play(flow, plan, on: stage, loop, callsBackThere: onTheLoop)
          // A redirect is offered to the cache while its target is asked: these two have no order.
          let isOrdered = !kept.hasPrefix("cache") && plan.moment?.hasPrefix("cache") != true
          #expect(delegate.repetitions == 1 || !isOrdered, "\(plan)")
          #expect(outcome.requests == control.requests, "\(plan)")
          #expect(outcome.record.data == control.record.data, "\(plan)")
          #expect(outcome.record.status == control.record.status, "\(plan)")
          #expect(outcome.record.errorCode == nil, "\(plan)")
          #expect(outcome.record.questions.sorted() == questions.sorted(), "\(plan)")
        }
      }
    }
    #expect(stage.elsewhere.requests.isEmpty)
  }

  #if DEBUG
    /// The author of the delegate is told which one it is.
    @Test func isReportedInDebugBuilds() async throws {
      let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let origin = try Origin.start()
        let elsewhere = URLRequest(url: try #require(URL(string: origin.baseURL + "/get")))
        let delegate = RepeatingDelegate(
          .init(elsewhere: elsewhere), .init(kept: "redirect 1", answer: 1, moment: "response 1"))
        let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
        session.dataTask(with: try #require(URL(string: origin.baseURL + "/redirect/1"))).resume()
        await Eventually.expect("it completes") { delegate.isComplete }
        session.invalidateAndCancel()
      }
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(text.contains("the completion handler of willPerformHTTPRedirection, which RepeatingDelegate"))
    }
  #endif
}
