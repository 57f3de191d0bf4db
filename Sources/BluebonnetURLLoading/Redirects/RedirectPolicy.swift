import BluebonnetFoundation

/// Where a response sends a task (RFC 9110 §15.4, and Fetch's "HTTP-redirect fetch" where the RFC leaves a choice).
package struct RedirectPolicy: Sendable {
  /// What to do after a response.
  package enum Decision: Sendable, Equatable {
    /// The response is the answer.
    case finish
    /// The delegate is asked whether to send this request instead.
    case follow(URLRequest)
    /// The load fails.
    case fail(URLError)
  }

  /// Fetch and curl's tools say 20 and 50, browsers about 20.
  package static let usualLimit = 20

  private let limit: Int
  /// How often the task has been sent elsewhere.
  package private(set) var count = 0

  package init(limit: Int = usualLimit) { self.limit = limit }

  /// Takes a response that arrived for `request`.
  package mutating func decide(status: Int, location: String?, request: URLRequest) -> Decision {
    guard Self.isRedirect(status), let location, let from = request.url else { return .finish }
    guard let to = Self.resolve(location, against: from) else {
      return .fail(Self.error(.redirectToNonExistentLocation, from, "its Location is not a URL"))
    }
    do {
      let old = try RequestTarget.of(from)
      let new = try RequestTarget(to)
      guard count < limit else {
        return .fail(Self.error(.httpTooManyRedirects, from, "there were more than \(limit) (redirectLimit)"))
      }
      count += 1
      var next = request
      next.url = to
      Self.rewriteMethod(of: &next, after: status)
      if old.origin != new.origin { Self.dropSecrets(of: &next) }
      return .follow(next)
    } catch {
      return .fail(Self.error(error.code, from, Self.refusal(of: to)))
    }
  }

  /// 300 offers a choice, 304 is about a cache, 305 and 306 are dead: none of them is followed.
  package static func isRedirect(_ status: Int) -> Bool {
    switch status {
    case 301, 302, 303, 307, 308: true
    default: false
    }
  }

  private static func refusal(of url: URL) -> String {
    guard let scheme = url.scheme?.lowercased(), scheme != "http", scheme != "https" else {
      return "it leads to \(url.shown), which cannot be loaded"
    }
    return "it leads to \(url.shown), and the scheme \"\(scheme)\" is not supported"
  }

  private static func error(_ code: URLError.Code, _ url: URL, _ reason: String) -> URLError {
    URLError.loading(code, url: url, phase: .redirecting, reason: reason)
  }

  private static func rewriteMethod(of request: inout URLRequest, after status: Int) {
    let method = request.httpMethod ?? "GET"
    let becomesGet =
      switch status {
      case 301, 302: method == "POST"
      case 303: method != "GET" && method != "HEAD"
      default: false
      }
    guard becomesGet else { return }
    request.httpMethod = "GET"
    request.httpBody = nil
    request.httpBodyStream = nil
    for name in bodyFields { request.setValue(nil, forHTTPHeaderField: name) }
  }

  /// Fields that describe a body that is no longer sent.
  private static let bodyFields = [
    "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location",
    "Content-Digest",
    "Digest", "Last-Modified", "Transfer-Encoding", "Trailer", "Expect",
  ]

  /// What was meant for one origin is not shown to another. `Host` is made anew from the address.
  private static func dropSecrets(of request: inout URLRequest) {
    for name in ["Authorization", "Proxy-Authorization", "Cookie", "Host"] {
      request.setValue(nil, forHTTPHeaderField: name)
    }
  }
}
