// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetLocks
import BluebonnetSemantics
import BluebonnetURLLoading

/// Server-sent events that go on after the connection has been lost (WHATWG HTML §9.2): each new request says with
/// `Last-Event-ID` where the one before has got to.
///
///     first ─▶ open ─▶ events … ─▶ the stream ends, or breaks off ─▶ wait ─▶ open
///               │                                                     └─ attempts used up ─▶ over
///               └─ 204 ─▶ over │ no 200, or no text/event-stream ─▶ error
///
/// Made by ``Session/eventSource(_:reconnecting:interceptor:)``. Each iteration has requests of its own. The reader sets the pace.
public struct EventSource: AsyncSequence, Sendable {
  /// One event.
  public typealias Element = ServerSentEvent

  /// Whether and when to connect again.
  public struct Reconnection: Sendable, Hashable {
    /// The number of attempts that may follow each other without an event between them; 10 by default.
    public var attemptLimit: Int
    /// Seconds between the end of a stream and the next request, until the server names a time with `retry`; 3 by default.
    public var delay: TimeInterval
    /// Seconds that are waited at most, whatever the server says; 60 by default.
    public var delayLimit: TimeInterval
    /// Seconds that are waited at least where the server names a time; 0.1 by default. A server that says 0 and ends each
    /// stream would have its clients knock without a pause.
    public var delayFloor: TimeInterval

    /// Connects again.
    ///
    /// - Parameters:
    ///   - attemptLimit: How many attempts may follow each other without an event between them; 10 by default.
    ///   - delay: Seconds before the next request, until the server names a time; 3 by default.
    ///   - delayLimit: Seconds that are waited at most; 60 by default.
    ///   - delayFloor: Seconds that are waited at least where the server names a time; 0.1 by default.
    public init(
      attemptLimit: Int = 10, delay: TimeInterval = 3, delayLimit: TimeInterval = 60,
      delayFloor: TimeInterval = 0.1
    ) {
      (self.attemptLimit, self.delay) = (attemptLimit, delay)
      (self.delayLimit, self.delayFloor) = (delayLimit, delayFloor)
    }

    /// The sequence ends with the first stream.
    public static let never = Reconnection(attemptLimit: 0)

    /// - Parameter time: Milliseconds that the server wants.
    func pause(wanted time: Int?) -> Duration {
      let usual = Reconnection()
      let seconds =
        time.map { Swift.max(Double($0) / 1000, Self.countable(delayFloor, else: usual.delayFloor)) }
        ?? Self.countable(delay, else: usual.delay)
      return .seconds(Swift.min(seconds, Self.countable(delayLimit, else: usual.delayLimit)))
    }

    /// The range of a clock: 30 years at most. NaN is taken for the default.
    private static func countable(_ seconds: TimeInterval, else usual: TimeInterval) -> TimeInterval {
      seconds.isNaN ? usual : Swift.min(Swift.max(0, seconds), 1e9)
    }
  }

  let session: Session
  let convertible: any URLRequestConvertible
  let reconnection: Reconnection
  let interceptor: (any RequestInterceptor)?

  /// Connects when the first event is asked for.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: self) }

  /// Reads event after event, over as many connections as it takes.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private typealias Frames = DataStreamTask.Stream<ServerSentEvent, AFError>

    private let source: EventSource
    private let progress = EventSourceProgress()
    private var frames: Frames.AsyncIterator?
    private var attempts = 0
    private var isFirst = true
    private var isOver = false

    fileprivate init(source: EventSource) { self.source = source }

    /// The next event; `nil` when the server has ended the stream for good, or there is no further attempt.
    ///
    /// - Throws: An ``AFError``: for an answer that is no event stream, for a stream that breaks a limit, where the last attempt
    ///   broke off, and ``AFError/explicitlyCancelled`` if the Swift task is cancelled.
    public mutating func next() async throws -> ServerSentEvent? {
      while !isOver {
        if frames == nil { try await connect() }
        guard let stream = await frames?.next() else {
          frames = nil
          isOver = true
          throw AFError.explicitlyCancelled
        }
        switch stream.event {
        case .stream(.success(let event)):
          attempts = 0
          return event
        case .stream(.failure(let error)): try end(with: error)
        case .complete(let completion):
          frames = nil
          try settle(completion.error)
        }
      }
      return nil
    }

    private mutating func connect() async throws {
      if !isFirst {
        do {
          try await Task.sleep(for: source.reconnection.pause(wanted: progress.state.reconnectionTime))
        } catch {
          isOver = true
          throw AFError.explicitlyCancelled
        }
      }
      isFirst = false
      progress.begin()
      let request = source.session.streamRequest(
        EventStreamRequest(base: source.convertible, progress: progress), interceptor: source.interceptor,
        // There is no other reference that could start it.
        shouldAutomaticallyResume: true)
      request.onHTTPResponse(on: DispatchQueue(label: "bluebonnet.events")) { [progress] response, answer in
        answer(progress.judge(response) ? .allow : .cancel)
      }
      frames = request.streamTask().streamingFrames(TrackedFraming(progress: progress)).makeAsyncIterator()
    }

