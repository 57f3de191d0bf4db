// SPDX-License-Identifier: MIT
#if Tracing
  import InMemoryTracing
  import Tracing

  /// Keeps spans in memory, and propagates their contexts as W3C's Trace Context says: in a field `traceparent`.
  struct TraceContextTracer: Tracer {
    let memory = InMemoryTracer(
      idGenerator: .init(
        nextTraceID: { TraceContextTracer.hex(16) }, nextSpanID: { TraceContextTracer.hex(8) }))

    private static func hex(_ bytes: Int) -> String {
      (0..<bytes).map { _ in
        let byte = String(UInt8.random(in: .min ... .max), radix: 16)
        return byte.count == 1 ? "0" + byte : byte
      }.joined()
    }

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
      guard let ids = context.inMemorySpanContext else { return }
      injector.inject("00-\(ids.traceID)-\(ids.spanID)-01", forKey: "traceparent", into: &carrier)
    }

    func extract<Carrier, Extract: Extractor>(
      _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {}
  }
#endif
