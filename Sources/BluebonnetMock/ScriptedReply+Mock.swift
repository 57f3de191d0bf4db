// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetFoundation
import BluebonnetOrigin

// Replies as tests of APIs need them. Whatever goes wrong on the wire is made of `ScriptedReply`'s own steps.
extension ScriptedReply {
  /// A value as JSON.
  ///
  /// - Parameters:
  ///   - value: The value. One that cannot be encoded is answered as a 500 that says so.
  ///   - status: The status; 200 by default.
  ///   - headers: Fields beside `Content-Type` and `Content-Length`.
  ///   - encoder: What writes it; a plain `JSONEncoder` by default.
  public static func json(
    _ value: some Encodable, status: Int = 200, headers: HTTPHeaders = [:],
    encoder: JSONEncoder = JSONEncoder()
  ) -> ScriptedReply {
    do {
      return data(try encoder.encode(value), type: "application/json", status: status, headers: headers)
    } catch {
      return text("the mock cannot write \(type(of: value)) as JSON: \(error)", status: 500)
    }
  }

  /// Text in UTF-8.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - status: The status.
  ///   - headers: Fields beside `Content-Type` and `Content-Length`.
  public static func text(_ text: String, status: Int, headers: HTTPHeaders = [:]) -> ScriptedReply {
    data(Data(text.utf8), type: "text/plain; charset=utf-8", status: status, headers: headers)
  }

  /// Bytes of any kind.
  ///
  /// - Parameters:
  ///   - data: The body.
  ///   - type: The media type.
  ///   - status: The status; 200 by default.
  ///   - headers: Fields beside `Content-Type` and `Content-Length`.
  public static func data(
    _ data: Data, type: String = "application/octet-stream", status: Int = 200, headers: HTTPHeaders = [:]
  ) -> ScriptedReply {
    response(
      status: status,
      fields: [(name: "Content-Type", value: type)] + headers.map { (name: $0.name, value: $0.value) },
      body: data)
  }

  /// A status without a body.
  ///
  /// - Parameters:
  ///   - status: The status, from 200.
  ///   - headers: Fields, such as `Location`.
  public static func status(_ status: Int, headers: HTTPHeaders = [:]) -> ScriptedReply {
    var fields = headers.map { (name: $0.name, value: $0.value) }
    // RFC 9110 §8.6: a 204 says nothing about its length.
    guard status != 204, status != 304 else {
      let lines = fields.map { "\($0.name): \($0.value)\r\n" }.joined()
      return ScriptedReply([.bytes(Array("HTTP/1.1 \(status) \r\n\(lines)\r\n".utf8))])
    }
    fields.append((name: "Content-Length", value: "0"))
    return response(status: status, fields: fields)
  }

  /// This reply, begun so much later.
  ///
  /// - Parameter seconds: How much later; to the millisecond.
  public func delayed(by seconds: TimeInterval) -> ScriptedReply {
    let milliseconds = Int(min(max(0, seconds), 1e6) * 1000)
    return ScriptedReply([.pause(milliseconds: milliseconds)] + steps, at: moment)
  }

  /// The reply to a request with this method: to HEAD there is no body (RFC 9110 §9.3.2), whatever the reply was written for.
  func fitting(_ method: HTTPMethod) -> ScriptedReply {
    guard method == .head else { return self }
    var head = HeadCutter()
    let steps = self.steps.compactMap { step -> Step? in
      switch step {
      case .bytes(let bytes):
        let rest = head.cut(bytes)
        return rest.isEmpty ? nil : .bytes(rest)
      case .repeating: return head.isComplete ? nil : step
      default: return step
      }
    }
    return ScriptedReply(steps, at: moment)
  }
}

/// Lets a response's head pass, whatever pieces it comes in, and interim ones before it (RFC 9110 §15.2); then nothing.
private struct HeadCutter {
  private(set) var isComplete = false
  private var head: [UInt8] = []

  mutating func cut(_ bytes: [UInt8]) -> [UInt8] {
    if isComplete { return [] }
    var start = max(0, head.count - 3)
    head += bytes
    while let end = head[start...].firstRange(of: Array("\r\n\r\n".utf8))?.upperBound {
      // "HTTP/1.1 1": another head follows.
      guard head.dropFirst(9).first == UInt8(ascii: "1") else {
        isComplete = true
        return Array(bytes.dropLast(head.count - end))
      }
      head.removeFirst(end)
      start = 0
    }
    return bytes
  }
}
