import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetTLS

/// Fetches what responders and distribution points say: over plain HTTP, by sessions of its own, so that no cookie,
/// credential, cache, proxy, header or delegate of anybody's is used.
enum RevocationClient {
  /// One thing to fetch.
  struct Errand: Sendable, Hashable {
    let address: String
    /// What is posted; nil gets.
    let body: [UInt8]?
    /// Whether it may lead into private networks.
    let mayStayPrivate: Bool
  }

  /// Bytes of an answer at most.
  static let sizeLimit = 1 << 20
  /// Seconds that one fetch may take, whatever its server does.
  static let timeLimit: TimeInterval = 5
  /// From one place to another, by the same scheme.
  private static let redirectLimit = 3

  // Made when something is fetched for the first time.
  private static let outside = session(avoidsPrivateAddresses: true)
  private static let anywhere = session(avoidsPrivateAddresses: false)

  private static func session(avoidsPrivateAddresses: Bool) -> URLSession {
    // Without any store of `default` and `ephemeral`.
    var values = URLSessionConfiguration.Values()
    values.httpShouldSetCookies = false
    values.requestCachePolicy = .reloadIgnoringLocalCacheData
    values.timeoutIntervalForRequest = timeLimit
    values.timeoutIntervalForResource = timeLimit
    values.timeoutIntervalForIdleConnections = timeLimit
    values.redirectLimit = redirectLimit
    values.responseBodyLimitInMemory = sizeLimit
    values.decodesResponseContent = false
    values.connectRules.avoidsPrivateAddresses = avoidsPrivateAddresses
    // A serial queue has a thread for itself, however many wait for what comes over it.
    return URLSession(
      configuration: URLSessionConfiguration(values), delegate: PlainRedirects(),
      executor: .queue(DispatchQueue(label: "bluebonnet.revocation")))
  }

  /// Blocks until it is there.
  ///
  /// - Parameter end: When it is given up, at the latest.
  static func fetch(_ errand: Errand, until end: DispatchTime) throws(RevocationFault) -> [UInt8] {
    guard let url = URL(string: errand.address), url.scheme?.lowercased() == "http", url.host != nil,
      url.user == nil
    else { throw .unreachable("its address is of no use") }
    var request = URLRequest(url: url)
    if let body = errand.body {
      request.httpMethod = "POST"
      request.httpBody = Data(body)
      request.setValue("application/ocsp-request", forHTTPHeaderField: "Content-Type")
      request.setValue("application/ocsp-response", forHTTPHeaderField: "Accept")
    }
    let answer = Answer()
    let session = errand.mayStayPrivate ? anywhere : outside
    let task = session.dataTask(with: request) { data, response, error in
      answer.give(result(data, response, error))
    }
    task.resume()
    guard let result = answer.wait(until: end) else {
      task.cancel()
      throw .unreachable("no answer within the time that is left")
    }
    return try result.get()
  }

  private static func result(
    _ data: Data?, _ response: URLResponse?, _ error: (any Error)?
  ) -> Result<[UInt8], RevocationFault> {
    if let error {
      let text = (error as? URLError)?.localizedDescription ?? "\(error)"
      return .failure(.unreachable("it cannot be fetched: \(text)"))
    }
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200, let data else { return .failure(.unreachable("its server answers \(status)")) }
    return .success([UInt8](data))
  }
}

/// What one thread waits for and another one gives.
private final class Answer: Sendable {
  private let isThere = DispatchSemaphore(value: 0)
  private let result = Locked<Result<[UInt8], RevocationFault>?>(nil)

  func give(_ result: Result<[UInt8], RevocationFault>) {
    self.result.withLock { $0 = result }
    isThere.signal()
  }

  func wait(until end: DispatchTime) -> Result<[UInt8], RevocationFault>? {
    guard isThere.wait(timeout: end) == .success else { return nil }
    return result.withLock { $0 }
  }
}

/// Follows redirects over plain HTTP only: another scheme would bring certificates of its own, or lead to files.
private final class PlainRedirects: URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let isPlain = request.url?.scheme?.lowercased() == "http" && request.url?.user == nil
    completionHandler(isPlain ? request : nil)
  }
}
