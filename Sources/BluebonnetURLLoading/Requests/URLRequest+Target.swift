import BluebonnetFoundation

extension URLRequest {
  /// The target in the request line in place of the URL's path and query, such as `*` for an OPTIONS that is meant for
  /// the whole server (RFC 9112 §3.2.4), or a path that `URL` would spell in another way; `nil`, the default, for those of
  /// the URL. An addition of this package.
  ///
  /// It is sent as it is. One with other bytes than visible ASCII, or in none of the forms of RFC 9112 §3.2, fails the load
  /// with `URLError.badURL` before anything is sent. Setting `url` makes it `nil` again, so that a redirect
  /// has its own target.
  public var requestTarget: String? {
    get { storage.target }
    set { writable.target = newValue }
  }
}
