import BluebonnetFoundation
import BluebonnetHTTP1

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
