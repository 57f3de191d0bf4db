// SPDX-License-Identifier: MIT
import BluebonnetSemantics

extension Catalogue {
  /// `/response-headers?k=v`: the query as fields and as the body.
  func responseHeaders(_ request: IncomingRequest) -> Reply {
    let content = JSONValue.strings(request.query).bytes
    var reply = Reply(body: .sized(content.count, [.bytes(content)]))
    reply.fields = request.query.map { Reply.Field(name: $0.name, value: $0.value) }
    // The framing is the origin's own; a length out of the query would only break the connection.
    reply.fields.removeAll { ["content-length", "transfer-encoding"].contains($0.name.lowercased()) }
    if !reply.fields.contains(where: { $0.name.lowercased() == "content-type" }) {
      reply = reply.adding("Content-Type", Reply.jsonType)
    }
    return reply
  }

  /// `/cache?Cache-Control=v`: the first answer for a value is five seconds old, the next one fresh.
  mutating func cache(_ request: IncomingRequest, now: Int) -> Reply {
    let control = request.queryItem("Cache-Control") ?? ""
    let reply = responseHeaders(request)
    guard seenCacheControls.insert(control).inserted else {
      seenCacheControls.remove(control)
      return reply
    }
    return reply.adding("Date", HTTPDate.format(now - 5))
  }

  static let slideshow = """
    <?xml version="1.0" encoding="UTF-8"?>
    <slideshow title="Prairie Flowers" date="2026-04-01" author="Bluebonnet">
      <slide type="all"><title>Spring by the road</title></slide>
      <slide type="all">
        <title>Overview</title>
        <item>Why <em>bluebonnets</em> are blue</item>
        <item/>
      </slide>
    </slideshow>
    """
}
