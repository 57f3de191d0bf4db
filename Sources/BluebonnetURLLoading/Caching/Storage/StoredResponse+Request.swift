import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetSemantics

extension StoredResponse.Key {
  /// The key of a method and a target. User information is no part of it: it becomes the request's `Authorization`.
  package init(method: String, target: TargetURI) {
    let origin = target.origin
    // Made for each request that asks a cache.
    var address = origin.isSecure ? "https://" : "http://"
    address.reserveCapacity(origin.host.utf8.count + target.path.utf8.count + 16)
    if origin.host.utf8.contains(Byte.colon) {
      address += "[\(origin.host)]"
    } else {
      address += origin.host
    }
    if !origin.isDefaultPort {
      address += ":"
      address += String(origin.port)
    }
    address += target.path
    self.init(method: method, target: address)
  }

  /// The key of a method and an address; an address that is none of HTTP's is taken as it is written.
  package init(method: String, url: URL) {
    if let target = try? TargetURI.of(url) {
      self.init(method: method, target: target)
    } else {
      self.init(method: method, target: url.absoluteString)
    }
  }
}

extension StoredResponse {
  /// The fields that a request must share with the one that a response answered: those that `Vary` names (RFC 9111 §4.1), and
  /// besides them `Authorization`, without which a caller would be shown the response to another one, and `Host`, perhaps not
  /// that of the address.
  ///
  /// - Parameters:
  ///   - vary: The values of `Vary`.
  ///   - request: The fields of the request that the response answers.
  /// - Returns: Nil for a response that varies by more than the request says, or by more than is worth comparing.
  package static func variant(vary: [String], request: HeaderFields) -> [RequestField]? {
    CacheSelection(vary: vary, request: request)?.fields.map { RequestField(name: $0.name, value: $0.value) }
  }

  /// Whether the response answers a request with these fields, too (RFC 9111 §4.1).
  package func answers(_ request: HeaderFields) -> Bool {
    CacheSelection(fields: variant.map { .init(name: $0.name, value: $0.value) }, isDecoded: true).answers(
      request)
  }
}

extension StoredResponse.Key {
  private static let methods = ["GET", "HEAD"]

  /// Nil for what no kept response answers: anything but GET and HEAD.
  init?(_ request: URLRequest) {
    let method = request.httpMethod ?? "GET"
    guard let url = request.url, Self.methods.contains(method) else { return nil }
    self.init(method: method, url: url)
  }

  /// All keys of an address.
  static func all(of url: URL) -> [StoredResponse.Key] {
    methods.map { StoredResponse.Key(method: $0, url: url) }
  }
}
