// SPDX-License-Identifier: MIT
extension ScriptedReply {
  /// Sends `text` as it is; the connection stays open.
  public static func text(_ text: String) -> ScriptedReply { ScriptedReply([.bytes(Array(text.utf8))]) }

  /// A response with these fields, and the length of its body as Content-Length unless they have one, written without any check. A
  /// status that means a response without content (1xx, 204, 304) gets no Content-Length (RFC 9110 §8.6).
  public static func response(
    status: Int = 200, reason: String = "", fields: [(name: String, value: String)] = [],
    body: some Collection<UInt8> = []
  ) -> ScriptedReply {
    var head = "HTTP/1.1 \(status) \(reason)\r\n"
    for field in fields { head += "\(field.name): \(field.value)\r\n" }
    let hasContent = status >= 200 && status != 204 && status != 304
    if hasContent, !fields.contains(where: { $0.name.lowercased() == "content-length" }) {
      head += "Content-Length: \(body.count)\r\n"
    }
    return ScriptedReply([.bytes(Array((head + "\r\n").utf8) + body)])
  }

  /// Only the first `count` bytes of what `self` would send, then `step`.
  public func cut(after count: Int, then step: Step) -> ScriptedReply {
    var rest = count
    var kept: [Step] = []
    for step in steps where rest > 0 {
      switch step {
      case .bytes(let bytes):
        kept.append(.bytes(Array(bytes.prefix(rest))))
        rest -= min(rest, bytes.count)
      case .repeating(let pattern, let length):
        let taken = min(rest, length ?? rest)
        kept.append(.repeating(pattern, count: taken))
        rest -= taken
      default:
        kept.append(step)
      }
    }
    return ScriptedReply(kept + [step], at: moment)
  }

  /// The same bytes in pieces of `size`, `milliseconds` apart.
  public func dripping(size: Int = 1, every milliseconds: Int) -> ScriptedReply {
    let size = max(1, size)
    let slowed = steps.flatMap { step -> [Step] in
      guard case .bytes(let bytes) = step else { return [step] }
      return stride(from: 0, to: bytes.count, by: size).flatMap { start in
        [.bytes(Array(bytes[start..<min(start + size, bytes.count)])), .pause(milliseconds: milliseconds)]
      }
    }
    return ScriptedReply(slowed, at: moment)
  }

  /// This reply with one more step at its end.
  public func then(_ step: Step) -> ScriptedReply { ScriptedReply(steps + [step], at: moment) }

  /// This reply, begun at another moment of the request.
  public func starting(at moment: Moment) -> ScriptedReply { ScriptedReply(steps, at: moment) }
}
