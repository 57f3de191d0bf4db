import BluebonnetFoundation

// @unchecked: open, with immutable Sendable properties of its own.
/// Tries again, with growing pauses, what may be tried again without harm: requests with idempotent
/// methods that failed in a way that may pass.
///
/// A status by itself fails nothing. It counts once a validator or a serializer has made a failure of it.
open class RetryPolicy: @unchecked Sendable, RequestInterceptor {
  /// Two retries, so three attempts.
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

  /// How often to try again.
  public let retryLimit: UInt
  /// By how much each pause grows.
  public let exponentialBackoffBase: UInt
  /// Seconds before the first retry.
  public let exponentialBackoffScale: Double
  /// Requests with other methods are left alone.
  public let retryableHTTPMethods: Set<HTTPMethod>
  /// Statuses worth a retry.
  public let retryableHTTPStatusCodes: Set<Int>
  /// Transport failures worth a retry.
  public let retryableURLErrorCodes: Set<URLError.Code>

  /// Makes a policy. A base below two would not grow and is refused.
  public init(
    retryLimit: UInt = RetryPolicy.defaultRetryLimit,
    exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
    exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
    retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
    retryableHTTPStatusCodes: Set<Int> = RetryPolicy.defaultRetryableHTTPStatusCodes,
    retryableURLErrorCodes: Set<URLError.Code> = RetryPolicy.defaultRetryableURLErrorCodes
  ) {
    precondition(exponentialBackoffBase >= 2, "exponentialBackoffBase must be at least 2")
    self.retryLimit = retryLimit
    self.exponentialBackoffBase = exponentialBackoffBase
    self.exponentialBackoffScale = exponentialBackoffScale
    self.retryableHTTPMethods = retryableHTTPMethods
    self.retryableHTTPStatusCodes = retryableHTTPStatusCodes
    self.retryableURLErrorCodes = retryableURLErrorCodes
  }

  /// Applies the policy.
  @preconcurrency
  open func retry(
    _ request: Request, for session: Session, dueTo error: any Error,
    completion: @escaping @Sendable (RetryResult) -> Void
  ) {
    let retryCount = request.retryCount
    guard retryCount < retryLimit, shouldRetry(request: request, dueTo: error) else {
      return completion(.doNotRetry)
    }
    completion(.retryWithDelay(delay(afterRetries: retryCount)))
  }

  /// Whether a failure is worth a retry, leaving aside how many there have been.
  ///
  /// - Parameters:
  ///   - request: The request that failed.
  ///   - error:   Why it failed.
  /// - Returns: The verdict.
  open func shouldRetry(request: Request, dueTo error: any Error) -> Bool {
    guard let method = request.request?.method, retryableHTTPMethods.contains(method) else { return false }
    if let status = request.response?.statusCode, retryableHTTPStatusCodes.contains(status) { return true }
    let cause = error as? URLError ?? error.asAFError?.underlyingError as? URLError
    return cause.map { retryableURLErrorCodes.contains($0.code) } ?? false
  }

  func delay(afterRetries count: Int) -> TimeInterval {
    (0..<count).reduce(exponentialBackoffScale) { delay, _ in delay * Double(exponentialBackoffBase) }
  }
}

// @unchecked: adds nothing to what it inherits.
/// Tries again only after a connection broke, the most harmless of failures.
open class ConnectionLostRetryPolicy: RetryPolicy, @unchecked Sendable {
  /// Makes a policy.
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
  /// The default policy.
  public static var retryPolicy: RetryPolicy { RetryPolicy() }

  /// A policy with other numbers.
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
  /// The default policy for broken connections.
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
