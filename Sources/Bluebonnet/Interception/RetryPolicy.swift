// SPDX-License-Identifier: MIT
import BluebonnetFoundation

// @unchecked: open, with immutable Sendable properties of its own.
/// Tries requests again, with growing pauses, where that does no harm: those with idempotent
/// methods that failed in a way that may pass.
///
/// A status by itself fails nothing. It counts once a validator or a serializer has made a failure of it.
open class RetryPolicy: @unchecked Sendable, RequestInterceptor {
  /// The default number of retries: 2, so that there are three attempts.
  public static let defaultRetryLimit: UInt = 2
  /// Each pause is twice the one before.
  public static let defaultExponentialBackoffBase: UInt = 2
  /// The first pause is half a second.
  public static let defaultExponentialBackoffScale = 0.5

  /// The idempotent methods of RFC 9110 §9.2.2.
  public static let defaultRetryableHTTPMethods: Set<HTTPMethod> = [
    .delete, .get, .head, .options, .put, .trace,
  ]

  /// Statuses by which a server says that it may do better later.
  public static let defaultRetryableHTTPStatusCodes: Set<Int> = [408, 500, 502, 503, 504]

  /// Failures of the network that may pass.
  public static let defaultRetryableURLErrorCodes: Set<URLError.Code> = [
    .backgroundSessionInUseByAnotherProcess, .backgroundSessionWasDisconnected, .badServerResponse,
    .callIsActive, .cannotConnectToHost, .cannotFindHost, .cannotLoadFromNetwork, .dataNotAllowed,
    .dnsLookupFailed, .downloadDecodingFailedMidStream, .downloadDecodingFailedToComplete,
    .internationalRoamingOff, .networkConnectionLost, .notConnectedToInternet, .secureConnectionFailed,
    .serverCertificateHasBadDate, .serverCertificateNotYetValid, .timedOut,
  ]

  /// The number of retries; 2 by default.
  public let retryLimit: UInt
  /// The factor by which each pause is longer than the one before; 2 by default, and at least that.
  public let exponentialBackoffBase: UInt
  /// Seconds of pause before the first retry; 0.5 by default.
  public let exponentialBackoffScale: Double
  /// Requests with other methods are left alone.
  public let retryableHTTPMethods: Set<HTTPMethod>
  /// The statuses after which a request is tried again; 408, 500, 502, 503 and 504 by default.
  public let retryableHTTPStatusCodes: Set<Int>
  /// The codes of `URLError` after which a request is tried again; by default those of failures that may pass.
  public let retryableURLErrorCodes: Set<URLError.Code>

  /// The further rules for a pause: `Retry-After`, jitter, and a deadline over all attempts.
  public let pauses: Pauses

  /// Makes a policy. A base below two would not grow and is refused. Its ``pauses`` are the default ones.
  public init(
    retryLimit: UInt = RetryPolicy.defaultRetryLimit,
    exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
    exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
    retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
    retryableHTTPStatusCodes: Set<Int> = RetryPolicy.defaultRetryableHTTPStatusCodes,
    retryableURLErrorCodes: Set<URLError.Code> = RetryPolicy.defaultRetryableURLErrorCodes
  ) {
    precondition(exponentialBackoffBase >= 2, "exponentialBackoffBase must be at least 2")
    pauses = Pauses()
    self.retryLimit = retryLimit
    self.exponentialBackoffBase = exponentialBackoffBase
    self.exponentialBackoffScale = exponentialBackoffScale
    self.retryableHTTPMethods = retryableHTTPMethods
    self.retryableHTTPStatusCodes = retryableHTTPStatusCodes
    self.retryableURLErrorCodes = retryableURLErrorCodes
  }

  /// Makes a policy that waits as `pauses` says. A base below two would not grow and is refused.
  public init(
    pauses: Pauses, retryLimit: UInt = RetryPolicy.defaultRetryLimit,
    exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
    exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
    retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
    retryableHTTPStatusCodes: Set<Int> = RetryPolicy.defaultRetryableHTTPStatusCodes,
    retryableURLErrorCodes: Set<URLError.Code> = RetryPolicy.defaultRetryableURLErrorCodes
  ) {
    precondition(exponentialBackoffBase >= 2, "exponentialBackoffBase must be at least 2")
    self.pauses = pauses
    self.retryLimit = retryLimit
    self.exponentialBackoffBase = exponentialBackoffBase
    self.exponentialBackoffScale = exponentialBackoffScale
    self.retryableHTTPMethods = retryableHTTPMethods
    self.retryableHTTPStatusCodes = retryableHTTPStatusCodes
    self.retryableURLErrorCodes = retryableURLErrorCodes
  }

  /// Completes with a pause, if there may be another attempt and ``shouldRetry(request:dueTo:)`` says so, and with
  /// ``RetryResult/doNotRetry`` otherwise.
  ///
  /// The pause is the exponential backoff, or longer if the response has a `Retry-After`; ``pauses`` says more.
  @preconcurrency
  open func retry(
    _ request: Request, for session: Session, dueTo error: any Error,
    completion: @escaping @Sendable (RetryResult) -> Void
  ) {
    let retryCount = request.retryCount
    guard retryCount < retryLimit, shouldRetry(request: request, dueTo: error) else {
      return completion(.doNotRetry)
    }
    let pause = pauses.pause(
      backoff: delay(afterRetries: retryCount),
      retryAfter: request.response?.retryAfter(),
      elapsed: pauses.deadline == nil ? 0 : request.secondsSinceFirstAttempt, chance: .random(in: 0...1))
    completion(pause.map { .retryWithDelay($0) } ?? .doNotRetry)
  }

