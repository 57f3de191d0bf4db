// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetMessages

// Unchecked: constants here, and the task, set before the instance is shared; a subclass answers for
// its own members.
/// A way of loading supplied by the program: subclass it and name the class in
/// `URLSessionConfiguration.protocolClasses`.
///
/// The classes of the configuration are asked in order, and for `URLSession.shared` those that were registered after
/// them; the first that can loads the task. `canInit` is called on one of the system's concurrent queues,
/// everything else (`canonicalRequest`, the initializer, `startLoading()`, `stopLoading()`) on a serial queue of the load's own, so
/// that a class may block without holding up anything else. The client may be told from any thread; its calls are
/// heard in order. A suspended task holds back what comes in.
open class URLProtocol: @unchecked Sendable {
  /// The request to load, as ``canonicalRequest(for:)`` made it.
  public let request: URLRequest
  /// The response that the session's cache has for the request; `nil` for none.
  public let cachedResponse: CachedURLResponse?
  /// Must be told what happens: response, body, and how it ended. May be called from any thread.
  public let client: (any URLProtocolClient)?
  /// The task that is loaded, if there is one.
  public var task: URLSessionTask? { loadedTask }
  private var loadedTask: URLSessionTask?

  /// Makes an instance for one load. Called by the session; override it only to set members, and call `super`.
  public required init(
    request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
  ) {
    self.request = request
    self.cachedResponse = cachedResponse
    self.client = client
  }

  /// Says which task is loaded, before anything else happens to the instance.
  func loads(_ task: URLSessionTask) { loadedTask = task }

  /// Whether the class loads this request; false unless a subclass says otherwise. Called for each request
  /// of a task, redirects included, on one of the system's concurrent queues.
  open class func canInit(with request: URLRequest) -> Bool { false }

  /// Whether the class loads this task; by default, whether it loads the task's current request with the session's
  /// `httpAdditionalHeaders`.
  open class func canInit(with task: URLSessionTask) -> Bool {
    task.requestWithSessionFields.map { canInit(with: $0) } ?? false
  }

  /// The request in the form in which equal ones are equal; by default as it is. What this returns is loaded.
  open class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  /// Whether one cached response serves both. Has no meaning on Linux: the cache compares requests itself.
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
  /// The value attached to a request under a key.
  public class func property(forKey key: String, in request: URLRequest) -> Any? {
    request.storage.properties[key]
  }

  /// Attaches something to a request; it is no part of the request's equality.
  public class func setProperty(_ value: Any, forKey key: String, in request: inout URLRequest) {
    request.writable.properties[key] = value
  }

  /// Removes the value attached to a request under a key.
  public class func removeProperty(forKey key: String, in request: inout URLRequest) {
    request.writable.properties[key] = nil
  }

  private struct Classes: Sendable { var list: [URLProtocol.Type] = [] }
  private static let registered = Locked(Classes())

  /// Makes a class known to `URLSession.shared`. The last one is asked first. Other sessions take their classes from
  /// `URLSessionConfiguration.protocolClasses`, as on Apple's systems.
  ///
  /// - Returns: false for a class that is no `URLProtocol`; it is not registered.
  @discardableResult
  public class func registerClass(_ protocolClass: AnyClass) -> Bool {
    guard let type = protocolClass as? URLProtocol.Type else { return false }
    registered.withLock { classes in
      if !classes.list.contains(where: { $0 == type }) { classes.list.insert(type, at: 0) }
    }
    return true
  }

  /// Takes a class out of the registered ones; loads that it has begun go on.
  public class func unregisterClass(_ protocolClass: AnyClass) {
    registered.withLock { classes in classes.list.removeAll { $0 == protocolClass } }
  }

  /// The classes that are asked, in order.
  package static var registeredClasses: [URLProtocol.Type] { registered.withLock { $0.list } }
}

#if Foundation
  extension URLProtocol {
    /// Attaches something to a request; it is no part of the request's equality.
    public class func setProperty(_ value: Any, forKey key: String, in request: NSMutableURLRequest) {
      setProperty(value, forKey: key, in: &request.request)
    }

    /// Removes the value attached to a request under a key.
    public class func removeProperty(forKey key: String, in request: NSMutableURLRequest) {
      removeProperty(forKey: key, in: &request.request)
    }
  }
#endif
