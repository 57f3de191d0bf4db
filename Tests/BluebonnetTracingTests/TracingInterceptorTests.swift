// SPDX-License-Identifier: MIT
#if Tracing
  import Bluebonnet
  import BluebonnetFoundation
  import BluebonnetLocks
  import BluebonnetOrigin
  import BluebonnetTestNetwork
  import BluebonnetTestSupport
  @testable import BluebonnetTracing
  import InMemoryTracing
  import Testing
  import Tracing

  @Suite struct TracingInterceptorTests {
    private let origin = Origin.inMemory()
    private let tracer = TraceContextTracer()
    private let tracing: TracingInterceptor
    private let session: Session

    init() {
      tracing = TracingInterceptor(tracer: tracer)
      session = Session(configuration: .patientInMemory, interceptor: tracing, eventMonitors: [tracing])
    }

    /// The spans that were ended; none is open.
    private func spans(sourceLocation: SourceLocation = #_sourceLocation) async -> [FinishedInMemorySpan] {
      await tracing.heardAll()
      #expect(tracer.memory.activeSpans.isEmpty, sourceLocation: sourceLocation)
      return tracer.memory.finishedSpans
    }

    private func retrying(_ limit: Int) -> Interceptor {
      Interceptor(retriers: [
        Retrier { request, _, _, completion in
          completion(request.retryCount < limit ? .retry : .doNotRetry)
        }
      ])
    }

    @Test func success() async throws {
      _ = await session.request(origin.baseURL + "/get").serializingData().response
      let spans = await spans()
      let url = try #require(URL(string: origin.baseURL))
      let span = try #require(spans.first)
      #expect(spans.count == 1 && span.operationName == "GET" && span.kind == .client)
      #expect(span.text("http.request.method") == "GET")
      #expect(span.text("url.full") == origin.baseURL + "/get")
      #expect(span.text("server.address") == url.host)
      #expect(span.number("server.port") == url.port.map(Int64.init))
      #expect(span.number("http.response.status_code") == 200)
      #expect(span.number("http.request.resend_count") == nil && span.text("error.type") == nil)
      #expect(span.status == nil && span.parentSpanID == nil)
      #expect(origin.requests.map { $0.values("traceparent") } == [["00-\(span.traceID)-\(span.spanID)-01"]])
    }

    @Test func theCallersSpanIsTheParent() async throws {
      let parent = tracer.startSpan("caller", context: .topLevel)
      await ServiceContext.$current.withValue(parent.context) {
        _ = await session.request(origin.baseURL + "/get").traced(by: tracing).serializingData().response
      }
      parent.end()
      // The caller's may end first.
      let span = try #require(await spans().first { $0.kind == .client })
      #expect(span.parentSpanID == parent.spanID && span.traceID == parent.traceID)
    }

    @Test func oneRequestCanBeTraced() async throws {
      let other = Session(configuration: .patientInMemory)
      let parent = tracer.startSpan("caller", context: .topLevel)
      _ = await other.request(origin.baseURL + "/get").traced(by: tracing, in: parent.context)
        .serializingData().response
      _ = await other.request(origin.baseURL + "/get").serializingData().response
      parent.end()
      let spans = await spans()
      #expect(spans.count == 2 && spans.contains { $0.kind == .client && $0.parentSpanID == parent.spanID })
      #expect(origin.requests.map { $0.values("traceparent").count } == [1, 0])
    }

    @Test func asAnInterceptorAloneItStartsNothing() async {
      let other = Session(configuration: .patientInMemory, interceptor: tracing)
      _ = await other.request(origin.baseURL + "/get").serializingData().response
      #expect(await spans().isEmpty)
      #expect(origin.requests.map { $0.values("traceparent").count } == [0])
    }

    @Test func aSessionWithoutItDoesNothing() async {
      let other = Session(configuration: .patientInMemory)
      #expect(other.eventMonitor.monitors.count == 1 && other.interceptor == nil)
      _ = await other.request(origin.baseURL + "/get").serializingData().response
      #expect(await spans().isEmpty)
      #expect(origin.requests.map { $0.values("traceparent").count } == [0])
      #expect(tracing.traces.withLock { $0.count } == 0)
    }

    @Test func failureOfTheTransport() async throws {
      let port = try ClosedPort()
      _ = await session.request("http://127.0.0.1:\(port.number)/").serializingData().response
      let span = try #require(await spans().first)
      #expect(span.text("error.type") == "connect" && span.status?.code == .error)
      #expect(span.number("http.response.status_code") == nil)
    }

    @Test func statusesAndValidators() async {
      _ = await session.request(origin.baseURL + "/status/404").serializingData().response
      _ = await session.request(origin.baseURL + "/status/503").validate().serializingData().response
      _ = await session.request(origin.baseURL + "/xml").validate(contentType: ["text/plain"])
        .serializingData().response
      let spans = await spans()
      #expect(spans.map { $0.text("error.type") } == ["404", "503", "validation"])
      #expect(spans.map { $0.number("http.response.status_code") } == [404, 503, 200])
      #expect(spans.allSatisfy { $0.status?.code == .error })
    }

    @Test func oneSpanForEachAttempt() async {
      origin.script("/get", .response(status: 500), .response(status: 502), .endpoint)
      _ = await session.request(origin.baseURL + "/get", interceptor: retrying(5)).validate()
        .serializingData().response
      let spans = await spans()
      #expect(spans.map { $0.number("http.request.resend_count") } == [nil, 1, 2])
      #expect(spans.map { $0.text("error.type") } == ["500", "502", nil])
      #expect(
        origin.requests.map { $0.value("traceparent") } == spans.map { "00-\($0.traceID)-\($0.spanID)-01" })
    }

    @Test func aSerializersFailureIsRetried() async {
      origin.script("/get", .response(body: "no list".utf8), .response(body: "[1]".utf8))
      let response = await session.request(origin.baseURL + "/get", interceptor: retrying(1))
        .serializingDecodable([Int].self).response
      #expect(response.value == [1])
      #expect(await spans().map { $0.number("http.request.resend_count") } == [nil, 1])
    }

    @Test func redirectsBelongToTheAttempt() async {
      _ = await session.request(origin.baseURL + "/redirect/2").serializingData().response
      let spans = await spans()
      #expect(spans.count == 1 && spans.first?.number("http.response.status_code") == 200)
      #expect(origin.requests.count == 3)
    }

    @Test func cancellationEndsTheSpan() async {
      origin.script("/get", .silence)
      let request = session.request(origin.baseURL + "/get")
      let response = request.serializingData()
      request.resume()
      await Eventually.expect("it is sent") { origin.requests.count == 1 }
      request.cancel()
      _ = await response.response
      let spans = await spans()
      #expect(spans.count == 1 && spans.first?.text("error.type") == "cancelled")
    }

    @Test func cancellingBehindTheAdapterEndsTheSpan() async {
      let asked = Signal()
      let waiting = Adapter { _, _, _ in asked.raise() }
      let request = session.request(origin.baseURL + "/get", interceptor: Interceptor(adapters: [waiting]))
      let response = request.serializingData()
      request.resume()
      await Eventually.expect("the adapter is asked") { asked.wait(seconds: 0) }
      request.cancel()
      _ = await response.response
      let spans = await spans()
      #expect(spans.count == 1 && spans.first?.text("error.type") == "cancelled")
    }

    @Test func aLateAdapterStartsNoSpan() async {
      // The adapter before this one answers when the request is over.
      let answers = Locked<[@Sendable () -> Void]>([])
      let late = Adapter { request, _, completion in
        answers.withLock { $0.append { completion(.success(request)) } }
      }
      let session = Session(
        configuration: .patientInMemory,
        interceptor: Interceptor(adapters: [late], interceptors: [tracing]), eventMonitors: [tracing])
      let request = session.request(origin.baseURL + "/get")
      let response = request.serializingData()
      request.resume()
      await Eventually.expect("the adapter is asked") { !answers.withLock { $0.isEmpty } }
      request.cancel()
      _ = await response.response
      await tracing.heardAll()
      for answer in answers.withLock({ $0 }) { answer() }
      #expect(await spans().isEmpty)
    }

    @Test func cancellingAtAnyMoment() async {
      await withTaskGroup(of: Void.self) { group in
        for round in 0..<300 {
          group.addTask {
            let request = session.request(origin.baseURL + "/get")
            let response = request.serializingData()
            request.resume()
            for _ in 0..<round { await Task.yield() }
            request.cancel()
            _ = await response.response
          }
        }
      }
      let spans = await spans()
      #expect(spans.count <= 300 && Set(spans.map(\.spanID)).count == spans.count)
    }

    @Test func anotherAdaptersFailureEndsTheSpan() async {
      let refusing = Adapter { _, _, completion in completion(.failure(URLError(.dataNotAllowed))) }
      let interceptor = Interceptor(adapters: [refusing])
      _ = await session.request(origin.baseURL + "/get", interceptor: interceptor).serializingData().response
      #expect(await spans().map { $0.text("error.type") } == ["adapter"])
    }

    @Test func uploadsWithoutABodyEndTheSpan() async {
      _ = await session.upload(URL(filePath: "/no/such/file"), to: origin.baseURL + "/post").serializingData()
        .response
      let spans = await spans()
      #expect(spans.count == 1 && spans.first?.status?.code == .error)
    }

    @Test func otherAdaptersChangesAreDescribed() async {
      let other = origin.baseURL + "/ip"
      let moving = Adapter { request, _, completion in
        var request = request
        request.url = URL(string: other)
        completion(.success(request))
      }
      let interceptor = Interceptor(adapters: [moving])
      _ = await session.request(origin.baseURL + "/get", interceptor: interceptor).serializingData().response
      #expect(await spans().map { $0.text("url.full") } == [other])
    }

    @Test func aThousandAtOnce() async {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<1000 {
          group.addTask { _ = await session.request(origin.baseURL + "/get").serializingData().response }
        }
      }
      let spans = await spans()
      #expect(spans.count == 1000 && Set(spans.map(\.traceID)).count == 1000)
      #expect(Set(origin.requests.compactMap { $0.value("traceparent") }).count == 1000)
    }

    @Test func noSecretIsRecorded() async throws {
      let address = origin.baseURL.replacing("http://", with: "http://me:s3cret@")
      let headers: HTTPHeaders = ["Authorization": "Bearer s3cret", "Cookie": "id=s3cret"]
      origin.script(
        "/there", .response(status: 302, fields: [("Location", "\(address)/get?token=s3cret#s3cret")]))
      for path in ["/get", "/there", "/status/404"] {
        _ = await session.request(address + path + "?token=s3cret#s3cret", headers: headers).validate()
          .serializingData().response
      }
      let port = try ClosedPort()
      _ = await session.request("http://me:s3cret@127.0.0.1:\(port.number)/?token=s3cret").serializingData()
        .response
      #expect(origin.requests.contains { $0.value("Authorization") == "Bearer s3cret" })
      let spans = await spans()
      let text = spans.map(\.everything).joined(separator: "\n")
      #expect(spans.count == 4 && text.contains("?…"))
      #expect(!text.contains("s3cret"), "\(text)")
    }
  }
#endif
