// SPDX-License-Identifier: MIT
import Glibc
import NIOCore
import NIOEmbedded
import NIOHTTP1

// (head|request) FILE ROUNDS: prints the nanoseconds that one message took, in the pipeline where this decoder lives;
// `request` only writes the requests that the decoder wants to have seen, which is to be subtracted where steps are
// counted.
let words = CommandLine.arguments
guard words.count == 4, ["head", "request"].contains(words[1]), let rounds = Int(words[3]),
  let input = contents(of: words[2])
else {
  print("usage: (head|request) FILE ROUNDS")
  exit(2)
}
let channel = EmbeddedChannel()
// The decoder wants to have seen the request that each response answers.
let decoder = HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes)
let encoder = HTTPRequestEncoder()
try channel.pipeline.syncOperations.addHandlers([encoder, ByteToMessageHandler(decoder)])
let request = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["Host": "a"])
let message = channel.allocator.buffer(bytes: input)

var spent: UInt64 = 0
for _ in 0..<rounds {
  try channel.writeOutbound(HTTPClientRequestPart.head(request))
  try channel.writeOutbound(HTTPClientRequestPart.end(nil))
  while try channel.readOutbound(as: ByteBuffer.self) != nil {}
  if words[1] == "request" { continue }
  let start = nanoseconds()
  try channel.writeInbound(message)
  guard case .head = try channel.readInbound(as: HTTPClientResponsePart.self) else { exit(1) }
  guard case .end = try channel.readInbound(as: HTTPClientResponsePart.self) else { exit(1) }
  spent += nanoseconds() - start
}
print(Double(spent) / Double(rounds))

func nanoseconds() -> UInt64 {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}

func contents(of path: String) -> [UInt8]? {
  guard let file = fopen(path, "rb") else { return nil }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  let count = fread(&bytes, 1, bytes.count, file)
  return Array(bytes[..<count])
}
