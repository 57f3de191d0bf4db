// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetOrigin
import BluebonnetTLS
import BluebonnetTestSupport
import BluebonnetTransport
import BluebonnetLocks
import Testing

/// Takes part in one exchange and remembers what it heard.
final class ExchangeProbe: ExchangeClient, Sendable {
  struct Record: Sendable {
    var status: Int?
    var body: [UInt8] = []
    var isComplete = false
    /// Body bytes of the request, as far as the exchange has told of them.
    var sent = 0
    var error: TransportError?
    /// Answers the question whether the server is to be trusted.
    var decision: (@Sendable (TrustDecision) -> Void)?
    /// How often it was asked.
    var questions = 0
  }

  private let state = Locked(Record())
  /// Whether the body is held back from the head on.
  private let pauses: Bool
  private let whenEnded: @Sendable () -> Void
  private let asked: (any AnyObject & Sendable)?

  /// - Parameter evaluator: On whose behalf servers are evaluated.
  init(
    pauses: Bool = false, evaluator: (any AnyObject & Sendable)? = nil,
    whenEnded: @escaping @Sendable () -> Void = {}
  ) {
    self.pauses = pauses
    asked = evaluator
    self.whenEnded = whenEnded
  }

  var record: Record { state.withLock { $0 } }
  var trustEvaluator: AnyObject? { asked }

  /// A request without a body for `path`, and an exchange for it in `pool`. The loop must be held.
  func exchange(with origin: Origin, path: String, in pool: ConnectionPool) -> RequestDriver {
    let request: ExchangeRequest =
      origin.authority == nil ? .plain(to: origin.port, path: path) : .secure(to: origin.port, path: path)
    return RequestDriver(request, in: pool, client: self)
  }

  /// Waits for the question whether the server is to be trusted, and says yes.
  func acceptServer(sourceLocation: SourceLocation = #_sourceLocation) async {
    await Eventually.expect("the server is to be evaluated", sourceLocation: sourceLocation) {
      self.record.decision != nil
    }
    record.decision?(.accept)
  }

  func exchange(_ exchange: RequestDriver, didReceive head: ResponseHead, bodyLength: Int?) {
    state.withLock { $0.status = head.status }
    if pauses { exchange.hold(.caller) }
  }

  func exchange(_ exchange: RequestDriver, didReceiveBody bytes: UnsafeRawBufferPointer) {
    state.withLock { $0.body += bytes }
  }

  func exchange(_ exchange: RequestDriver, didSendBody count: Int) {
    state.withLock { $0.sent += count }
  }

  func exchange(
    _ exchange: RequestDriver, evaluate trust: ServerTrust, by evaluator: AnyObject?,
    decision: @escaping @Sendable (TrustDecision) -> Void
  ) {
    state.withLock {
      $0.decision = decision
      $0.questions += 1
    }
  }

  func exchange(_ exchange: RequestDriver, didFinishWith error: TransportError?) {
    state.withLock {
      $0.isComplete = true
      $0.error = error
    }
    whenEnded()
  }
}

extension ExchangeRequest {
  /// A request to this machine.
  static func plain(
    to port: UInt16, path: String = "/", body: RequestBody = .none, expectsContinue: Bool = false,
    timeouts: Timeouts = Timeouts()
  ) -> ExchangeRequest {
    var head = "GET \(path) HTTP/1.1\r\nHost: a\r\n"
    if case .source(let source) = body, let length = source.length {
      head = "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n"
    }
    if expectsContinue { head += "Expect: 100-continue\r\n" }
    return ExchangeRequest(
      route: Route(isSecure: false, host: "127.0.0.1", port: port), kind: .ordinary,
      head: Array((head + "\r\n").utf8), body: body, expectsContinue: expectsContinue, isIdempotent: true,
      timeouts: timeouts)
  }

  /// A request to this machine over TLS.
  static func secure(to port: UInt16, path: String = "/") -> ExchangeRequest {
    var request = plain(to: port, path: path)
    request.route = Route(isSecure: true, host: "localhost", port: port)
    return request
  }
}

extension ConnectionPool {
  /// On the process's loop.
  convenience init(configuration: Configuration) {
    self.init(configuration: configuration, loop: .shared)
  }
}

extension ConnectionPool.Configuration {
  /// The client of each exchange evaluates its server.
  static var evaluated: Self {
    var tls = TLSClientConfiguration()
    tls.verification = .manual
    var configuration = Self(tls: tls)
    // On a busy machine, a minute may pass between an exchange and a look at its connection.
    configuration.idleTimeout = 600_000_000_000
    return configuration
  }
}
