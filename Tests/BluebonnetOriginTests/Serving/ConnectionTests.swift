// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import Glibc
import Testing

@Suite struct ConnectionTests {
  @Test func keepsConnections() throws {
    let origin = try Origin.start()
    let socket = try RawSocket(port: origin.port)
    for _ in 0..<3 { #expect(try socket.exchange("GET", "/ip").status == 200) }
    let requests = origin.requests
    #expect(requests.map(\.connection) == [1, 1, 1])
    #expect(requests.map(\.ordinal) == [1, 2, 3])
    #expect(requests.map(\.arrival) == requests.map(\.arrival).sorted())
    #expect(origin.connectionCount == 1)
    #expect(origin.openConnections == 1)
    let reply = try socket.exchange("GET", "/ip", ["Connection: close"])
    #expect(reply["Connection"] == "close")
    #expect(socket.receive() == .closed)
  }

  @Test func pipelining() throws {
    let origin = try Origin.start()
    let socket = try RawSocket(port: origin.port)
    let request = { (path: String) in "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }
    try socket.send(
      request("/delay/0.02") + request("/chunked/2/0")
        + "POST /post HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody" + request("/ip"))
    #expect(try socket.receiveResponse().text.contains("/delay/0.02"))
    #expect(try socket.receiveResponse().body == [2, 1])
    #expect(try socket.receiveResponse().text.contains(#""data":"body""#))
    #expect(try socket.receiveResponse().text == #"{"origin":"127.0.0.1"}"#)
  }

  @Test func byteByByte() throws {
    let origin = try Origin.start()
    let socket = try RawSocket(port: origin.port)
    let request = "POST /post HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
    for byte in request.utf8 { try socket.send([byte]) }
    #expect(try socket.receiveResponse().text.contains(#""data":"hi""#))
  }

  @Test func continues() throws {
    let origin = try Origin.start()
    let socket = try RawSocket(port: origin.port)
    try socket.send("POST /post HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
    #expect(try socket.receiveResponse().status == 100)
    try socket.send("ok")
    #expect(try socket.receiveResponse().text.contains(#""data":"ok""#))
  }

  @Test(arguments: [
    "GET\r\n\r\n", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", "POST /post HTTP/1.1\r\nContent-Length: x\r\n\r\n",
    "POST /post HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "GET /" + String(repeating: "a", count: 1_000_000),
  ])
  func malformedRequestsAreRefused(request: String) throws {
    let origin = try Origin.start()
    let socket = try RawSocket(port: origin.port)
    try? socket.send(request)
    let reply = try socket.receiveResponse()
    #expect(reply.status == 400)
    #expect(socket.receive() == .closed)
  }

  @Test func bodiesThatAreTooLargeAreRefused() throws {
    let origin = try Origin.start()
    let socket = try RawSocket(port: origin.port)
    let reply = try socket.exchange("POST", "/post", body: [UInt8](repeating: 0, count: 10_000_001))
    #expect(reply.status == 413)
    #expect(socket.receive() == .closed)
  }

  /// A client that does not read stops the origin, which holds no more than it said it would. In a process of its
  /// own, since the memory of other tests is none of this one's business.
  @Test func endlessBodiesWaitForTheClient() async {
    await #expect(processExitsWith: .success) {
      let origin = try Origin.start()
      let lazy = try RawSocket(port: origin.port)
      try lazy.send("GET /infinite HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = try lazy.receive(atLeast: 1)
      let before = residentPages()
      let busy = try RawSocket(port: origin.port)
      for _ in 0..<200 { #expect(try busy.exchange("GET", "/ip").status == 200) }
      // A single one of the 100 MB that are offered would be 25,600 pages.
      #expect(residentPages() - before < 20_480)
    }
  }

  @Test func otherEndpoints() throws {
    let path = "/tmp/bluebonnet-origin-\(getpid()).sock"
    let local = try Origin.start(on: .unix(path: path))
    #expect(local.baseURL == "http://localhost")
    #expect(try RawSocket(path: path).exchange("GET", "/ip").text == #"{"origin":"unix"}"#)
    local.stop()
    #expect(access(path, F_OK) != 0)

    let six = try Origin.start(on: .ipv6())
    #expect(six.baseURL == "http://[::1]:\(six.port)")
    #expect(
      try RawSocket(port: six.port, family: AF_INET6).exchange("GET", "/ip").text == #"{"origin":"::1"}"#)
    #expect(throws: OriginError.self) { try Origin.start(on: .ipv6(port: six.port)) }
    #expect(throws: OriginError.self) { try Origin.start(on: .unix(path: "/nowhere/at/all.sock")) }
  }

  @Test func stoppingClosesEverything() throws {
    let origin = try Origin.start()
    let socket = try RawSocket(port: origin.port)
    #expect(try socket.exchange("GET", "/ip").status == 200)
    try socket.send("GET /delay/10 HTTP/1.1\r\nHost: a\r\n\r\n")
    while origin.requests.count < 2 { sched_yield() }
    origin.stop()
    #expect(socket.receive() != .timedOut)
    #expect(origin.openConnections == 0)
    #expect(throws: RawSocket.Failure.self) { try RawSocket(port: origin.port) }
    origin.stop()
  }
}

private func residentPages() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var text = [CChar](repeating: 0, count: 256)
  fgets(&text, Int32(text.count), file)
  let fields = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    .split(separator: " ")
  return fields.count > 1 ? Int(fields[1]) ?? 0 : 0
}
