// SPDX-License-Identifier: MIT
#if Tracing
  import Bluebonnet
  import BluebonnetAttempts
  import BluebonnetFoundation
  import BluebonnetLocks
  import Tracing

  /// Makes a client span for each attempt of a request, with swift-distributed-tracing, and sends its context to the server.
  ///
  /// It is an interceptor, which starts the span and sets the fields that the tracer injects, and a monitor, which ends the
  /// span. A session takes it as both:
  ///
  /// ```swift
  /// let tracing = TracingInterceptor()
  /// let session = Session(interceptor: tracing, eventMonitors: [tracing])
  /// let response = await session.request("https://example.org/").traced(by: tracing).serializingData().response
  /// ```
  ///
  /// `Request.traced(by:in:)` hands over the caller's context: an interceptor runs on a queue, where it is not to be
  /// seen. Without that call the span begins a trace of its own. As an interceptor alone it starts no span, since nothing would end
  /// it.
  ///
  /// The span has the name and the attributes of OpenTelemetry's conventions for HTTP clients: `http.request.method`, `url.full`,
  /// `server.address`, `server.port`, `http.request.resend_count` from the second attempt on, `http.response.status_code`, and
  /// `error.type`: the status from 400 on, or the kind of failure in a word. Redirects and challenges belong to the attempt's span.
  /// `url.full` is without user information and fragment, with `?…` in place of the query. A span that failed has the
  /// error's sentence as the message of its status. Control characters in these texts are written as `\u{…}`. The span ends when the attempt is over, before serializers run; once, also if
  /// the request is cancelled.
  ///
  /// The tracer's fields replace the caller's of the same name. One that cannot be sent, because its name is no token, or its value has a
  /// control character or more than 8,192 bytes, is left out: baggage may come from strangers, and must not make requests fail.
  ///
  /// Other adapters should come before it: one behind it that answers late is part of the span's time.
  public final class TracingInterceptor: RequestInterceptor, AttemptMonitor {
    /// The queue on which the events are delivered, and spans started: a serial one of the interceptor's own.
    public let queue = DispatchQueue(label: "bluebonnet.tracing")
    private let tracer: (any Tracer)?
    /// The failures of attempts, until their spans end.
    public let recorder = AttemptRecorder()
    let traces = Locked(TraceTable())

    /// Makes an interceptor.
    ///
    /// - Parameter tracer: Makes the spans and injects their contexts; by default the `InstrumentationSystem`'s tracer does the one,
    ///   and all of its instruments the other.
    public init(tracer: (any Tracer)? = nil) {
      self.tracer = tracer
    }

    /// Starts the span of an attempt, and sets the fields that tell the server of it.
    @preconcurrency
    public func adapt(
      _ urlRequest: URLRequest, using state: RequestAdapterState,
      completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) {
      let id = state.requestID
      let isHeard = state.session.eventMonitor.monitors.contains { $0 as? TracingInterceptor === self }
      // Behind the events that came before: one of them may be the request's end.
      queue.async {
        var urlRequest = urlRequest
        self.start(&urlRequest, of: id, isHeard: isHeard)
        completion(.success(urlRequest))
      }
    }

    private func start(_ urlRequest: inout URLRequest, of id: UUID, isHeard: Bool) {
      guard let attempt = traces.withLock({ $0.start(id, isHeard: isHeard) }) else { return }
      let tracer = tracer ?? InstrumentationSystem.tracer
      let span: any Span = tracer.startSpan(
        HTTPMethod.known(urlRequest.httpMethod) ?? "HTTP", context: attempt.parent ?? .topLevel,
        ofKind: .client)
      span.describe(urlRequest)
      if attempt.number > 0 { span.attributes["http.request.resend_count"] = attempt.number }
      traces.withLock { $0.open(span, id) }?.end()
      if let own = self.tracer {
        own.inject(span.context, into: &urlRequest, using: FieldInjector())
      } else {
        InstrumentationSystem.instrument.inject(span.context, into: &urlRequest, using: FieldInjector())
      }
    }

    /// Ends the span of an attempt, if it has not been ended.
    func end(_ request: Request, status: Int?, error: AFError?) {
      let error = recorder.takeError(of: request) ?? error
      guard let span = traces.withLock({ $0.close(request) }) else { return }
      if let status { span.attributes["http.response.status_code"] = status }
      if let type = Self.errorType(status: status, error) {
        span.attributes["error.type"] = type
        span.setStatus(SpanStatus(code: .error, message: error?.description.escaped(limit: 4_000)))
      }
      span.end()
    }

    private static func errorType(status: Int?, _ error: AFError?) -> String? {
      if let status, status >= 400 { return "\(status)" }
      return error?.refusedStatus.map { "\($0)" } ?? error?.kind
    }
  }

  extension TracingInterceptor {
    /// Describes the request as later adapters have left it.
    public func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) {
      traces.withLock { $0.span(of: request) }?.describe(urlRequest)
    }

    /// Ends the span of an attempt that is over.
    public func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
      end(request, status: (task.response as? HTTPURLResponse)?.statusCode, error: error)
    }

    /// Ends the span of an attempt that another adapter has ended.
    public func request(
      _ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError
    ) {
      end(request, status: nil, error: error)
    }

    /// Ends the span of an attempt without a body to send.
    public func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError) {
      end(request, status: nil, error: error)
    }

    /// Lets another span begin.
    public func requestIsRetrying(_ request: Request) {
      end(request, status: nil, error: nil)
      traces.withLock { $0.setOver(false, request) }
    }

    /// Ends the span of a request that has got no task.
    public func requestDidFinish(_ request: Request) {
      traces.withLock { $0.setOver(true, request) }
      end(request, status: nil, error: request.error)
    }
  }
#endif
