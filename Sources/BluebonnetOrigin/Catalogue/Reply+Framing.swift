// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

extension Reply {
  /// The facts about a request and its connection that its reply's framing depends on.
  struct ReplyContext {
    /// HEAD: everything but the body.
    var isHead = false
    /// The minor version the client speaks.
    var minorVersion = 1
    /// Whether the connection is to be kept after this reply.
    var keepsConnection = true
  }

  /// The reply as steps on the connection: head, framed body, and the close if there has to be one.
  func steps(_ context: ReplyContext) throws(HTTP1Error) -> [ScriptedReply.Step] {
    var closes = !context.keepsConnection || fields.contains { $0.name == "Connection" }
    var framing: [Field] = []
    var content: [ScriptedReply.Step] = []
    switch body {
    case .absent: break
    case .sized(let length, let steps):
      framing.append(Field(name: "Content-Length", value: "\(length)"))
      content = steps
    case .chunked(let steps) where context.minorVersion == 0:
      // RFC 9112 §6.1: HTTP/1.0 knows no chunks, so the end of the stream has to end the body.
      closes = true
      content = steps
    case .chunked(let steps):
      framing.append(Field(name: "Transfer-Encoding", value: "chunked"))
      content = Self.chunks(steps)
    }
    if closes, !fields.contains(where: { $0.name == "Connection" }) {
      framing.append(Field(name: "Connection", value: "close"))
    } else if !closes, context.minorVersion == 0 {
      framing.append(Field(name: "Connection", value: "keep-alive"))
    }

    let head = ScriptedReply.Step.bytes(try head(adding: framing))
    let thinking: [ScriptedReply.Step] = delay > 0 ? [.pause(milliseconds: delay)] : []
    return thinking + [head] + (context.isHead ? [] : content) + (closes ? [.close] : [])
  }

  private func head(adding framing: [Field]) throws(HTTP1Error) -> [UInt8] {
    var encoder = ResponseEncoder(capacity: 512)
    try encoder.begin(status: status, reason: ReasonPhrase.of(status))
    for field in fields + framing { try encoder.field(field.name, field.value) }
    encoder.end()
    return encoder.bytes
  }

  private static func chunks(_ steps: [ScriptedReply.Step]) -> [ScriptedReply.Step] {
    let framed = steps.map { step -> ScriptedReply.Step in
      guard case .bytes(let bytes) = step else { return step }
      return .bytes(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A])
    }
    return framed + [.bytes(Array("0\r\n\r\n".utf8))]
  }
}
