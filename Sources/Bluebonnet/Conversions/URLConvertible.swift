// SPDX-License-Identifier: MIT
import BluebonnetFoundation

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
    guard let url = URL(string: self) else { throw AFError.invalidURL(url: self) }
    return url
  }
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
