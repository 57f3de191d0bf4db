import BluebonnetFoundation

/// Where a response sends a task (RFC 9110 §15.4, and Fetch's "HTTP-redirect fetch" where the RFC leaves a choice).
package struct RedirectPolicy: Sendable {
  /// What to do after a response.
  package enum Decision: Sendable, Equatable {
    /// The response is the answer.
    case finish
    /// The delegate is asked whether to send this request instead.
    case propose(Proposal)
  }

  /// The request that a redirect asks for. It fails nothing before somebody wants to follow it.
  package struct Proposal: Sendable, Equatable {
    /// Without a URL where `Location` names none.
    package let request: URLRequest
    /// Why the request cannot be sent as it is.
    let obstacle: URLError?
    /// Another address would not help.
    let isFinal: Bool

    /// Why what the delegate chose cannot be sent; nil if it can.
    package func obstacle(to chosen: URLRequest) -> URLError? {
      isFinal || chosen.url == request.url ? obstacle : nil
    }
  }

  /// Fetch and curl's tools say 20 and 50, browsers about 20.
  package static let usualLimit = 20

  private let limit: Int
  /// How often the task has been sent elsewhere.
  package private(set) var count = 0

  package init(limit: Int = usualLimit) { self.limit = limit }

  /// Takes a response that arrived for `request`.
  package mutating func decide(status: Int, location: Location, request: URLRequest) -> Decision {
    guard Self.isRedirect(status), let from = request.url else { return .finish }
    var next = request
    next.url = nil
    switch location {
    case .none: return .finish
    case .reference(let reference): next.url = Self.resolve(reference, against: from)
    case .contradictory: break
    }
    Self.rewriteMethod(of: &next, after: status)
    let obstacle = obstacle(on: next.url, from: from, location)
    // What cannot be told to be the same origin is another one.
    if !Self.isSameOrigin(from, next.url) { Self.dropSecrets(of: &next) }
    guard count < limit else {
      let error = Self.error(.httpTooManyRedirects, from, "there were more than \(limit) (redirectLimit)")
      return .propose(Proposal(request: next, obstacle: error, isFinal: true))
    }
    count += 1
    return .propose(Proposal(request: next, obstacle: obstacle, isFinal: false))
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

  private func obstacle(on url: URL?, from: URL, _ location: Location) -> URLError? {
    guard let url else {
      return Self.error(
        .redirectToNonExistentLocation, from,
        location == .contradictory
          ? "there are several Location fields, which differ" : "its Location is not a URL")
    }
    do throws(URLError) {
      _ = try RequestTarget(url)
      return nil
    } catch {
      return Self.error(error.code, from, Self.refusal(of: url))
    }
  }

  private static func isSameOrigin(_ old: URL, _ new: URL?) -> Bool {
    guard let new, let old = try? RequestTarget.of(old), let new = try? RequestTarget(new) else {
      return false
    }
    return old.origin == new.origin
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
    for name in OriginSecrets.boundFieldNames { request.setValue(nil, forHTTPHeaderField: name) }
  }
}
