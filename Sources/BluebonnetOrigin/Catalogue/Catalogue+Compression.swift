// SPDX-License-Identifier: MIT
import BluebonnetContentCoding
import BluebonnetContentEncoding

extension Catalogue {
  /// `/gzip`, `/deflate`, `/brotli`: the echo in that content coding, whatever the client accepts.
  func compressed(_ request: IncomingRequest) -> Reply {
    let name = request.path[0] == "brotli" ? "br" : request.path[0]
    guard let content = ContentCoding(name: name)?.encoded(request.echo.bytes) else {
      return .refusal(500, "cannot encode as \(name)")
    }
    return Reply.bytes(content, type: Reply.jsonType).adding("Content-Encoding", name)
  }
}

extension ContentCoding {
  /// `content` in this coding, or nil if there is no memory for it.
  func encoded(_ content: [UInt8]) -> [UInt8]? {
    try? ContentEncoder.encode(content, as: self)
  }
}
