// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetSemantics
import BluebonnetTransport

/// One request to its response, through all redirects.
///
///     made ──start──▶ exchanging ──────────────────▶ finished
///       │               │   ▲ redirect                  ▲
///       │               ▼   │                           │
///       │             discarding (the redirect's body) ─┤
///       └──cancel──▶ cancelled ──start──────────────────┘
// Unchecked: everything that changes is touched only while the loop is held.
final class Call: @unchecked Sendable {
  enum Stage {
    /// The first request is known to be sendable.
    case made(ExchangeRequest)
    /// Before it began.
    case cancelled
    case exchanging(RequestDriver)
    /// The response is unwanted; its connection may be worth reading its rest.
    case discarding(RequestDriver, then: Hop)
    case finished
  }

  /// Kept until the end: it owns the connections.
  var client: HTTPClient?
  let loop: EventLoop
  var stage: Stage
  var hop: Hop
  var redirects: RedirectPolicy
  var receiver: (any CallReceiver)?
  /// Fires when the request as a whole has taken too long.
  private var totalTimer: TimerToken?
  var discardTimer: TimerToken?
  var discarded = 0

  /// - Throws: if the request must not be sent.
  init(_ request: HTTPClient.Request, of client: HTTPClient) throws(HTTPClientError) {
    let hop = try Hop(request)
    stage = .made(try client.heads.make(hop))
    self.hop = hop
    self.client = client
    loop = client.loop
    redirects = RedirectPolicy(limit: client.configuration.maximumRedirects)
  }

  // MARK: From any thread

  /// Sends the request.
  func start(for receiver: any CallReceiver) {
    loop.execute { [self] in
      self.receiver = receiver
      guard case .made(let request) = stage else { return fail(Self.cancellation(during: .preparing)) }
      setTotalTimer()
      exchange(request)
    }
  }

  /// Ends it; nothing happens if it has ended.
  func cancel() {
    loop.execute { [self] in
      switch stage {
      case .made: stage = .cancelled
      case .cancelled, .finished: break
      case .exchanging(let driver), .discarding(let driver, _):
        fail(Self.cancellation(during: driver.phase))
      }
    }
  }

  /// The receiver has room again.
  func flowAgain() {
    loop.execute { [self] in
      if case .exchanging(let driver) = stage { driver.release(.slowReader) }
    }
  }

  // MARK: In loop context

  func exchange(_ request: ExchangeRequest) {
    guard let client else { return }
    let driver = RequestDriver(request, in: client.pool, client: self)
    stage = .exchanging(driver)
    driver.start()
  }

  /// Ends the call, and its exchange.
  func fail(_ error: HTTPClientError) {
    let ended = stage
    finish(error)
    switch ended {
    case .exchanging(let driver), .discarding(let driver, _): driver.cancel()
    case .made, .cancelled, .finished: break
    }
  }

  /// The one way out.
  func finish(_ error: HTTPClientError?) {
    if case .finished = stage { return }
    stage = .finished
    // The owner of the response does not want the body.
    hop.body = .none
    if let timer = totalTimer.take() { loop.cancel(timer) }
    if let timer = discardTimer.take() { loop.cancel(timer) }
    receiver.take()?.end(error)
    // Behind this turn: it may be the last reference, and its end ends the loop.
    loop.enqueue { [client = client.take()] in _ = client }
  }

  private func setTotalTimer() {
    // It has been looked at when the client was made.
    guard let limit = client?.configuration.timeouts.total else { return }
    totalTimer = loop.schedule(at: loop.now.adding(limit)) { [self] in
      totalTimer = nil
      guard case .exchanging(let driver) = stage else {
        return fail(Self.lateness(limit, during: .redirecting))
      }
      fail(Self.lateness(limit, during: driver.phase))
    }
  }

  private static func lateness(_ limit: Duration, during phase: LoadingPhase) -> HTTPClientError {
    HTTPClientError(
      .timedOut, "all of it took too long, the limit is \(limit) (HTTPClient.Timeouts.total)",
      fault: phase.faultOfSilence, during: phase)
  }

  private static func cancellation(during phase: LoadingPhase) -> HTTPClientError {
    HTTPClientError(.cancelled, "it was cancelled", during: phase)
  }
}