    /// A stream is over.
    private mutating func settle(_ error: AFError?) throws {
      let state = progress.state
      if let refusal = state.refusal { try end(with: refusal) }
      if state.isEnded {
        isOver = true
        return
      }
      if let error, !error.isWorthReconnecting { try end(with: error) }
      guard attempts < source.reconnection.attemptLimit else {
        isOver = true
        if let error { throw error }
        return
      }
      attempts += 1
    }

    private mutating func end(with error: AFError) throws {
      isOver = true
      frames = nil
      throw error
    }
  }
}

extension Session {
  /// Server-sent events that go on after the connection has been lost.
  ///
  ///     for try await event in AF.eventSource(URLRequest(url: url)) { print(event.data) }
  ///
  /// `Accept` and `Cache-Control` are set unless the request states its own. A stream that is silent for longer than the
  /// request's time-out is connected again.
  ///
  /// - Parameters:
  ///   - convertible: Makes the `URLRequest` of each connection.
  ///   - reconnection: Whether and when to connect again; 10 attempts without an event between them by default.
  ///   - interceptor: Adapts and retries the requests, after the session's; `nil` by default.
  /// - Returns: The events.
  public func eventSource(
    _ convertible: any URLRequestConvertible, reconnecting reconnection: EventSource.Reconnection = .init(),
    interceptor: (any RequestInterceptor)? = nil
  ) -> EventSource {
    EventSource(
      session: self, convertible: convertible, reconnection: reconnection, interceptor: interceptor)
  }
}

/// The state that one connection leaves for the next one.
final class EventSourceProgress: Sendable {
  struct State: Sendable {
    var lastEventID = ""
    var reconnectionTime: Int?
    /// The server wants no further connection: 204.
    var isEnded = false
    /// The answer is no event stream.
    var refusal: AFError?
  }

  private let locked = Locked(State())

  var state: State { locked.withLock { $0 } }

  func begin() {
    locked.withLock { ($0.isEnded, $0.refusal) = (false, nil) }
  }

  func note(_ framing: ServerSentEventFraming) {
    locked.withLock { state in
      state.lastEventID = framing.lastEventID
      if let time = framing.reconnectionTime { state.reconnectionTime = time }
    }
  }

  /// Whether the response is an event stream.
  func judge(_ response: HTTPURLResponse) -> Bool {
    locked.withLock { state in
      if response.statusCode == 204 {
        state.isEnded = true
      } else if response.statusCode != 200 {
        state.refusal = .responseValidationFailed(reason: .unacceptableStatusCode(code: response.statusCode))
      } else if response.mimeType != "text/event-stream" {
        let type = response.mimeType
        state.refusal = .responseValidationFailed(
          reason: type.map {
            .unacceptableContentType(acceptableContentTypes: ["text/event-stream"], responseContentType: $0)
          } ?? .missingContentType(acceptableContentTypes: ["text/event-stream"]))
      } else {
        return true
      }
      return false
    }
  }
}

/// Tells how far the stream has come, also where no event says so.
private struct TrackedFraming: DataStreamFraming {
  private var framing: ServerSentEventFraming
  private let progress: EventSourceProgress

  init(progress: EventSourceProgress) {
    self.progress = progress
    framing = ServerSentEventFraming(lastEventID: progress.state.lastEventID)
  }

  mutating func append(
    _ data: Data, _ take: (Result<ServerSentEvent, AFError>) -> Void
  ) throws(AFError) {
    defer { progress.note(framing) }
    try framing.append(data, take)
  }
}

/// The request of each connection.
private struct EventStreamRequest: URLRequestConvertible {
  let base: any URLRequestConvertible
  let progress: EventSourceProgress

  func asURLRequest() throws -> URLRequest {
    var request = try base.asURLRequest()
    if request.headers["Accept"] == nil { request.headers["Accept"] = "text/event-stream" }
    if request.headers["Cache-Control"] == nil { request.headers["Cache-Control"] = "no-store" }
    let id = progress.state.lastEventID
    // What the server has sent may not be sendable.
    if !id.isEmpty, !id.utf8.contains(where: Byte.isForbiddenInValue) {
      request.headers["Last-Event-ID"] = id
    }
    return request
  }
}

extension AFError {
  /// Another connection may do better.
  fileprivate var isWorthReconnecting: Bool {
    guard let failure = underlyingError as? URLError, isSessionTaskError else { return false }
    return [
      .networkConnectionLost, .timedOut, .cannotConnectToHost, .notConnectedToInternet, .dnsLookupFailed,
      .cannotFindHost,
    ].contains(failure.code)
  }
}
