import BluebonnetFoundation

// Unchecked: constants here, and the task, which is set before anybody else sees the instance; a subclass answers for
// its own members.
/// A way of loading that somebody else supplies: subclass it and name the class in
/// `URLSessionConfiguration.protocolClasses`.
///
/// The classes of the configuration are asked in order, and for `URLSession.shared` those that were registered after
/// them; the first that can loads the task. `startLoading()` and `stopLoading()` are called on a queue of the load's
/// own, `canInit` and `canonicalRequest` on some thread. The client may be told from any thread; what it is told is
/// heard in order. A suspended task holds back what comes in.
open class URLProtocol: @unchecked Sendable {
  /// The request to load.
  public let request: URLRequest
  /// What the cache has for it.
  public let cachedResponse: CachedURLResponse?
  /// Who is told of the progress.
  public let client: (any URLProtocolClient)?
  /// The task that is loaded, if there is one.
  public var task: URLSessionTask? { loadedTask }
  private var loadedTask: URLSessionTask?

  /// Makes a protocol for one load.
  public required init(
    request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
  ) {
    self.request = request
    self.cachedResponse = cachedResponse
    self.client = client
  }

  /// Says which task is loaded, before anything else happens to the instance.
  func loads(_ task: URLSessionTask) { loadedTask = task }

  /// Whether the class loads this request.
  open class func canInit(with request: URLRequest) -> Bool { false }

  /// Whether the class loads this task.
  open class func canInit(with task: URLSessionTask) -> Bool {
    task.currentRequest.map { canInit(with: $0) } ?? false
  }

  /// The request in the form in which equal ones are equal.
  open class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  /// Whether one cached response serves both.
  open class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool { a == b }

  /// Starts; calls the client from now on. A class that does not override this cannot load: the task fails.
  open func startLoading() {
    client?.urlProtocol(
      self,
      didFailWithError: URLError.loading(
        .unsupportedURL, url: request.url, phase: .preparing,
        reason: "\(type(of: self)) overrides no startLoading()"
      ))
  }

  /// Stops; calls the client no more. Called once, when the load has ended in whatever way.
  open func stopLoading() {}
}

extension URLProtocol {
  /// What was attached to a request under a key.
  public class func property(forKey key: String, in request: URLRequest) -> Any? {
    request.storage.properties[key]
  }

  /// Attaches something to a request; it is no part of the request's equality.
  public class func setProperty(_ value: Any, forKey key: String, in request: inout URLRequest) {
    request.writable.properties[key] = value
  }

  /// Detaches what was attached.
  public class func removeProperty(forKey key: String, in request: inout URLRequest) {
    request.writable.properties[key] = nil
  }
}
