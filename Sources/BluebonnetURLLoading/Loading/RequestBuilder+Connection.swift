// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetTransport

// What a request's version and the fields about its connection mean.
extension RequestBuilder {
  /// RFC 9112 §6.1: HTTP/1.0 has no chunks, and no other way to say where a request's body ends.
  static func refuseOldVersion(
    with body: RequestBody, _ url: URL, opensWebSocket: Bool
  ) throws(URLError) {
    var instead: String?
    if opensWebSocket { instead = "a WebSocket is opened with .http11" }
    if case .source(let source) = body, source.length == nil {
      instead = "a body without a length is sent with .http11"
    }
    guard let instead else { return }
    throw RefusedSetting("URLSessionConfiguration.requestVersion", "is .http10", instead: instead).error(
      for: url)
  }

  /// Whether a TE field names a coding that can be undone, and does not weigh it with 0 (RFC 9110 §10.1.4).
  static func offersCompression(_ value: String) -> Bool {
    value.lowercased().split(separator: ",").contains { element in
      let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      guard let name = parts.first, ["gzip", "x-gzip", "deflate"].contains(name) else { return false }
      return !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
    }
  }

  /// Whether the connection goes on after a request of HTTP/1.0 (RFC 9112 §9.3).
  static func keepsAlive(_ options: String?) -> Bool {
    guard let options else { return false }
    return FieldBlock([("Connection", options)]).contains(.connection, element: "keep-alive")
  }
}
