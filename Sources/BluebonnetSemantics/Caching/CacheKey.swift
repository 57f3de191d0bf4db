/// What a response is kept under (RFC 9111 §2): the method and the address, in its canonical form and without a fragment.
package struct CacheKey: Sendable, Hashable {
  private enum Place: Sendable, Hashable {
    case http(WebOrigin, path: String)
    /// Of another scheme, as it is written.
    case other(String)
  }

  private let method: String
  private let place: Place

  /// The key of a request for `url`, whose target is nil if it is none of HTTP's; nil for what no kept response answers:
  /// anything but GET and HEAD.
  package init?(method: String, url: String, target: TargetURI?) {
    guard Self.methods.contains(method) else { return nil }
    self.init(method, url, target)
  }

  private init(_ method: String, _ url: String, _ target: TargetURI?) {
    self.method = method
    place = target.map { .http($0.origin, path: $0.path) } ?? .other(url)
  }

  private static let methods = ["GET", "HEAD"]

  /// All keys of an address.
  package static func all(of url: String, target: TargetURI?) -> [CacheKey] {
    methods.map { CacheKey($0, url, target) }
  }
}
