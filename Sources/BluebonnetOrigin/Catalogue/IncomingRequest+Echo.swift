// SPDX-License-Identifier: MIT
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
