// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import Glibc
import Testing

/// Input that ends where memory ends: reading one byte too many is a crash, not a coincidence.
@Suite struct GuardPageTests {
  @Test func nothingIsReadBehindTheInput() throws {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let flags = MAP_PRIVATE | MAP_ANONYMOUS
    let memory = try #require(mmap(nil, page * 2, PROT_READ | PROT_WRITE, flags, -1, 0))
    try #require(memory != MAP_FAILED)
    defer { munmap(memory, page * 2) }
    try #require(mprotect(memory + page, page, PROT_NONE) == 0)

    let messages = [
      "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 5\r\nX: y\r\n\r\nhello",
      "HTTP/1.1 404 A reason that is longer than a block of sixty-four bytes, so that the input may end in it\r\n"
        + "Content-Length: 2\r\n\r\nno",
      "HTTP/1.1 200 OK\r\nX-A-Name-That-Is-Longer-Than-Two-Blocks-Of-Sixteen-Bytes: y\r\nEmpty:\r\nEmpty: \r\nA:\tb \r\n"
        + "Strict-Transport-Security: max-age=31536000\r\nContent-Length: 0\r\nCaf: \u{e9}\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nTrailer-Field: value\r\n\r\n",
    ]
    for message in messages {
      let bytes = Array(message.utf8)
      for count in 0...bytes.count {
        let start = memory + page - count
        UnsafeMutableRawBufferPointer(start: start, count: count).copyBytes(from: bytes[..<count])
        let input = UnsafeRawBufferPointer(start: start, count: count).bindMemory(to: UInt8.self)
        var parser = ResponseParser(toMethod: .ordinary)
        var consumed = 0
        var last = ResponseParser.Event.needsMore
        repeat {
          last = try parser.next(in: input.span, consumed: &consumed)
        } while last != .needsMore && last != .end
        #expect((last == .end) == (count == bytes.count))
      }
    }
  }
}
