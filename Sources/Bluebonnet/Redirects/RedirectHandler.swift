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
  /// What is done with a redirect.
  public enum Behavior: Sendable {
    /// It is followed.
    case follow
    /// The redirect is the final response.
    case doNotFollow
    /// The request that the closure returns is sent; with `nil` the redirect is the final response.
    case modify(
      @Sendable (_ task: URLSessionTask, _ request: URLRequest, _ response: HTTPURLResponse) -> URLRequest?)
  }

  /// Follows every redirect.
  public static let follow = Redirector(behavior: .follow)
  /// Follows none.
  public static let doNotFollow = Redirector(behavior: .doNotFollow)

  /// What is done with a redirect.
  public let behavior: Behavior

  /// A redirector that behaves so.
  public init(behavior: Behavior) {
    self.behavior = behavior
  }

  /// Completes as ``behavior`` says.
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
  /// Follows every redirect.
  public static var follow: Redirector { .follow }

  /// Follows none.
  public static var doNotFollow: Redirector { .doNotFollow }

  /// Sends what the closure returns instead.
  public static func modify(
    using closure: @escaping @Sendable (URLSessionTask, URLRequest, HTTPURLResponse) -> URLRequest?
  ) -> Redirector {
    Redirector(behavior: .modify(closure))
  }
}
