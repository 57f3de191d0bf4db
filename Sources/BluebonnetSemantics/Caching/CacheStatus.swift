// SPDX-License-Identifier: MIT

/// The cache's part in a response, as RFC 9211 writes it.
package enum CacheStatus: Sendable, Hashable {
  /// Answered without asking the server. The seconds that it remains fresh, below 0 for a stale response.
  case hit(timeToLive: Int)
  /// The server was asked, for this reason.
  case forwarded(Reason, status: Int?)

  /// Why a request had to go on (RFC 9211 §2.2).
  package enum Reason: String, Sendable, Hashable {
    /// The policy or the request wants nothing from a cache.
    case bypass
    /// The method is none that is answered from a cache.
    case method
    /// Nothing is stored under the address.
    case uriMiss = "uri-miss"
    /// The stored response answers other requests.
    case varyMiss = "vary-miss"
    /// The request wants something newer.
    case request
    /// The stored response is not fresh.
    case stale
    /// The stored response is a part, and another one is asked for.
    case partial
  }

  /// This cache's name among those on the way.
  package static var name: String { "Bluebonnet" }

  /// One member of `Cache-Status`.
  package var fieldValue: String {
    switch self {
    case .hit(let timeToLive): "\(Self.name); hit; ttl=\(timeToLive)"
    case .forwarded(let reason, nil): "\(Self.name); fwd=\(reason.rawValue)"
    case .forwarded(let reason, let status?): "\(Self.name); fwd=\(reason.rawValue); fwd-status=\(status)"
    }
  }
}
