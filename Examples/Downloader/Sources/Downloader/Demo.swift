// SPDX-License-Identifier: MIT
import BluebonnetOrigin

/// A slow server inside this process, which loses the connection in the middle of one of its three files.
struct Demo {
  private static let files = [
    ("lupin.img", 6_000_000, "11630bb88c82dd476d8f970b9e24861a1ac28481f1d2f7b72092ecb240eb5953"),
    ("bonnet.img", 4_000_000, "35a4b558fb5752ca9838a388a2322e48a60f7506f47cccca55a7763104a5d408"),
    ("seed.img", 2_000_000, "82fa05417c03925cb7e8fd2bc2e9f2e2a1c8c421427ccdba1ab0091261e3a840"),
  ]
  private static let piece = 50_200

  private let origin: Origin

  /// URLs with their checksums.
  var addresses: [String] { Self.files.map { "\(origin.baseURL)/\($0.0)#sha256=\($0.2)" } }

  init() throws {
    origin = try Origin.start()
    for (name, size, _) in Self.files {
      origin.handle("/\(name)") { request in
        Self.reply(to: request, size: size, breaksOff: name == "bonnet.img")
      }
    }
  }

  /// Byte i of a file is i modulo 251; a piece takes 20 milliseconds.
  private static func reply(to request: RecordedRequest, size: Int, breaksOff: Bool) -> ScriptedReply {
    let range = request.value("Range").flatMap { Int($0.drop { !$0.isNumber }.prefix { $0.isNumber }) }
    let start = range.map { min($0, size) } ?? 0
    var head = range == nil ? "HTTP/1.1 200 OK\r\n" : "HTTP/1.1 206 Partial Content\r\n"
    head += "ETag: \"1\"\r\nContent-Length: \(size - start)\r\n"
    if range != nil { head += "Content-Range: bytes \(start)-\(size - 1)/\(size)\r\n" }
    var steps = [ScriptedReply.Step.bytes(Array("\(head)\r\n".utf8))]
    // A piece has 200 times 251 bytes, so that each begins alike.
    let pattern = (0..<piece).map { UInt8((start + $0) % 251) }
    for place in stride(from: start, to: size, by: piece) {
      if breaksOff, range == nil, place > size / 3 { return ScriptedReply(steps + [.abruptClose]) }
      steps += [.bytes(Array(pattern.prefix(size - place))), .pause(milliseconds: 20)]
    }
    return ScriptedReply(steps)
  }
}
