// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Decides what goes into the cache.
///
/// Called on the session's `requestQueue`, or on its `rootQueue` if that was passed. The end of the request waits for the
/// answer, so that the response is in the cache when handlers run: a request without that answer does not end, unless it
/// is cancelled or its `timeoutIntervalForResource` is up.
public protocol CachedResponseHandler: Sendable {
  /// Calls `completion` with the response to store, or with `nil` to store none: once, at once or later, from any thread.
  func dataTask(
    _ task: URLSessionDataTask, willCacheResponse response: CachedURLResponse,
    completion: @escaping (CachedURLResponse?) -> Void)
}

/// Stores responses, does not, or changes them.
public struct ResponseCacher: CachedResponseHandler {
  /// The decision of a ``ResponseCacher`` about a response that may be stored.
  public enum Behavior: Sendable {
    /// The response is stored as it came.
    case cache
    /// The response is not stored.
    case doNotCache
    /// Stores the closure's result, and with `nil` nothing.
    case modify(
      @Sendable (_ task: URLSessionDataTask, _ response: CachedURLResponse) -> CachedURLResponse?)
  }

  /// Stores every response that HTTP allows to be stored, as it came.
  public static let cache = ResponseCacher(behavior: .cache)
  /// Stores no response.
  public static let doNotCache = ResponseCacher(behavior: .doNotCache)

  /// The decision about each response.
  public let behavior: Behavior

  /// Makes a handler for all responses of a session or a request.
  ///
  /// - Parameter behavior: The decision about each response.
  public init(behavior: Behavior) {
    self.behavior = behavior
  }

  /// Calls `completion` with the response, with `nil`, or with what the closure of ``Behavior/modify(_:)`` makes of it.
  public func dataTask(
    _ task: URLSessionDataTask, willCacheResponse response: CachedURLResponse,
    completion: @escaping (CachedURLResponse?) -> Void
  ) {
    switch behavior {
    case .cache: completion(response)
    case .doNotCache: completion(nil)
    case .modify(let modify): completion(modify(task, response))
    }
  }
}

extension CachedResponseHandler where Self == ResponseCacher {
  /// Stores every response that HTTP allows to be stored, as it came.
  public static var cache: ResponseCacher { .cache }

  /// Stores no response.
  public static var doNotCache: ResponseCacher { .doNotCache }

  /// Stores the response that the closure returns; nothing, if it returns `nil`.
  ///
  /// - Parameter closure: Called on the session's `requestQueue`, or on its `rootQueue` if that was passed.
  /// - Returns: The handler.
  public static func modify(
    using closure: @escaping @Sendable (URLSessionDataTask, CachedURLResponse) -> CachedURLResponse?
  ) -> ResponseCacher {
    ResponseCacher(behavior: .modify(closure))
  }
}
