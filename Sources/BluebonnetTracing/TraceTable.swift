#if Tracing
  import Bluebonnet
  import BluebonnetFoundation
  import Tracing

  /// The span of each request's present attempt.
  struct TraceTable: Sendable {
    private struct Trace: Sendable {
      weak var request: Request?
      /// The context that the caller named.
      var parent: ServiceContext?
      var span: (any Span)?
      /// Spans that were started so far.
      var attempts = 0
      /// The first error of the attempt.
      var error: AFError?
      /// Its request has finished: adapters that are still at it are late.
      var isOver = false

      var isSpent: Bool { span == nil && request == nil }
    }

    private var traces: [UUID: Trace] = [:]
    /// The number of traces at which those of requests that are gone are dropped.
    private var limit = Self.smallestLimit
    private static var smallestLimit: Int { 64 }

    var count: Int { traces.count }

    private mutating func update<Result>(
      _ id: UUID, _ request: Request?, _ change: (inout Trace) -> Result
    ) -> Result {
      if traces[id] == nil { makeRoom() }
      var trace = traces[id] ?? Trace()
      if let request { trace.request = request }
      let result = change(&trace)
      traces[id] = trace
      return result
    }

    private mutating func makeRoom() {
      guard traces.count >= limit else { return }
      traces = traces.filter { !$0.value.isSpent }
      limit = max(Self.smallestLimit, 2 * traces.count)
    }

    mutating func adopt(_ request: Request, in context: ServiceContext?) {
      update(request.id, request) { $0.parent = context }
    }

    /// The start of an attempt: its number, from 0, and the caller's context. Nil if no event would end its span.
    func start(_ id: UUID, isHeard: Bool) -> (number: Int, parent: ServiceContext?)? {
      guard let trace = traces[id] else { return isHeard ? (0, nil) : nil }
      return trace.isOver ? nil : (trace.attempts, trace.parent)
    }

    /// Keeps a span until its attempt has ended.
    ///
    /// - Returns: An earlier one of the same request.
    mutating func open(_ span: any Span, _ id: UUID) -> (any Span)? {
      update(id, nil) { trace in
        defer { trace.span = span }
        trace.attempts += 1
        return trace.span
      }
    }

    func span(of request: Request) -> (any Span)? { traces[request.id]?.span }

    mutating func note(_ error: AFError, of request: Request) {
      update(request.id, request) { $0.error = $0.error ?? error }
    }

    /// Takes the span of an attempt that is over, and its error.
    mutating func close(_ request: Request) -> (span: any Span, error: AFError?)? {
      update(request.id, request) { trace in
        defer { (trace.span, trace.error) = (nil, nil) }
        return trace.span.map { ($0, trace.error) }
      }
    }

    mutating func setOver(_ isOver: Bool, _ request: Request) {
      update(request.id, request) { $0.isOver = isOver }
    }
  }
#endif