  /// Whether a failure is worth a retry, leaving aside how many there have been.
  ///
  /// - Parameters:
  ///   - request: The request that failed.
  ///   - error:   Why it failed.
  /// - Returns: Whether another attempt may help.
  open func shouldRetry(request: Request, dueTo error: any Error) -> Bool {
    // A download that goes on with resume data has a request only in its task.
    guard let sent = request.request ?? request.lastTask?.originalRequest, let method = sent.method,
      retryableHTTPMethods.contains(method)
    else { return false }
    if let status = request.response?.statusCode, retryableHTTPStatusCodes.contains(status) { return true }
    let cause = error as? URLError ?? error.asAFError?.underlyingError as? URLError
    // A caller that limits the wait for a turn does not want to wait once more, behind all others.
    if cause?.loadingPhase == .waitingForTurn { return false }
    return cause.map { retryableURLErrorCodes.contains($0.code) } ?? false
  }

  func delay(afterRetries count: Int) -> TimeInterval {
    (0..<count).reduce(exponentialBackoffScale) { delay, _ in delay * Double(exponentialBackoffBase) }
  }
}

// @unchecked: adds nothing to what it inherits.
/// Tries again only after a connection broke, the most harmless of failures.
open class ConnectionLostRetryPolicy: RetryPolicy, @unchecked Sendable {
  /// Makes a policy that tries again only after `URLError.networkConnectionLost`.
  ///
  /// - Parameters:
  ///   - retryLimit: How often to try again; 2 by default.
  ///   - exponentialBackoffBase: The factor by which each pause grows; 2 by default, and at least that.
  ///   - exponentialBackoffScale: Seconds of pause before the first retry; 0.5 by default.
  ///   - retryableHTTPMethods: The methods that may be tried again; the idempotent ones by default.
  public init(
    retryLimit: UInt = RetryPolicy.defaultRetryLimit,
    exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
    exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
    retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods
  ) {
    super.init(
      retryLimit: retryLimit, exponentialBackoffBase: exponentialBackoffBase,
      exponentialBackoffScale: exponentialBackoffScale, retryableHTTPMethods: retryableHTTPMethods,
      retryableHTTPStatusCodes: [], retryableURLErrorCodes: [.networkConnectionLost])
  }
}

extension RequestInterceptor where Self == RetryPolicy {
  /// A ``RetryPolicy`` with all defaults.
  public static var retryPolicy: RetryPolicy { RetryPolicy() }

  /// A ``RetryPolicy`` that waits as `pauses` says, with the given numbers; see its properties for what each means.
  public static func retryPolicy(
    pauses: RetryPolicy.Pauses, retryLimit: UInt = RetryPolicy.defaultRetryLimit,
    exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
    exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
    retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
    retryableHTTPStatusCodes: Set<Int> = RetryPolicy.defaultRetryableHTTPStatusCodes,
    retryableURLErrorCodes: Set<URLError.Code> = RetryPolicy.defaultRetryableURLErrorCodes
  ) -> RetryPolicy {
    RetryPolicy(
      pauses: pauses, retryLimit: retryLimit, exponentialBackoffBase: exponentialBackoffBase,
      exponentialBackoffScale: exponentialBackoffScale, retryableHTTPMethods: retryableHTTPMethods,
      retryableHTTPStatusCodes: retryableHTTPStatusCodes, retryableURLErrorCodes: retryableURLErrorCodes)
  }

  /// A ``RetryPolicy`` with the given numbers; see its properties for what each means.
  public static func retryPolicy(
    retryLimit: UInt = RetryPolicy.defaultRetryLimit,
    exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
    exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
    retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
    retryableHTTPStatusCodes: Set<Int> = RetryPolicy.defaultRetryableHTTPStatusCodes,
    retryableURLErrorCodes: Set<URLError.Code> = RetryPolicy.defaultRetryableURLErrorCodes
  ) -> RetryPolicy {
    RetryPolicy(
      retryLimit: retryLimit, exponentialBackoffBase: exponentialBackoffBase,
      exponentialBackoffScale: exponentialBackoffScale, retryableHTTPMethods: retryableHTTPMethods,
      retryableHTTPStatusCodes: retryableHTTPStatusCodes, retryableURLErrorCodes: retryableURLErrorCodes)
  }
}

extension RequestInterceptor where Self == ConnectionLostRetryPolicy {
  /// A ``ConnectionLostRetryPolicy`` with all defaults.
  public static var connectionLostRetryPolicy: ConnectionLostRetryPolicy { ConnectionLostRetryPolicy() }

  /// A policy for broken connections with other numbers.
  public static func connectionLostRetryPolicy(
    retryLimit: UInt = RetryPolicy.defaultRetryLimit,
    exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
    exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
    retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods
  ) -> ConnectionLostRetryPolicy {
    ConnectionLostRetryPolicy(
      retryLimit: retryLimit, exponentialBackoffBase: exponentialBackoffBase,
      exponentialBackoffScale: exponentialBackoffScale, retryableHTTPMethods: retryableHTTPMethods)
  }
}
