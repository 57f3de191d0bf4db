// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

/// Decides what a redirect leads to.
///
/// Called on the session's `requestQueue`, or on its `rootQueue` if that was passed; the request waits for the answer.
public protocol RedirectHandler: Sendable {
  /// Calls `completion` with the request to go on with, or with `nil` to take the redirect itself as the
  /// final response.
  ///
  /// `request.url` is `nil` where the response names no URL, or several; such a request can be given another one, or be
  /// left alone, but not be followed.
  func task(
    _ task: URLSessionTask, willBeRedirectedTo request: URLRequest, for response: HTTPURLResponse,
    completion: @escaping (URLRequest?) -> Void)
}

/// Follows redirects, does not, or changes them.
public struct Redirector: RedirectHandler {
  /// The decision of a ``Redirector`` about a redirect.
  public enum Behavior: Sendable {
    /// The redirect is followed.
    case follow
    /// The redirect itself is the final response.
    case doNotFollow
    /// The request that the closure returns is sent; with `nil` the redirect is the final response. A body that it changes is sent
    /// under the fields that it states: `Content-Encoding` is that of the body before.
    case modify(
      @Sendable (_ task: URLSessionTask, _ request: URLRequest, _ response: HTTPURLResponse) -> URLRequest?)
  }

  /// Follows every redirect, up to the configuration's `redirectLimit`.
  public static let follow = Redirector(behavior: .follow)
  /// Follows no redirect: the redirect itself is the final response.
  public static let doNotFollow = Redirector(behavior: .doNotFollow)

  /// The decision about each redirect.
  public let behavior: Behavior

  /// Makes a handler for all redirects of a session or a request.
  ///
  /// - Parameter behavior: The decision about each redirect.
  public init(behavior: Behavior) {
    self.behavior = behavior
  }

  /// Calls `completion` with the next request, with `nil`, or with what the closure of ``Behavior/modify(_:)`` makes of
  /// it.
  public func task(
    _ task: URLSessionTask, willBeRedirectedTo request: URLRequest, for response: HTTPURLResponse,
    completion: @escaping (URLRequest?) -> Void
  ) {
    switch behavior {
    case .follow: completion(request)
    case .doNotFollow: completion(nil)
    case .modify(let modify): completion(modify(task, request, response))
    }
  }
}

extension RedirectHandler where Self == Redirector {
  /// Follows every redirect, up to the configuration's `redirectLimit`.
  public static var follow: Redirector { .follow }

  /// Follows no redirect: the redirect itself is the final response.
  public static var doNotFollow: Redirector { .doNotFollow }

  /// Sends the request that the closure returns; with `nil`, the redirect itself is the final response.
  ///
  /// - Parameter closure: Called on the session's `requestQueue`, or on its `rootQueue` if that was passed.
  /// - Returns: The handler.
  public static func modify(
    using closure: @escaping @Sendable (URLSessionTask, URLRequest, HTTPURLResponse) -> URLRequest?
  ) -> Redirector {
    Redirector(behavior: .modify(closure))
  }
}
