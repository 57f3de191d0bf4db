// SPDX-License-Identifier: MIT
import BluebonnetSemantics

/// All endpoints: a request in, a reply out. It remembers only what `/cache` and the ways of authentication have to.
struct Catalogue {
  /// Makes the nonces of digest authentication this origin's own.
  let nonceSecret = UInt64.random(in: .min ... .max)
  /// The `Cache-Control` values that `/cache` saw once and not yet twice.
  var seenCacheControls: Set<String> = []
  /// The uses of each nonce that is counted, and the number made.
  var nonceUses: [String: Set<String>] = [:]
  var nonceNumber = 0
  /// The authentication of connections.
  var acceptors: [NTLMConnection: NTLMAcceptor] = [:]

  /// Methods of the endpoints that say they take all of them.
  static let common: Set<String> = ["GET", "POST", "PUT", "PATCH", "DELETE"]
  static let getOnly: Set<String> = ["GET"]

  /// Answers `request` at `now`, in seconds since 1970.
  mutating func reply(to request: IncomingRequest, now: Int) -> Reply {
    // HEAD is answered as GET is; the framing leaves the body away.
    let method = request.method == "HEAD" ? "GET" : request.method
    // RFC 9112 §3.2; HTTP/1.0 clients may leave it away, and so may all here.
    guard request.fields.count(where: { $0.name.lowercased() == "host" }) <= 1 else {
      return .refusal(400, "more than one Host")
    }
    guard let methods = methods(of: request.path) else { return .refusal(404, "no such endpoint") }
    guard methods.contains(method) else {
      return .refusal(405, "this endpoint does not take \(method)")
        .adding("Allow", methods.sorted().joined(separator: ", "))
    }
    var reply = answer(request, now: now)
    if !reply.fields.contains(where: { $0.name == "Date" }) {
      reply.fields.insert(.init(name: "Date", value: HTTPDate.format(now)), at: 0)
    }
    return reply
  }

  private func methods(of path: [String]) -> Set<String>? {
    switch (path.first ?? "", path.count) {
    case ("get", 1), ("post", 1), ("put", 1), ("patch", 1), ("delete", 1): [path[0].uppercased()]
    case ("gzip", 1), ("deflate", 1), ("brotli", 1), ("redirect-to", 1): Self.common
    case ("delay", 2), ("status", 2): Self.common
    case ("basic-auth", 3), ("hidden-basic-auth", 3), ("digest-auth", 4), ("ntlm-auth", 3): Self.common
    case ("redirect", 2), ("bytes", 2), ("manyBytes", 2), ("stream", 2), ("download", 2), ("image", 2):
      Self.getOnly
    case ("chunked", 2...3), ("payloads", 2...3): Self.getOnly
    case ("infinite", 1), ("ip", 1), ("response-headers", 1), ("cache", 1), ("xml", 1): Self.getOnly
    case ("upload", 1): ["POST"]
    case ("websocket", 1), ("websocket", 2...3): Self.getOnly
    default: nil
    }
  }

  private mutating func answer(_ request: IncomingRequest, now: Int) -> Reply {
    switch request.path[0] {
    case "delay": delayed(request)
    case "status": status(request)
    case "redirect": redirect(request)
    case "redirect-to": redirectTo(request)
    case "basic-auth", "hidden-basic-auth": basicAuthentication(request)
    case "digest-auth": digestAuthentication(request, now: now)
    case "ntlm-auth": ntlmAuthentication(request, now: now)
    case "gzip", "deflate", "brotli": compressed(request)
    case "bytes": randomBytes(request)
    case "manyBytes": manyBytes(request)
    case "stream": stream(request)
    case "chunked": chunked(request)
    case "payloads": payloads(request)
    case "infinite": infinite()
    case "download": download(request)
    case "image": image(request)
    case "ip": .json(.object([("origin", .string(request.origin))]))
    case "response-headers": responseHeaders(request)
    case "cache": cache(request, now: now)
    case "upload": .json(.object([("bytes", .integer(request.bodyLength))]))
    case "xml": .bytes(Array(Self.slideshow.utf8), type: "application/xml")
    // An opening handshake does not come this far.
    case "websocket": .refusal(426, "this is a WebSocket").adding("Upgrade", "websocket")
    default: .json(request.echo)
    }
  }
}
