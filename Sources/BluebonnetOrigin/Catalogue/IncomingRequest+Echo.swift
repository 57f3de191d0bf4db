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
      members.append(("data", .string(String(decoding: body, as: UTF8.self))))
    }
    if let form = FormBody.pairs(body, contentType: field("content-type")) {
      members.append(("form", .strings(form)))
    }
    members.append(("args", .strings(query)))
    return .object(members)
  }
}
