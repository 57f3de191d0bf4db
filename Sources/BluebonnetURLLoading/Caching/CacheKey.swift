import BluebonnetFoundation

/// What a response is kept under (RFC 9111 §2): the method and the address, in its canonical form and without a fragment.
struct CacheKey: Hashable {
  private enum Place: Hashable {
    case http(RequestTarget.Origin, path: String)
    /// Of another scheme, as it is written.
    case other(String)
  }

  private let method: String
  private let place: Place

  /// Nil for what no kept response answers: anything but GET and HEAD.
  init?(_ request: URLRequest) {
    let method = request.httpMethod ?? "GET"
    guard let url = request.url, method == "GET" || method == "HEAD" else { return nil }
    self.init(method: method, url: url)
  }

  private init(method: String, url: URL) {
    self.method = method
    if let target = try? RequestTarget.of(url) {
      place = .http(target.origin, path: target.path)
    } else {
      place = .other(url.absoluteString)
    }
  }

  /// All keys of an address.
  static func all(of url: URL) -> [CacheKey] {
    ["GET", "HEAD"].map { CacheKey(method: $0, url: url) }
  }
}
