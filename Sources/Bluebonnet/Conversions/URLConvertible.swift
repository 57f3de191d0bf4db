import BluebonnetFoundation

/// A value that can be turned into a `URL`.
public protocol URLConvertible: Sendable {
  /// The URL, or ``AFError/invalidURL(url:)``.
  func asURL() throws -> URL
}

extension String: URLConvertible {
  /// The URL this string spells.
  public func asURL() throws -> URL {
    guard let url = URL(string: self) else { throw AFError.invalidURL(url: self) }
    return url
  }
}

extension URL: URLConvertible {
  /// This URL.
  public func asURL() throws -> URL { self }
}

extension URLComponents: URLConvertible {
  /// The URL these components make up.
  public func asURL() throws -> URL {
    guard let url else { throw AFError.invalidURL(url: self) }
    return url
  }
}
