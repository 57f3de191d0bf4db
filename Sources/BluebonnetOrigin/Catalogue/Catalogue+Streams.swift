// SPDX-License-Identifier: MIT
extension Catalogue {
  private static let binaryType = "application/octet-stream"

  /// `/bytes/:n`: random bytes without a Content-Type.
  func randomBytes(_ request: IncomingRequest) -> Reply {
    guard let count = Int(request.path[1]), (0...100_000).contains(count) else {
      return .refusal(400, "0 to 100000 bytes")
    }
    return .bytes((0..<count).map { _ in UInt8.random(in: .min ... .max) }, type: nil)
  }

  /// `/manyBytes/:n`: one random byte, over and over.
  func manyBytes(_ request: IncomingRequest) -> Reply {
    guard let count = Int(request.path[1]), (0...10_000_000).contains(count) else {
      return .refusal(400, "0 to 10000000 bytes")
    }
    let page = [UInt8](repeating: .random(in: .min ... .max), count: 65_536)
    return Reply(body: .sized(count, [.repeating(page, count: count)]))
  }

  /// `/stream/:n`: n echoes, one per line, as one body of known length.
  func stream(_ request: IncomingRequest) -> Reply {
    guard let count = Int(request.path[1]), (1...100).contains(count) else {
      return .refusal(400, "1 to 100 objects")
    }
    let line = request.echo.bytes
    return .bytes(
      Array(repeatElement(line, count: count).joined(separator: [0x0A])), type: Reply.jsonType)
  }

  /// `/chunked/:n[/:delay]`: n chunks of one byte, which counts down to 1.
  func chunked(_ request: IncomingRequest) -> Reply {
    chunks(of: request) { [UInt8(truncatingIfNeeded: $0)] }
  }

  /// `/payloads/:n[/:delay]`: n chunks of one echo each.
  func payloads(_ request: IncomingRequest) -> Reply {
    let echo = request.echo.bytes
    return chunks(of: request) { _ in echo }
  }

  /// `/infinite`: never ends. The chunks are small enough to be made once and sent again and again.
  func infinite() -> Reply {
    let content = [UInt8](repeating: 1, count: 65_536)
    let chunk = Array("10000\r\n".utf8) + content + [0x0D, 0x0A]
    return Reply(body: .chunked([.repeating(chunk, count: nil)])).adding("Content-Type", Self.binaryType)
  }

  private func chunks(of request: IncomingRequest, content: (Int) -> [UInt8]) -> Reply {
    guard let count = Int(request.path[1]), (0...100_000).contains(count),
      let delay = Int(request.path.count > 2 ? request.path[2] : "20"), (0...10_000).contains(delay)
    else { return .refusal(400, "up to 100000 chunks, up to 10000 milliseconds apart") }
    var steps: [ScriptedReply.Step] = []
    for index in stride(from: count, to: 0, by: -1) {
      if index < count, delay > 0 { steps.append(.pause(milliseconds: delay)) }
      steps.append(.bytes(content(index)))
    }
    return Reply(body: .chunked(steps)).adding("Content-Type", Self.binaryType)
  }
}
