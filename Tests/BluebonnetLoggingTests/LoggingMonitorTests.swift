// SPDX-License-Identifier: MIT
#if Logging
  import Bluebonnet
  import BluebonnetFoundation
  @testable import BluebonnetLogging
  import BluebonnetOrigin
  import BluebonnetTestNetwork
  import BluebonnetTestSupport
  import InMemoryLogging
  import Logging
  import Testing

  @Suite struct LoggingMonitorTests {
    private let origin = Origin.inMemory()
    private let handler: InMemoryLogHandler
    private let monitor: LoggingMonitor
    private let session: Session

    init() {
      handler = .all()
      monitor = LoggingMonitor(logger: Logger(label: "http", handler))
      session = Session(configuration: .patientInMemory, eventMonitors: [monitor])
    }

    /// Every line so far, once the monitor has heard all events.
    private func lines() async -> [InMemoryLogHandler.Entry] {
      await monitor.heardAll()
      return handler.entries
    }

    private func retrying(_ limit: Int) -> Interceptor {
      Interceptor(retriers: [
        Retrier { request, _, _, completion in
          completion(request.retryCount < limit ? .retry : .doNotRetry)
        }
      ])
    }

    @Test func successIsRequestAndResponse() async {
      let request = session.request(origin.baseURL + "/get")
      _ = await request.serializingData().response
      let lines = await lines()
      #expect(lines.map(\.message) == ["HTTP request", "HTTP response"])
      #expect(lines.map(\.level) == [.debug, .info])
      for line in lines {
        #expect(line.metadata["http.method"] == "GET")
        #expect(line.metadata["http.url"] == "\(origin.baseURL)/get")
        #expect(line.metadata["http.attempt"] == "1")
        #expect(line.metadata["http.request_id"] == "\(request.id)")
      }
      #expect(lines.last?.metadata["http.status"] == "200")
      #expect(lines.last?.metadata["http.request.body.size"] == "0")
      #expect(lines.last?.number("http.response.body.size") ?? 0 > 0)
      #expect(lines.last?.number("http.duration") ?? -1 >= 0)
      #expect(lines.allSatisfy { $0.metadata["http.final_url"] == nil })
      #expect(monitor.recorder.count == 0)
    }

    @Test func uploadsCountTheirBytes() async {
      _ = await session.upload(Data(count: 1000), to: origin.baseURL + "/upload").serializingData().response
      #expect(await lines().last?.metadata["http.request.body.size"] == "1000")
    }

    @Test func failureOfTheTransport() async throws {
      let port = try ClosedPort()
      _ = await session.request("http://127.0.0.1:\(port.number)/x").serializingData().response
      let lines = await lines()
      #expect(lines.map(\.message) == ["HTTP request", "HTTP failure"])
      #expect(lines.last?.level == .warning)
      #expect(lines.last?.metadata["error.kind"] == "connect")
      #expect(lines.last?.metadata["http.status"] == nil)
    }

    @Test func failureOfAValidator() async {
      _ = await session.request(origin.baseURL + "/status/404").validate().serializingData().response
      let lines = await lines()
      #expect(lines.map(\.message) == ["HTTP request", "HTTP response", "HTTP failure"])
      #expect(lines.last?.metadata["error.kind"] == "status")
      #expect(lines.last?.metadata["http.status"] == "404")
    }

    @Test func failureOfASerializer() async {
      _ = await session.request(origin.baseURL + "/xml").serializingDecodable([Int].self).response
      let lines = await lines()
      #expect(lines.map(\.message) == ["HTTP request", "HTTP response", "HTTP failure"])
      #expect(lines.last?.metadata["error.kind"] == "serialization")
    }

    @Test func requestsThatCannotBeMade() async {
      _ = await session.request("http://[").serializingData().response
      let lines = await lines()
      #expect(lines.map(\.message) == ["HTTP failure"])
      #expect(lines.last?.metadata["error.kind"] == "invalid_request")
    }

    @Test func retriesNameTheFailureBefore() async {
      origin.script("/get", .response(status: 500), .response(status: 502), .endpoint)
      _ = await session.request(origin.baseURL + "/get", interceptor: retrying(5)).validate()
        .serializingData().response
      let lines = await lines()
      #expect(
        lines.map(\.message) == [
          "HTTP request", "HTTP response", "HTTP retry", "HTTP request", "HTTP response", "HTTP retry",
          "HTTP request", "HTTP response",
        ])
      #expect(lines.map { $0.metadata["http.attempt"] } == ["1", "1", "2", "2", "2", "3", "3", "3"])
      #expect(lines.compactMap { $0.metadata["http.status"] } == ["500", "502", "200"])
      let retries = lines.filter { $0.message == "HTTP retry" }
      #expect(retries.allSatisfy { $0.metadata["error.kind"] == "status" && $0.level == .notice })
      #expect(retries.first.map { "\($0.metadata)" }?.contains("500") == true)
    }

    @Test func theLastFailureIsWrittenOnce() async {
      _ = await session.request(origin.baseURL + "/status/503", interceptor: retrying(2)).validate()
        .serializingData().response
      #expect(await lines().filter { $0.message == "HTTP failure" }.count == 1)
    }

    @Test func aSerializersFailureIsRetried() async {
      origin.script("/get", .response(body: "no list".utf8), .response(body: "[1]".utf8))
      let response = await session.request(origin.baseURL + "/get", interceptor: retrying(1))
        .serializingDecodable([Int].self).response
      #expect(response.value == [1])
      let lines = await lines()
      #expect(
        lines.map(\.message) == [
          "HTTP request", "HTTP response", "HTTP failure", "HTTP retry", "HTTP request", "HTTP response",
        ])
      #expect(lines[3].metadata["error.kind"] == "serialization")
    }

    @Test func redirectsAreWritten() async {
      _ = await session.request(origin.baseURL + "/redirect/2").serializingData().response
      let lines = await lines()
      #expect(
        lines.map(\.message) == ["HTTP request", "HTTP redirect", "HTTP redirect", "HTTP response"])
      #expect(lines.last?.metadata["http.status"] == "200")
      #expect(lines.last?.metadata["http.url"] == "\(origin.baseURL)/redirect/2")
      #expect(lines.last?.metadata["http.final_url"] == "\(origin.baseURL)/get")
      #expect(lines.dropLast().allSatisfy { $0.metadata["http.final_url"] == nil })
    }

    @Test func failuresBehindARedirectNameTheFinalAddress() async throws {
      let host = origin.baseURL.dropFirst("http://".count)
      let port = try ClosedPort()
      for (target, shown) in [
        ("http://me:canary@\(host)/status/404?canary#canary", "http://\(host)/status/404?…"),
        ("http://127.0.0.1:\(port.number)/x", "http://127.0.0.1:\(port.number)/x"),
      ] {
        origin.script("/from", .response(status: 302, fields: [("Location", target)]))
        _ = await session.request(origin.baseURL + "/from").validate().serializingData().response
        let last = try #require(await lines().last)
        #expect(last.message == "HTTP failure")
        #expect(last.metadata["http.url"] == "\(origin.baseURL)/from")
        #expect(last.metadata["http.final_url"] == "\(shown)")
      }
      #expect(await !lines().contains { "\($0.metadata)".contains("canary") })
    }

    /// The serializer fails while the attempt is under way, so there are no metrics yet.
    @Test func aStreamsSerializerNamesTheFinalAddress() async throws {
      let host = origin.baseURL.dropFirst("http://".count)
      origin.script(
        "/from", .response(status: 302, fields: [("Location", "http://me:canary@\(host)/xml?canary#canary")]))
      origin.script("/there", .response(status: 302, fields: [("Location", "/ip")], body: "none".utf8))
      for (path, shown) in [
        ("/from", "\(origin.baseURL)/xml?…"), ("/xml", nil), ("/there", nil),
      ] {
        let request = session.streamRequest("http://me:canary@\(host)\(path)")
        if path == "/there" { request.redirect(using: .doNotFollow) }
        for await _ in request.streamTask().streamingDecodables([Int].self) {}
        let failure = try #require(await lines().last { $0.message == "HTTP failure" })
        #expect(failure.metadata["error.kind"] == "serialization")
        #expect(failure.metadata["http.url"] == "\(origin.baseURL)\(path)")
        #expect(failure.metadata["http.final_url"].map { "\($0)" } == shown)
        handler.clear()
      }
      #expect(await !lines().contains { "\($0.metadata)".contains("canary") })
    }

    @Test func anotherAttemptForgetsTheRedirect() async {
      origin.script("/get", .response(status: 302, fields: [("Location", "/status/500")]), .endpoint)
      _ = await session.request(origin.baseURL + "/get", interceptor: retrying(1)).validate()
        .serializingDecodable([Int].self).response
      let lines = await lines()
      #expect(lines.last?.message == "HTTP failure")
      #expect(
        lines.map { $0.metadata["http.final_url"] } == [
          nil, nil, "\(origin.baseURL)/status/500", nil, nil, nil, nil,
        ])
    }

    /// The task's request changes for another reason: a URL's user goes into a field.
    @Test func aUserInTheAddressIsNoRedirect() async {
      let address = origin.baseURL.replacingOccurrences(of: "://", with: "://me:canary@")
      _ = await session.request(address + "/get").serializingData().response
      let lines = await lines()
      #expect(lines.contains { $0.message == "HTTP response" })
      #expect(lines.allSatisfy { $0.metadata["http.final_url"] == nil })
      #expect(!lines.contains { "\($0.metadata)".contains("canary") })
    }

    @Test func aRedirectThatIsNotFollowedHasNoFinalAddress() async {
      origin.script("/get", .response(status: 302, fields: [("Location", "/ip")]))
      _ = await session.request(origin.baseURL + "/get").redirect(using: .doNotFollow)
        .serializingData().response
      let lines = await lines()
      #expect(lines.first { $0.message == "HTTP response" }?.metadata["http.status"] == "302")
      #expect(lines.allSatisfy { $0.metadata["http.final_url"] == nil })
    }

    @Test func cancellation() async {
      origin.script("/get", .silence)
      let request = session.request(origin.baseURL + "/get")
      let response = request.serializingData()
      request.resume()
      await Eventually.expect("it is sent") { origin.requests.count == 1 }
      request.cancel()
      _ = await response.response
      let lines = await lines()
      #expect(lines.map(\.message) == ["HTTP request", "HTTP cancellation"])
      #expect(lines.last?.metadata["error.kind"] == "cancelled" && lines.last?.level == .debug)
    }

    @Test func cancellationBeforeTheFirstAttempt() async {
      let request = session.request(origin.baseURL + "/get")
      request.cancel()
      _ = await request.serializingData().response
      #expect(await lines().map(\.message) == ["HTTP cancellation"])
    }

    @Test func levelsLeaveLinesOut() async {
      let quiet = InMemoryLogHandler.all()
      let levels = LoggingMonitor.Levels(request: nil, response: .trace)
      let monitor = LoggingMonitor(logger: Logger(label: "http", quiet), levels: levels)
      let session = Session(configuration: .patientInMemory, eventMonitors: [monitor])
      _ = await session.request(origin.baseURL + "/get").serializingData().response
      await monitor.heardAll()
      #expect(quiet.entries.map(\.level) == [.trace])
      quiet.clear()
      var logger = Logger(label: "http", quiet)
      logger.logLevel = .notice
      let other = LoggingMonitor(logger: logger)
      let third = Session(configuration: .patientInMemory, eventMonitors: [other])
      _ = await third.request(origin.baseURL + "/get").serializingData().response
      await other.heardAll()
      #expect(quiet.entries.isEmpty)
    }

    @Test func downloadsAndStreams() async {
      let download = await session.download(origin.baseURL + "/status/404").validate().serializingData()
        .response
      #expect(download.error != nil)
      for await _ in session.streamRequest(origin.baseURL + "/status/503").validate().streamTask()
        .streamingData()
      {}
      let failures = await lines().filter { $0.message == "HTTP failure" }
      #expect(failures.map { $0.metadata["http.status"] } == ["404", "503"])
    }

    @Test func aThousandAtOnce() async {
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<1000 {
          let path = index % 10 == 0 ? "/status/404" : "/get"
          group.addTask {
            _ = await session.request(origin.baseURL + path).validate().serializingData().response
          }
        }
      }
      let lines = await lines()
      #expect(lines.filter { $0.message == "HTTP request" }.count == 1000)
      #expect(lines.filter { $0.message == "HTTP response" }.count == 1000)
      #expect(lines.filter { $0.message == "HTTP failure" }.count == 100)
      #expect(Set(lines.compactMap { $0.metadata["http.request_id"].map { "\($0)" } }).count == 1000)
      // Requests that are gone do not stay.
      #expect(monitor.recorder.count <= 100)
    }

    @Test func aSessionWithoutTheMonitorWritesNothing() async {
      let other = Session(configuration: .patientInMemory)
      #expect(other.eventMonitor.monitors.count == 1)
      _ = await other.request(origin.baseURL + "/status/404").validate().serializingData().response
      #expect(await lines().isEmpty && monitor.recorder.count == 0)
    }

    @Test func oneRequestCanHaveTheMonitor() async {
      let other = Session(configuration: .patientInMemory)
      _ = await other.request(origin.baseURL + "/get").eventMonitor(monitor).serializingData().response
      _ = await other.request(origin.baseURL + "/get").serializingData().response
      #expect(await lines().map(\.message) == ["HTTP request", "HTTP response"])
    }
  }
#endif
