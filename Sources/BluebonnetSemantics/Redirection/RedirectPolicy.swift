// SPDX-License-Identifier: MIT

/// The rules of redirection (RFC 9110 §15.4, and Fetch's "HTTP-redirect fetch" where the RFC leaves a choice).
package struct RedirectPolicy: Sendable {
  /// The consequence of a response for its request.
  package enum Step: Sendable, Equatable {
    /// The response is the answer.
    case finish
    /// Another request is asked for.
    case redirect(Redirect)
  }

  /// The differences between the next request and the one before.
  package struct Redirect: Sendable, Equatable {
    /// An absolute URI; nil where `Location` names none.
    package let target: String?
    /// Why there is no target; nil if there is one.
    package let obstacle: Obstacle?
    /// Whether the next request is a GET without the content of this one.
    package let becomesGET: Bool
    /// The request was sent elsewhere as often as it may be: another target would not help.
    package let exceedsLimit: Bool
  }

  package enum Obstacle: Sendable, Hashable {
    /// There are several `Location` fields, which differ.
    case contradictoryLocations
    /// `Location` is no URI reference.
    case noReference
  }

  /// Fetch and curl's tools say 20 and 50, browsers about 20.
  package static let usualLimit = 20

  /// The most redirects that a request may follow.
  package let limit: Int
  /// The redirects that have come so far.
  package private(set) var count = 0

  package init(limit: Int = usualLimit) { self.limit = limit }

  /// Takes a response to a request for `url`.
  package mutating func evaluate(status: Int, location: Location, method: String, url: String) -> Step {
    guard Self.isRedirect(status) else { return .finish }
    var target: String?
    var obstacle: Obstacle?
    switch location {
    case .none: return .finish
    case .contradictory: obstacle = .contradictoryLocations
    case .reference(let reference):
      target = Location.resolve(reference, against: url)
      if target == nil { obstacle = .noReference }
    }
    let exceedsLimit = count >= limit
    if !exceedsLimit { count += 1 }
    return .redirect(
      Redirect(
        target: target, obstacle: obstacle, becomesGET: Self.becomesGET(method, after: status),
        exceedsLimit: exceedsLimit))
  }

  /// 300 offers a choice, 304 is about a cache, 305 and 306 are dead: none of them is followed.
  package static func isRedirect(_ status: Int) -> Bool {
    switch status {
    case 301, 302, 303, 307, 308: true
    default: false
    }
  }

  private static func becomesGET(_ method: String, after status: Int) -> Bool {
    switch status {
    case 301, 302: method == "POST"
    case 303: method != "GET" && method != "HEAD"
    default: false
    }
  }

  /// Fields that describe content that is no longer sent.
  package static let contentFieldNames = [
    "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location",
    "Content-Digest",
    "Digest", "Last-Modified", "Transfer-Encoding", "Trailer", "Expect",
  ]
}
