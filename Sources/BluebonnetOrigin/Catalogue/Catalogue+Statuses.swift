// SPDX-License-Identifier: MIT
extension Catalogue {
  /// `/delay/:n`: after n seconds, or at once if that is more than ten.
  func delayed(_ request: IncomingRequest) -> Reply {
    guard let seconds = Double(request.path[1]), seconds >= 0 else {
      return .refusal(400, "a delay is a number of seconds")
    }
    var reply = Reply.json(request.echo)
    if seconds <= 10 { reply.delay = Int(seconds * 1_000) }
    return reply
  }

  /// `/status/:code`.
  func status(_ request: IncomingRequest) -> Reply {
    guard let code = Int(request.path[1]), (200..<600).contains(code) else {
      return .refusal(400, "a final status is 200 to 599")
    }
    switch code {
    case 204, 205: return Reply(status: code, body: code == 204 ? .absent : .sized(0, []))
    case ..<300: return .bytes(request.echo.bytes, type: nil, status: code)
    case 304: return Reply(status: code, body: .absent).adding("Location", methodLocation(request))
    case ..<400: return Reply.empty(code).adding("Location", methodLocation(request))
    default:
      let reply = Reply.empty(code)
      return request.field("upgrade") == nil ? reply : reply.adding("Connection", "close")
    }
  }

  /// `/redirect/:n`: n redirects, the last one to `/get`.
  func redirect(_ request: IncomingRequest) -> Reply {
    guard let count = Int(request.path[1]), (1...99).contains(count) else {
      return .refusal(400, "1 to 99 redirects")
    }
    let location = count == 1 ? "/get" : "/redirect/\(count - 1)"
    return Reply.empty(302).adding("Location", request.base + location)
  }

  /// `/redirect-to?url=&statusCode=`.
  func redirectTo(_ request: IncomingRequest) -> Reply {
    guard let url = request.queryItem("url") else { return .refusal(400, "where to? url= is missing") }
    guard let code = Int(request.queryItem("statusCode") ?? "302"), (200..<600).contains(code) else {
      return .refusal(400, "a final status is 200 to 599")
    }
    return Reply.empty(code).adding("Location", url)
  }

  private func methodLocation(_ request: IncomingRequest) -> String {
    request.base + "/" + (request.method == "HEAD" ? "get" : request.method.lowercased())
  }
}
