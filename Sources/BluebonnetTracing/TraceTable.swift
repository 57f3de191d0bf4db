// SPDX-License-Identifier: MIT
#if Tracing
  import Bluebonnet
  import BluebonnetAttempts
  import BluebonnetFoundation
  import Tracing

  /// The span of each request's present attempt.
  struct TraceTable: Sendable {
    private struct Trace: Sendable {
      /// The context that the caller named.
      var parent: ServiceContext?
      var span: (any Span)?
      /// Spans that were started so far.
      var attempts = 0
      /// Its request has finished: adapters that are still at it are late.
      var isOver = false
    }

    /// An adapter knows only a request's ID: an open span stays without the request.
    private var traces = RequestTable<Trace>(keeping: { $0.span != nil })

    var count: Int { traces.count }

    mutating func adopt(_ request: Request, in context: ServiceContext?) {
      traces.update(request, from: Trace()) { $0.parent = context }
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
      traces.update(id, nil, from: Trace()) { trace in
        defer { trace.span = span }
        trace.attempts += 1
        return trace.span
      }
    }

    func span(of request: Request) -> (any Span)? { traces[request.id]?.span }

    /// Takes the span of an attempt that is over.
    mutating func close(_ request: Request) -> (any Span)? {
      traces.update(request, from: Trace()) { trace in
        defer { trace.span = nil }
        return trace.span
      }
    }

    mutating func setOver(_ isOver: Bool, _ request: Request) {
      traces.update(request, from: Trace()) { $0.isOver = isOver }
    }
  }
#endif
