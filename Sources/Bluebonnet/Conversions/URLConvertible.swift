// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetSemantics

/// A value that can be turned into a `URL`.
public protocol URLConvertible: Sendable {
  /// Makes the URL. Called for each attempt, on the session's `requestQueue` if the type is one of yours.
  ///
  /// - Returns: The URL.
  /// - Throws: ``AFError/invalidURL(url:)`` or an error of your own; the request fails with it.
  func asURL() throws -> URL
}

extension String: URLConvertible {
  /// Reads the text as a URL.
  ///
  /// - Throws: ``AFError/invalidURL(url:)`` for text that is none.
  public func asURL() throws -> URL {
    let known = Self.lastURL.withLockIfAvailable { last in
      last.flatMap { $0.text.hasSameBytes(as: self) ? $0.url : nil }
    }
    if let known = known ?? nil { return known }
    guard let url = URL(string: self) else { throw AFError.invalidURL(url: self) }
    Self.lastURL.withLockIfAvailable { $0 = (self, url) }
    return url
  }

  /// The last text that was read, and its URL: many requests go to the same address again, and reading it is a twelfth of the work
  /// for a small one. `TargetURI` remembers the last URL's parts by itself: redirects, and URLs that are no longer as they were
  /// typed, take turns there, and would push this text out each time.
  private static let lastURL = Locked<(text: String, url: URL)?>(nil)
}

extension URL: URLConvertible {
  /// Returns the URL itself.
  public func asURL() throws -> URL { self }
}

extension URLComponents: URLConvertible {
  /// Composes the URL.
  ///
  /// - Throws: ``AFError/invalidURL(url:)`` for components that make up none.
  public func asURL() throws -> URL {
    guard let url else { throw AFError.invalidURL(url: self) }
    return url
  }
}
