// SPDX-License-Identifier: MIT

/// An endpoint's answer before it is framed for the wire.
struct Reply: Equatable {
  enum Body: Equatable {
    /// No body and no field about one (204, 304).
    case absent
    /// `length` bytes in all, by Content-Length.
    case sized(Int, [ScriptedReply.Step])
    /// Each step of bytes is one chunk; `repeating` is a pattern that is framed already.
    case chunked([ScriptedReply.Step])
  }

  struct Field: Equatable {
    let name: String
    let value: String
  }

  var status = 200
  var fields: [Field] = []
  var body: Body
  /// The time that the endpoint takes before the head.
  var delay = 0
}

extension Reply {
  static let jsonType = "application/json; charset=utf-8"

  /// An empty body, with a stated length of 0.
  static func empty(_ status: Int, _ fields: [Field] = []) -> Reply {
    Reply(status: status, fields: fields, body: .sized(0, []))
  }

  static func bytes(_ bytes: [UInt8], type: String?, status: Int = 200) -> Reply {
    Reply(
      status: status, fields: type.map { [Field(name: "Content-Type", value: $0)] } ?? [],
      body: .sized(bytes.count, bytes.isEmpty ? [] : [.bytes(bytes)]))
  }

  static func json(_ value: JSONValue, status: Int = 200) -> Reply {
    .bytes(value.bytes, type: jsonType, status: status)
  }

  /// A refusal that says why, so that a failing test shows it.
  static func refusal(_ status: Int, _ reason: String) -> Reply {
    .bytes(Array((reason + "\n").utf8), type: "text/plain; charset=utf-8", status: status)
  }

  func adding(_ name: String, _ value: String) -> Reply {
    var reply = self
    reply.fields.append(Field(name: name, value: value))
    return reply
  }
}
