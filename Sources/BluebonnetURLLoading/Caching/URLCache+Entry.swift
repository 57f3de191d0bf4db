import BluebonnetFoundation
import BluebonnetSemantics

extension URLCache {
  /// A response as it is kept, with what a request must have in common with the one that it answered.
  struct Entry: Sendable {
    let response: CachedURLResponse
    /// Order of arrival: the oldest goes first.
    let serial: Int
    /// Bytes in memory: the body and the head.
    let size: Int
    let selection: CacheSelection

    /// Nil for a response that no other request may be answered with.
    init?(_ response: CachedURLResponse, for request: URLRequest, serial: Int) {
      let head = response.response as? HTTPURLResponse
      let vary = head.map { $0.fields.contains(.vary) ? $0.fields.values(.vary) : [] } ?? []
      guard let selection = CacheSelection(vary: vary, request: request.headerFields) else { return nil }
      self.response = response
      self.serial = serial
      size = response.data.count + (head?.fields.byteCount ?? 0)
      self.selection = selection
    }
  }
}

extension CacheKey {
  /// Nil for what no kept response answers: anything but GET and HEAD.
  init?(_ request: URLRequest) {
    guard let url = request.url else { return nil }
    self.init(
      method: request.httpMethod ?? "GET", url: url.absoluteString, target: try? TargetURI.of(url))
  }

  /// All keys of an address.
  static func all(of url: URL) -> [CacheKey] { all(of: url.absoluteString, target: try? TargetURI.of(url)) }
}
