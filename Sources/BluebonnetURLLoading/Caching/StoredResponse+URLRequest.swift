// SPDX-License-Identifier: MIT
import BluebonnetCache
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetMessages
import BluebonnetSemantics

extension StoredResponse {
  /// A response that a caller keeps, as if it had been asked for and had come just now. Nil for one that no other request may be
  /// answered with.
  init?(_ cached: CachedURLResponse, for request: URLRequest, now: Date = Date()) {
    guard let key = Key(request), let url = request.url else { return nil }
    let head = cached.response as? HTTPURLResponse
    let vary = head.map { $0.fields.contains(.vary) ? $0.fields.values(.vary) : [] } ?? []
    guard let variant = Self.variant(vary: vary, request: request.headerFields) else { return nil }
    self.init(
      key: key, url: cached.response.url ?? url.withoutUserInformation, status: head?.statusCode ?? 0,
      reason: "", minorVersion: head?.minorVersion ?? 1, fieldBlock: head?.fields ?? FieldBlock(),
      variant: variant, requestTime: now, responseTime: now, bodyLength: Int64(cached.data.count))
  }
}

extension StoredResponse.Key {
  private static let methods = ["GET", "HEAD"]

  /// The key of a method and an address; an address that is none of HTTP's is taken as it is written.
  package init(method: String, url: URL) {
    if let target = try? TargetURI.of(url) {
      self.init(method: method, target: target)
    } else {
      self.init(method: method, target: url.absoluteString)
    }
  }

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
