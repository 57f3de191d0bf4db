// SPDX-License-Identifier: MIT
import BluebonnetSemantics

/// A whole request, taken apart for the endpoints.
struct IncomingRequest {
  let method: String
  /// Path segments, percent-decoded.
  let path: [String]
  let query: [(name: String, value: String)]
  let target: String
  let fields: [RecordedRequest.Field]
  /// The body after its content coding was undone.
  let body: [UInt8]
  /// The bytes of body that came over the wire; for `/upload`, which does not keep them.
  let bodyLength: Int
  /// The origin's connection that it came over.
  let connection: Int
  /// `http://` or `https://` and the authority the client asked for.
  let base: String
  /// The text of the client's address.
  let origin: String

  init(_ request: RecordedRequest, body: [UInt8], base: String, origin: String) {
    method = request.method
    target = request.target
    fields = request.fields
    self.body = body
    bodyLength = request.bodyLength
    connection = request.connection
    self.origin = origin

    // RFC 9112 §3.2.2: a server has to accept the absolute form too.
    var relative = Substring(request.target)
    for scheme in ["http://", "https://"] where relative.lowercased().hasPrefix(scheme) {
      let afterScheme = relative.dropFirst(scheme.count)
      relative = afterScheme.firstIndex { $0 == "/" || $0 == "?" }.map { afterScheme[$0...] } ?? "/"
    }
    let parts = relative.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = (parts.first ?? "").split(separator: "/").map { PercentCoding.decode($0) }
    query = parts.count > 1 ? PercentCoding.pairs(parts[1]) : []

    let host = request.value("Host")
    let scheme = base.prefix { $0 != ":" }
    self.base = host.map { $0.isEmpty ? base : "\(scheme)://\($0)" } ?? base
  }

  /// The whole URL that was asked for.
  var url: String { target.hasPrefix("/") ? base + target : target }

  /// The first value of that field, named in lower case.
  func field(_ name: String) -> String? { fields.first { $0.name.lowercased() == name }?.value }

  /// The last value of that query item.
  func queryItem(_ name: String) -> String? { query.last { $0.name == name }?.value }
}

extension IncomingRequest {
  /// The reply most endpoints give: what the origin saw of the request.
  var echo: JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("url", .string(url)),
      ("origin", .string(origin)),
      (
        "headers",
        .array(
          fields.map { .object([("name", .string($0.name)), ("value", .string($0.value))]) })
      ),
    ]
    if !body.isEmpty {
      members.append(("data", .string(text(of: body))))
    }
    if let form = FormBody.pairs(body, contentType: field("content-type")) {
      members.append(("form", .strings(form)))
    }
    members.append(("args", .strings(query)))
    return .object(members)
  }

  /// Repaired where it is no UTF-8. `String(decoding:as:)` throws and catches an error for each byte that it repairs, which takes
  /// seconds for megabytes where errors are watched, as they are in tests.
  private func text(of body: some Collection<UInt8>) -> String {
    if let text = String(validating: body, as: UTF8.self) { return text }
    var repaired: [UInt8] = []
    repaired.reserveCapacity(body.count * 3)
    _ = transcode(body.makeIterator(), from: UTF8.self, to: UTF8.self, stoppingOnError: false) {
      repaired.append($0)
    }
    return String(decoding: repaired, as: UTF8.self)
  }
}
