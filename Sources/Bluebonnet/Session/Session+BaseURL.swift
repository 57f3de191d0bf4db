// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension Session {
  /// The URL that relative addresses of requests are resolved against (RFC 3986 §5); `nil`, the default, for none. Set by the
  /// initializer with a configuration. An addition of this package.
  ///
  /// It counts wherever a request is made of a `URLConvertible`: requests, streams, WebSockets, downloads and uploads. An absolute
  /// URL stays as it is, and so does a `URLRequest`. The rules are those of links in a page:
  ///
  /// | address | at `https://api.example/v1/` | at `https://api.example/v1` |
  /// | --- | --- | --- |
  /// | `users?page=2` | `https://api.example/v1/users?page=2` | `https://api.example/users?page=2` |
  /// | `/users` | `https://api.example/users` | `https://api.example/users` |
  /// | `../users` | `https://api.example/users` | `https://api.example/users` |
  /// | `?page=2` | `https://api.example/v1/?page=2` | `https://api.example/v1?page=2` |
  /// | `//other.example/x` | `https://other.example/x` | `https://other.example/x` |
  ///
  /// So a base that stands for a directory ends in a slash. The base's query is used by an address without a path and a query, its
  /// fragment never. A user and a password in it go with every address that names no host, as in any other URL. An address that
  /// comes from elsewhere may name another host: check it before.
  ///
  /// A relative address fails with a `URLError` of the code `.unsupportedURL` inside ``AFError/createURLRequestFailed(error:)`` if
  /// the base is no http or https URL with a host, and with ``AFError/invalidURL(url:)`` if nothing can be made of it.
  public final var baseURL: URL? { baseAddress?.url }

  /// An address as a request of this session takes it.
  func address(_ convertible: any URLConvertible) -> any URLConvertible {
    guard let baseAddress else { return convertible }
    return ResolvedAddress(base: baseAddress, address: convertible)
  }
}
