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

  /// Fields and values that the caller, the server or a stranger's baggage has chosen.
  @Suite struct HostileValuesTests {
    private let origin = Origin.inMemory()

    private func session(_ tracing: TracingInterceptor) -> Session {
      Session(configuration: .patientInMemory, interceptor: tracing, eventMonitors: [tracing])
    }

    /// The server is told of the span that there is.
    @Test func theCallersOwnFieldIsReplaced() async throws {
      let tracer = TraceContextTracer()
      let tracing = TracingInterceptor(tracer: tracer)
      let own = "00-11111111111111111111111111111111-2222222222222222-01"
      let session = session(tracing)
      _ = await session.request(
        origin.baseURL + "/get", headers: ["TraceParent": own, "tracestate": "a=b"]
      ).serializingData().response
      await tracing.heardAll()
      let span = try #require(tracer.memory.finishedSpans.first)
      #expect(origin.requests.map { $0.values("traceparent") } == [["00-\(span.traceID)-\(span.spanID)-01"]])
      // A field of which the tracer knows nothing stays.
      #expect(origin.requests.map { $0.values("tracestate") } == [["a=b"]])
      #expect(span.parentSpanID == nil)
    }

    @Test func fieldsOfTheResponseAreNotRead() async throws {
      let tracer = TraceContextTracer()
      let tracing = TracingInterceptor(tracer: tracer)
      let evil = "00-66666666666666666666666666666666-7777777777777777-01"
      origin.script(
        "/evil",
        .response(
          fields: [("traceparent", evil), ("baggage", "s3cret=1"), ("tracestate", "evil=1")], body: "x".utf8))
      let session = session(tracing)
      for path in ["/evil", "/get"] {
        _ = await session.request(origin.baseURL + path).serializingData().response
      }
      await tracing.heardAll()
      let spans = tracer.memory.finishedSpans
      #expect(spans.count == 2 && Set(spans.map(\.traceID)).count == 2)
      #expect(!spans.map(\.everything).joined().contains("evil=1"))
      #expect(!spans.contains { $0.traceID.hasPrefix("666666") || $0.everything.contains("s3cret") })
      #expect(!origin.requests.contains { $0.value("traceparent") == evil })
    }

    @Test(arguments: [
      ("baggage", "a=b\r\nAuthorization: evil"), ("baggage", "a\nb"), ("baggage", "a\0b"),
      ("baggage", "\u{1B}[2J"),
      ("bag gage", "a"), ("baggage:", "a"), ("", "a"), ("b\r\nEvil", "a"),
      ("baggage", String(repeating: "a", count: 9_000)),
    ])
    func fieldsThatCannotBeSentAreLeftOut(name: String, value: String) async {
      let tracer = BaggageTracer(fields: [(name, value), ("x-good", "1")])
      let tracing = TracingInterceptor(tracer: tracer)
      let session = session(tracing)
      let response = await session.request(origin.baseURL + "/get").serializingData().response
      await tracing.heardAll()
      #expect(response.error == nil)
      #expect(origin.requests.map { $0.value("x-good") } == ["1"])
      #expect(origin.requests.allSatisfy { $0.values("baggage").isEmpty && $0.values("Evil").isEmpty })
      #expect(origin.requests.allSatisfy { $0.value("Authorization") == nil })
      #expect(tracer.memory.finishedSpans.count == 1 && tracer.memory.activeSpans.isEmpty)
    }

    @Test func methodsAndErrors() async throws {
      struct Odd: Error, LocalizedError {
        var errorDescription: String? { "a\r\n\u{1B}[2J" + String(repeating: "b", count: 100_000) }
      }
      let tracer = TraceContextTracer()
      let tracing = TracingInterceptor(tracer: tracer)
      let session = session(tracing)
      for method in ["GET\r\nX: y", "\u{1B}[2J", String(repeating: "M", count: 9_999)] {
        var request = URLRequest(url: try #require(URL(string: origin.baseURL + "/get")))
        request.httpMethod = method
        _ = await session.request(request).serializingData().response
      }
      _ = await session.request(origin.baseURL + "/get").validate { _, _, _ in .failure(Odd()) }
        .serializingData()
        .response
      await tracing.heardAll()
      let spans = tracer.memory.finishedSpans
      #expect(spans.count == 4 && spans.prefix(3).allSatisfy { $0.operationName == "HTTP" })
      for span in spans {
        let texts = [span.status?.message, span.text("http.request.method_original"), span.text("url.full")]
        for text in texts.compactMap({ $0 }) {
          #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, "\(text)")
          #expect(text.utf8.count < 4_200)
        }
      }
    }

    @Test func aThousandAtOnceOfWhichSomeAreCancelled() async {
      let tracer = TraceContextTracer()
      let tracing = TracingInterceptor(tracer: tracer)
      let session = session(tracing)
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<1000 {
          group.addTask { [origin] in
            let path = index % 2 == 0 ? "/status/404" : "/get"
            let request = session.request(origin.baseURL + path).traced(by: tracing, in: .topLevel).validate()
            let response = request.serializingData()
            if index % 5 == 0 { request.cancel() }
            _ = await response.response
          }
        }
      }
      await tracing.heardAll()
      let spans = tracer.memory.finishedSpans
      #expect(tracer.memory.activeSpans.isEmpty && Set(spans.map(\.spanID)).count == spans.count)
      // The notes of requests that are gone go when others come.
      for _ in 0..<200 { _ = await session.request(origin.baseURL + "/get").serializingData().response }
      await tracing.heardAll()
      #expect(tracing.traces.withLock { $0.count } <= 2_048)
      #expect(tracing.recorder.count <= 2_048)
    }

    @Test func nothingIsLeft() async {
      let tracing = TracingInterceptor(tracer: TraceContextTracer())
      let session = session(tracing)
      for _ in 0..<1000 {
        _ = await session.request(origin.baseURL + "/status/404").validate().serializingData().response
      }
      await tracing.heardAll()
      #expect(tracing.traces.withLock { $0.count } <= 64 && tracing.recorder.count <= 64)
    }
  }

  /// Injects what it has been given, as a tracer does with baggage.
  private struct BaggageTracer: Tracer {
    let memory = InMemoryTracer()
    let fields: [(String, String)]

    func startSpan<Instant: TracerInstant>(
      _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
      at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> InMemorySpan {
      memory.startSpan(
        operationName, context: context(), ofKind: kind, at: instant(), function: function, file: fileID,
        line: line)
    }

    func forceFlush() {}

    func inject<Carrier, Inject: Injector>(
      _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
      for (name, value) in fields { injector.inject(value, forKey: name, into: &carrier) }
    }

    func extract<Carrier, Extract: Extractor>(
      _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {}
  }
#endif
