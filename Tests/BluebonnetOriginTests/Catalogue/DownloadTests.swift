// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import Testing

@Suite struct DownloadTests {
  let origin: Origin
  let socket: RawSocket

  init() throws {
    origin = try Origin.start()
    socket = try RawSocket(port: origin.port)
  }

  private func pattern(_ range: Range<Int>) -> [UInt8] { range.map { UInt8($0 % 251) } }

  @Test func whole() throws {
    let reply = try socket.exchange("GET", "/download/10000")
    #expect(reply.body == pattern(0..<10_000))
    #expect(reply["Accept-Ranges"] == "bytes")
    #expect(reply["Last-Modified"] != nil)
  }

  @Test(arguments: [
    ("bytes=0-9", 0..<10), ("bytes=990-", 990..<1_000), ("bytes=-5", 995..<1_000),
    ("bytes=500-5000", 500..<1_000),
  ])
  func part(range: String, part: Range<Int>) throws {
    let reply = try socket.exchange("GET", "/download/1000?shouldProduceError=true", ["Range: \(range)"])
    #expect(reply.status == 206)
    #expect(reply["Content-Range"] == "bytes \(part.lowerBound)-\(part.upperBound - 1)/1000")
    #expect(reply.body == pattern(part))
  }

  @Test(arguments: ["bytes=1-0", "bytes=a-b", "bytes=0-1,3-4", "lines=1-2", "bytes="])
  func rangesThatAreNone(range: String) throws {
    #expect(try socket.exchange("GET", "/download/100", ["Range: \(range)"]).status == 200)
  }

  @Test func rangesThatDoNotFit() throws {
    let reply = try socket.exchange("GET", "/download/100", ["Range: bytes=100-"])
    #expect(reply.status == 416)
    #expect(reply["Content-Range"] == "bytes */100")
    let stale = ["Range: bytes=50-", "If-Range: \"other\""]
    #expect(try socket.exchange("GET", "/download/100", stale).status == 200)
    let tag = try socket.exchange("HEAD", "/download/100")["ETag"] ?? ""
    #expect(
      try socket.exchange("GET", "/download/100", ["Range: bytes=50-", "If-Range: \(tag)"]).status == 206)
  }

  @Test func breaksInTheSecondHalf() throws {
    let reply = try socket.exchange("GET", "/download/1000?shouldProduceError=true")
    #expect(reply["Content-Length"] == "1000")
    #expect(!reply.isComplete)
    #expect((500..<1_000).contains(reply.body.count))
  }

  @Test(arguments: ["9", "15", "10000010", "x", "-10"])
  func sizesThatAreNone(size: String) throws {
    #expect(try socket.exchange("GET", "/download/\(size)").status == 400)
  }
}
