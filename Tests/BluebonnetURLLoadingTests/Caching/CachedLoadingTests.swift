// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// What loads do with kept responses; the rules themselves are tested as tables.
@Suite struct CachedLoadingTests {
  let origin: Origin
  let cache = URLCache(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)
  let session: URLSession

  init() {
    origin = Origin.inMemory()
    session = Self.session(cache)
  }

  private static func session(
    _ cache: URLCache, _ change: (URLSessionConfiguration) -> Void = { _ in }
  ) -> URLSession {
    let configuration = URLSessionConfiguration.inMemory
    configuration.urlCache = cache
    change(configuration)
    return URLSession(configuration: configuration)
  }

  private func request(
    _ path: String, _ policy: URLRequest.CachePolicy = .useProtocolCachePolicy, method: String = "GET",
    _ fields: [String: String] = [:]
  ) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + path)), cachePolicy: policy)
    request.httpMethod = method
    for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
    return request
  }

  private typealias Answer = (text: String, head: HTTPURLResponse)

  private func load(_ request: URLRequest, in session: URLSession? = nil) async throws -> Answer {
    let (data, response) = try await (session ?? self.session).data(for: request)
    return (String(decoding: data, as: UTF8.self), try #require(response as? HTTPURLResponse))
  }

  private func status(_ answer: Answer) -> String? { answer.head.value(forHTTPHeaderField: "Cache-Status") }

  @Test func aFreshResponseAnswersInTheServersPlace() async throws {
    origin.script("/a", .response(fields: [("Cache-Control", "max-age=600"), ("X", "1")], body: "one".utf8))
    let first = try await load(try request("/a"))
    let second = try await load(try request("/a"))
    #expect(origin.requests.count == 1)
    #expect(first.text == "one" && second.text == "one")
    #expect(status(first) == nil)
    #expect(status(second)?.hasPrefix("Bluebonnet; hit; ttl=") == true)
    // The sums are tested where time is an argument: here, it passes by itself.
    #expect(second.head.value(forHTTPHeaderField: "Age").flatMap { Int($0) } != nil)
    #expect(second.head.value(forHTTPHeaderField: "X") == "1")
  }

  @Test func metricsSayWhereAResponseCameFrom() async throws {
    origin.script(
      "/a", .response(fields: [("Cache-Control", "max-age=600"), ("ETag", "\"a\"")], body: "one".utf8),
      .response(status: 304, fields: [("ETag", "\"a\"")]))
    for (policy, types) in [
      (.useProtocolCachePolicy, [.networkLoad]), (.useProtocolCachePolicy, [.localCache]),
      (.reloadRevalidatingCacheData, [.networkLoad, .localCache]),
    ] as [(URLRequest.CachePolicy, [URLSessionTaskTransactionMetrics.ResourceFetchType])] {
      let delegate = RecordingDelegate()
      let session = URLSession(
        configuration: self.session.configuration, delegate: delegate, delegateQueue: nil)
      session.dataTask(with: try request("/a", policy)).resume()
      await Eventually.expect("It ends.") { delegate.record.isComplete }
      #expect(delegate.record.events.filter { $0 != "metrics" }.prefix(2) == ["response", "data"])
      #expect(String(decoding: delegate.record.data, as: UTF8.self) == "one")
      #expect(delegate.record.metrics?.transactionMetrics.map(\.resourceFetchType) == types)
    }
  }

  @Test func everySinkIsServed() async throws {
    origin.script("/a", .response(fields: [("Cache-Control", "max-age=600")], body: "one".utf8))
    _ = try await load(try request("/a"))
    let (file, _) = try await session.download(for: try request("/a"))
    #expect(try String(contentsOf: file, encoding: .utf8) == "one")
    let (bytes, _) = try await session.bytes(for: try request("/a"))
    var read: [UInt8] = []
    for try await byte in bytes { read.append(byte) }
    #expect(read == Array("one".utf8))
    #expect(origin.requests.count == 1)
  }

  @Test func aSuspendedTaskIsServedWhenItIsResumed() async throws {
    origin.script("/a", .response(fields: [("Cache-Control", "max-age=600")], body: "one".utf8))
    _ = try await load(try request("/a"))
    let data = Locked<Data?>(nil)
    let task = session.dataTask(with: try request("/a")) { body, _, _ in data.withLock { $0 = body } }
    task.suspend()
    task.resume()
    #expect(data.withLock { $0 } == nil)
    task.resume()
    await Eventually.expect("It is served.") { data.withLock { $0 } != nil }
    let cancelled = session.dataTask(with: try request("/a"))
    cancelled.cancel()
    await Eventually.expect("It ends.") { cancelled.state == .completed }
    #expect(origin.requests.count == 1)
  }

  // MARK: Validation

  /// RFC 9111 §5.2.2.4: a field that `no-cache` names is used once, also where a 304 has brought it anew.
  @Test func aFieldThatIsNotToBeUsedAgainIsNot() async throws {
    origin.script(
      "/a",
      .response(
        fields: [("Cache-Control", "max-age=600, no-cache=\"X-Once\""), ("ETag", "\"a\""), ("X-Once", "1")],
        body: "one".utf8),
      .response(status: 304, fields: [("ETag", "\"a\""), ("X-Once", "2"), ("X-More", "3")]))
    #expect(try await load(try request("/a")).head.value(forHTTPHeaderField: "X-Once") == "1")
    #expect(try await load(try request("/a")).head.value(forHTTPHeaderField: "X-Once") == nil)
    _ = try await load(try request("/a", .reloadRevalidatingCacheData))
    let answer = try await load(try request("/a"))
    #expect(answer.head.value(forHTTPHeaderField: "X-Once") == nil)
    #expect(answer.head.value(forHTTPHeaderField: "X-More") == "3")
    #expect(origin.requests.count == 2)
  }

  @Test func whatIsStaleIsValidated() async throws {
    origin.script(
      "/a",
      .response(fields: [("Cache-Control", "no-cache"), ("ETag", "\"a\""), ("X", "1")], body: "one".utf8),
      .response(status: 304, fields: [("ETag", "\"a\""), ("X", "2")]),
      .response(fields: [("Cache-Control", "no-cache"), ("ETag", "\"b\"")], body: "two".utf8),
      .response(status: 304, fields: [("ETag", "\"b\"")]))
    #expect(try await load(try request("/a")).text == "one")
    let confirmed = try await load(try request("/a"))
    #expect(confirmed.text == "one" && confirmed.head.statusCode == 200)
    #expect(confirmed.head.value(forHTTPHeaderField: "X") == "2")
    #expect(status(confirmed) == "Bluebonnet; fwd=stale; fwd-status=304")
    #expect(try await load(try request("/a")).text == "two")
    #expect(try await load(try request("/a")).text == "two")
    #expect(origin.requests.map { $0.value("If-None-Match") } == [nil, "\"a\"", "\"a\"", "\"b\""])
    // The connection that brought a 304 is used again.
    #expect(origin.connectionCount == 1)
  }

  /// RFC 9111 §4.3.4.
  @Test func aConfirmationOfSomethingElseIsNone() async throws {
    origin.script(
      "/a", .response(fields: [("ETag", "\"a\"")], body: "one".utf8),
      .response(status: 304, fields: [("ETag", "\"z\"")]),
      .response(fields: [("ETag", "\"b\"")], body: "two".utf8))
    #expect(try await load(try request("/a")).text == "one")
    #expect(try await load(try request("/a")).text == "two")
    #expect(origin.requests.map { $0.value("If-None-Match") } == [nil, "\"a\"", nil])
  }

  @Test func theCallersConditionIsTheCallers() async throws {
    origin.script(
      "/a", .response(fields: [("ETag", "\"a\"")], body: "one".utf8),
      .response(status: 304, fields: [("ETag", "\"a\"")]))
    _ = try await load(try request("/a"))
    let answer = try await load(try request("/a", ["If-None-Match": "\"a\""]))
    #expect(answer.head.statusCode == 304 && answer.text.isEmpty)
  }

  private func request(_ path: String, _ fields: [String: String]) throws -> URLRequest {
    try request(path, .useProtocolCachePolicy, fields)
  }

  /// RFC 5861 §4.
  @Test func whatIsStaleStandsInForErrors() async throws {
    let kept = ScriptedReply.response(
      fields: [("Cache-Control", "max-age=0, stale-if-error=600")], body: "one".utf8)
    for failure in [ScriptedReply.response(status: 503, body: "no".utf8), .reset, .close] {
      origin.script("/a", kept, failure)
      #expect(try await load(try request("/a")).text == "one")
      let answer = try await load(try request("/a"))
      #expect(answer.text == "one" && answer.head.statusCode == 200)
      #expect(status(answer)?.hasPrefix("Bluebonnet; fwd=stale") == true)
      cache.removeAllCachedResponses()
    }
    origin.script("/b", .response(fields: [("Cache-Control", "max-age=0")], body: "one".utf8), .reset)
    _ = try await load(try request("/b"))
    await #expect(throws: URLError.self) { try await load(try request("/b")) }
  }

  /// RFC 5861 §3.
  @Test func whatIsStaleIsServedWhileItIsAskedForAnew() async throws {
    origin.script(
      "/a",
      .response(fields: [("Cache-Control", "max-age=0, stale-while-revalidate=600")], body: "one".utf8),
      .response(fields: [("Cache-Control", "max-age=600")], body: "two".utf8))
    #expect(try await load(try request("/a")).text == "one")
    let stale = try await load(try request("/a"))
    #expect(stale.text == "one")
    #expect(status(stale)?.contains("hit; ttl=") == true)
    let path = try request("/a")
    await Eventually.expect("The newer one is kept.") {
      cache.cachedResponse(for: path).map { $0.data == Data("two".utf8) } ?? false
    }
    #expect(try await load(try request("/a")).text == "two")
    #expect(origin.requests.count == 2)
  }

  /// Each variant by itself, and each once.
  @Test func whatVariesIsAskedForAnewByVariant() async throws {
    let fields = [
      (name: "Cache-Control", value: "max-age=0, stale-while-revalidate=600"),
      (name: "Vary", value: "X-Kind"),
    ]
    origin.script(
      "/a", .response(fields: fields, body: "a".utf8), .response(fields: fields, body: "b".utf8), .silence)
    for kind in ["a", "b", "a", "b", "a"] {
      #expect(try await load(try request("/a", ["X-Kind": kind])).text == kind)
    }
    await Eventually.expect("Both are asked for anew.") { origin.requests.count == 4 }
    #expect(Set(origin.requests.suffix(2).map { $0.value("X-Kind") }) == ["a", "b"])
    session.invalidateAndCancel()
  }

  @Test func handlersDecideAboutWhatIsAskedForAnew() async throws {
    origin.script(
      "/a",
      .response(fields: [("Cache-Control", "max-age=0, stale-while-revalidate=600")], body: "one".utf8),
      .response(fields: [("Cache-Control", "max-age=600")], body: "two".utf8))
    _ = try await load(try request("/a"))
    let refusal = Refusal()
    let session = URLSession(configuration: self.session.configuration, delegate: refusal, delegateQueue: nil)
    session.dataTask(with: try request("/a")).resume()
    await Eventually.expect("It is asked.") { refusal.offers.withLock { $0 } == ["two"] }
    await Eventually.expect("Nobody is at it any more.") { session.unfinishedCount == 0 }
    #expect(cache.cachedResponse(for: try request("/a")).map { $0.data } == Data("one".utf8))
  }

  private final class Refusal: URLSessionDataDelegate {
    let offers = Locked<[String]>([])

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposed: CachedURLResponse,
      completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
      offers.withLock { $0.append(String(decoding: proposed.data, as: UTF8.self)) }
      completionHandler(nil)
    }
  }

  // MARK: Wishes

  @Test func policies() async throws {
    let fields = [(name: "Cache-Control", value: "max-age=600"), (name: "ETag", value: "\"a\"")]
    origin.handle("/a") { request in
      request.value("If-None-Match") == "\"a\""
        ? .response(status: 304, fields: [("ETag", "\"a\"")]) : .response(fields: fields, body: "one".utf8)
    }
    _ = try await load(try request("/a"))
    for (policy, sent) in [
      (.useProtocolCachePolicy, []), (.returnCacheDataElseLoad, []), (.returnCacheDataDontLoad, []),
      (.reloadIgnoringLocalCacheData, ["-", "-"]),
      (.reloadIgnoringLocalAndRemoteCacheData, ["-", "no-cache"]),
      (.reloadRevalidatingCacheData, ["\"a\"", "max-age=0"]),
    ] as [(URLRequest.CachePolicy, [String])] {
      origin.forgetRequests()
      #expect(try await load(try request("/a", policy)).text == "one")
      let seen = origin.requests.flatMap {
        [$0.value("If-None-Match") ?? "-", $0.value("Cache-Control") ?? "-"]
      }
      #expect(seen == sent, "\(policy)")
    }
  }

  /// RFC 9111 §5.2.1.7.
  @Test func onlyIfCachedIsAnsweredByTheCache() async throws {
    let answer = try await load(try request("/get", ["Cache-Control": "only-if-cached"]))
    #expect(answer.head.statusCode == 504 && answer.text.isEmpty)
    #expect(origin.requests.isEmpty)
    origin.script("/a", .response(fields: [("Cache-Control", "max-age=600")], body: "one".utf8))
    _ = try await load(try request("/a"))
    #expect(try await load(try request("/a", ["Cache-Control": "only-if-cached"])).text == "one")
  }

  @Test func aHeadIsAnsweredAndTellsWhatIsNew() async throws {
    origin.handle("/a") { request in
      request.method == "HEAD"
        ? .text(
          "HTTP/1.1 200 OK\r\nCache-Control: max-age=500\r\nETag: \"a\"\r\nX: 2\r\nContent-Length: 3\r\n\r\n")
        : .response(
          fields: [("Cache-Control", "max-age=600"), ("ETag", "\"a\""), ("X", "1")], body: "one".utf8)
    }
    _ = try await load(try request("/a"))
    let head = try await load(try request("/a", method: "HEAD"))
    #expect(head.text.isEmpty && head.head.value(forHTTPHeaderField: "X") == "1")
    #expect(origin.requests.count == 1)
    _ = try await load(try request("/a", .reloadIgnoringLocalCacheData, method: "HEAD"))
    // Who does not want what is kept does not look at it either.
    #expect(try await load(try request("/a")).head.value(forHTTPHeaderField: "X") == "1")
    _ = try await load(try request("/a", method: "HEAD", ["Cache-Control": "no-cache"]))
    let updated = try await load(try request("/a"))
    #expect(updated.text == "one" && updated.head.value(forHTTPHeaderField: "X") == "2")
    #expect(origin.requests.map(\.method) == ["GET", "HEAD", "HEAD"])
  }

  @Test func partsAreAnsweredFromTheWholeAndJoined() async throws {
    let body = Array("0123456789".utf8)
    origin.handle("/a") { request in
      let fields = [(name: "Cache-Control", value: "max-age=600"), (name: "ETag", value: "\"a\"")]
      guard let range = request.value("Range")?.dropFirst(6).split(separator: "-").compactMap({ Int($0) }),
        range.count == 2
      else { return .response(fields: fields, body: body) }
      return .response(
        status: 206, fields: fields + [(name: "Content-Range", value: "bytes \(range[0])-\(range[1])/10")],
        body: body[range[0]...range[1]])
    }
    #expect(try await load(try request("/a", ["Range": "bytes=2-4"])).text == "234")
    #expect(try await load(try request("/a", ["Range": "bytes=3-4"])).text == "34")
    #expect(origin.requests.count == 1)
    #expect(try await load(try request("/a", ["Range": "bytes=5-9"])).text == "56789")
    #expect(try await load(try request("/a", ["Range": "bytes=2-9"])).text == "23456789")
    #expect(origin.requests.count == 2)
    #expect(try await load(try request("/a", ["Range": "bytes=0-1"])).text == "01")
    // The parts have become a whole.
    let whole = try await load(try request("/a"))
    #expect(whole.text == "0123456789" && whole.head.statusCode == 200)
    #expect(whole.head.value(forHTTPHeaderField: "Content-Range") == nil)
    #expect(origin.requests.count == 3)
    let part = try await load(try request("/a", ["Range": "bytes=-3"]))
    #expect(part.text == "789" && part.head.statusCode == 206)
    #expect(part.head.value(forHTTPHeaderField: "Content-Range") == "bytes 7-9/10")
    #expect(origin.requests.count == 3)
  }

  @Test func redirectsAreKeptAndFollowed() async throws {
    origin.script(
      "/a",
      .response(
        status: 301, fields: [("Location", "/b"), ("Cache-Control", "max-age=600")], body: "moved".utf8))
    origin.script("/b", .response(body: "there".utf8))
    for _ in 0..<2 { #expect(try await load(try request("/a")).text == "there") }
    #expect(origin.requests.map(\.path) == ["/a", "/b", "/b"])
    // Who does not follow it gets it with its body.
    let delegate = RecordingDelegate(followsRedirects: false)
    let session = URLSession(
      configuration: self.session.configuration, delegate: delegate, delegateQueue: nil)
    session.dataTask(with: try request("/a")).resume()
    await Eventually.expect("It ends.") { delegate.record.isComplete }
    #expect(String(decoding: delegate.record.data, as: UTF8.self) == "moved")
    #expect(origin.requests.count == 3)
  }

  /// The cookies that went out select, not those that have come since.
  @Test func cookiesThatWentOutSelect() async throws {
    origin.handle("/a") { request in
      .response(
        fields: [("Cache-Control", "max-age=600"), ("Vary", "Cookie"), ("Set-Cookie", "n=1; Path=/")],
        body: (request.value("Cookie") ?? "none").utf8)
    }
    #expect(try await load(try request("/a")).text == "none")
    #expect(try await load(try request("/a")).text == "n=1")
    #expect(try await load(try request("/a")).text == "n=1")
    #expect(origin.requests.count == 2)
  }

  @Test func whoeverLoadsOtherwiseIsServedOtherwise() async throws {
    origin.script("/a", .response(fields: [("Cache-Control", "max-age=600")], body: "one".utf8))
    _ = try await load(try request("/a"))
    let raw = Self.session(cache) { $0.decodesResponseContent = false }
    _ = try await load(try request("/a"), in: raw)
    #expect(origin.requests.count == 2)
    _ = try await load(try request("/a"), in: raw)
    #expect(origin.requests.count == 2)
  }

  /// The chunks belong to the message, and another session could not tell them from content.
  @Test func chunksAreNotKept() async throws {
    origin.script(
      "/a",
      .text(
        "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
      ))
    let raw = Self.session(cache) { $0.decodesTransferCodings = false }
    #expect(try await load(try request("/a"), in: raw).text == "5\r\nhello\r\n0\r\n\r\n")
    #expect(try await load(try request("/a")).text == "hello")
    #expect(try await load(try request("/a"), in: raw).text.hasPrefix("5"))
    #expect(origin.requests.count == 3)
  }

  /// What a session is told at another place than the URL's is not what others would be told.
  @Test func otherPlacesAnswerForThemselves() async throws {
    let there = try Origin.start()
    let elsewhere = try Origin.start()
    for (server, text) in [(there, "there"), (elsewhere, "elsewhere")] {
      server.script("/a", .response(fields: [("Cache-Control", "max-age=600")], body: text.utf8))
    }
    let request = URLRequest(url: try #require(URL(string: there.baseURL + "/a")))
    func session(_ change: (URLSessionConfiguration) -> Void) -> URLSession {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCache = cache
      change(configuration)
      return URLSession(configuration: configuration)
    }
    let led = session { $0.connectionEndpoint = .init(host: "127.0.0.1", port: Int(elsewhere.port)) }
    let plain = session { _ in }
    let addressed = session { $0.connectionAddresses = ["127.0.0.1"] }
    for _ in 0..<2 {
      #expect(try await load(request, in: led).text == "elsewhere")
      #expect(try await load(request, in: plain).text == "there")
      #expect(try await load(request, in: addressed).text == "there")
    }
    #expect(elsewhere.requests.count == 1 && there.requests.count == 2)
  }

  /// The cache goes by URLs: what asks for something else passes it by.
  @Test func aTargetOfItsOwnIsNotKept() async throws {
    for path in ["/a", "/b"] {
      origin.script(path, .response(fields: [("Cache-Control", "max-age=600")], body: path.utf8))
    }
    var other = try request("/a")
    other.requestTarget = "/b"
    var named = try request("/a")
    named.rawOptions = RawRequestOptions(lines: [], host: .written(" other.test"))
    for _ in 0..<2 {
      #expect(try await load(other).text == "/b")
      #expect(try await load(try request("/a")).text == "/a")
      #expect(try await load(named).text == "/a")
    }
    #expect(origin.requests.count == 5)
  }

  /// RFC 9111 §4.4: also where it had begun to come before.
  @Test func whatAPostBringsMayBeOutOfDate() async throws {
    origin.script("/a", .text("").then(.hang), .response(status: 204), .response(body: "new".utf8))
    let posted = Task { [session] in
      let (data, _) = try await session.data(for: try request("/a", method: "POST"))
      return data
    }
    await Eventually.expect("It is there.") { origin.requests.count == 1 }
    let head =
      "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nConnection: close\r\nContent-Location: /a\r\nContent-Length: 3\r\n\r\n"
    #expect(origin.interject(Array((head + "ol").utf8), on: origin.requests[0].connection))
    let tasks = await session.allTasks
    await Eventually.expect("It has begun to come.") { tasks.first?.countOfBytesReceived == 2 }
    #expect(try await load(try request("/a", method: "PUT")).head.statusCode == 204)
    #expect(origin.interject(Array("d".utf8), on: origin.requests[0].connection))
    #expect(try await posted.value == Data("old".utf8))
    #expect(try await load(try request("/a")).text == "new")
  }

  /// What a cache hands out is decoded; what was kept as it came is for sessions that want it so.
  @Test func codedBodiesAreNotHandedOut() async throws {
    origin.script(
      "/a",
      .response(fields: [("Cache-Control", "max-age=600"), ("Content-Encoding", "x-own")], body: "one".utf8))
    let raw = Self.session(cache) { $0.decodesResponseContent = false }
    _ = try await load(try request("/a"), in: raw)
    #expect(cache.cachedResponse(for: try request("/a")) == nil)
    _ = try await load(try request("/a"), in: raw)
    #expect(origin.requests.count == 1)
  }

  // MARK: Who decides

  /// RFC 9111 §3.3: a part answers no request for the whole, whatever a handler makes of its head.
  @Test func aHandlerMakesNoWholeOfAPart() async throws {
    origin.script(
      "/a",
      .response(
        status: 206, fields: [("Content-Range", "bytes 0-2/9"), ("ETag", "\"a\"")], body: "one".utf8),
      .response(body: "one two three".utf8))
    let session = URLSession(
      configuration: self.session.configuration, delegate: Freshener(), delegateQueue: nil)
    let task = session.dataTask(with: try request("/a", ["Range": "bytes=0-2"]))
    task.resume()
    await Eventually.expect("It ends.") { task.state == .completed }
    #expect(try await load(try request("/a")).text == "one two three")
  }

  @Test func aHandlerMayMakeAResponseFresh() async throws {
    origin.script("/a", .response(body: "one".utf8))
    let session = URLSession(
      configuration: self.session.configuration, delegate: Freshener(), delegateQueue: nil)
    for _ in 0..<2 {
      let task = session.dataTask(with: try request("/a"))
      task.resume()
      await Eventually.expect("It ends.") { task.state == .completed }
    }
    #expect(origin.requests.count == 1)
  }

  private final class Freshener: URLSessionDataDelegate {
    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposed: CachedURLResponse,
      completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
      guard let url = proposed.response.url,
        let response = HTTPURLResponse(
          url: url, statusCode: 200, httpVersion: nil, headerFields: ["Cache-Control": "max-age=600"])
      else { return completionHandler(nil) }
      completionHandler(CachedURLResponse(response: response, data: proposed.data))
    }
  }

  /// A subclass keeps them its own way, and is asked by every load.
  @Test func aSubclassIsAsked() async throws {
    origin.script(
      "/a", .response(fields: [("Cache-Control", "max-age=600"), ("ETag", "\"a\"")], body: "one".utf8),
      .response(status: 304, fields: [("ETag", "\"a\""), ("X", "2")]))
    let own = OwnCache()
    let session = Self.session(own)
    #expect(try await load(try request("/a"), in: session).text == "one")
    #expect(own.log.withLock { $0 } == ["asked", "stored one"])
    let hit = try await load(try request("/a"), in: session)
    #expect(hit.text == "one" && status(hit)?.contains("hit") == true)
    #expect(own.log.withLock { $0 }.last == "asked")
    let confirmed = try await load(try request("/a", .reloadRevalidatingCacheData), in: session)
    #expect(confirmed.text == "one" && confirmed.head.value(forHTTPHeaderField: "X") == "2")
    await Eventually.expect("It is brought up to date.") {
      own.log.withLock { $0 } == ["asked", "stored one", "asked", "asked", "stored one"]
    }
    #expect(origin.requests.count == 2)
  }

  private final class OwnCache: URLCache, @unchecked Sendable {
    let log = Locked<[String]>([])
    private let kept = Locked<CachedURLResponse?>(nil)

    init() { super.init(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil) }

    override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
      log.withLock { $0.append("asked") }
      return kept.withLock { $0 }
    }

    override func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
      log.withLock { $0.append("stored \(String(decoding: cachedResponse.data, as: UTF8.self))") }
      kept.withLock { $0 = cachedResponse }
    }
  }

  /// The wait before a request is sent is no age of its response (RFC 9111 §4.2.3).
  @Test func aWaitForATurnMakesNoResponseOld() async throws {
    let loop = URLSessionConfiguration.EventLoop(name: "stopped")
    loop.loop.stopClock()
    defer { loop.loop.stopLater() }
    let session = Self.session(cache) {
      $0.eventLoop = loop
      $0.requestLimit = 1
      $0.timeoutIntervalForRequest = 100_000
    }
    defer { session.invalidateAndCancel() }
    origin.handle("/held") { _ in ScriptedReply([.hang], at: .head) }
    // By the session's clock, what the origin calls now is long ago.
    let fields = [("Cache-Control", "max-age=300"), ("Date", "Fri, 01 Jan 2100 00:00:00 GMT")]
    origin.script("/a", .response(fields: fields, body: "one".utf8))
    let held = session.dataTask(with: try request("/held")) { _, _, _ in }
    held.resume()
    await Eventually.expect("it is under way") { origin.requests.count == 1 }
    let first = Locked<Data?>(nil)
    session.dataTask(with: try request("/a")) { data, _, _ in first.withLock { $0 = data } }.resume()
    // Behind the look into the cache.
    await withCheckedContinuation { behind in loop.loop.enqueue { behind.resume() } }
    loop.loop.advance(by: .seconds(600))
    held.cancel()
    await Eventually.expect("it is answered") { first.withLock { $0 } == Data("one".utf8) }
    #expect(try await load(try request("/a"), in: session).text == "one")
    #expect(origin.requests.count == 2)
  }
}

extension URLSession {
  /// Tasks that have not completed.
  fileprivate var unfinishedCount: Int { unfinishedTasks.count }
}
