// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import Glibc
import Testing

/// Each endpoint over a raw socket, all on one connection where it is kept.
@Suite struct EndpointTests {
  let origin: Origin
  let socket: RawSocket
  let base = "http://origin.test"

  init() throws {
    origin = try Origin.start()
    socket = try RawSocket(port: origin.port)
  }

  @Test func echo() throws {
    let reply = try socket.exchange("GET", "/get?a=1&b=x+y", ["X-Odd: Case", "x-odd: again"])
    #expect(reply.status == 200)
    #expect(reply["Content-Type"] == "application/json; charset=utf-8")
    #expect(reply["Date"]?.hasSuffix(" GMT") == true)
    #expect(
      reply.text == #"{"url":"http://origin.test/get?a=1&b=x+y","origin":"127.0.0.1","#
        + #""headers":[{"name":"Host","value":"origin.test"},{"name":"X-Odd","value":"Case"},"#
        + #"{"name":"x-odd","value":"again"}],"args":{"a":"1","b":"x y"}}"#)
  }

  @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"])
  func echoOfBodies(method: String) throws {
    let reply = try socket.exchange(
      method, "/" + method.lowercased(), ["Content-Type: application/x-www-form-urlencoded"],
      body: Array("k=v%20w".utf8))
    #expect(reply.status == 200)
    #expect(reply.text.contains(#""data":"k=v%20w","form":{"k":"v w"},"args":{}}"#))
  }

  @Test func echoOfAChunkedBody() throws {
    try socket.send(
      "POST /post HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"
    )
    #expect(try socket.receiveResponse().text.contains(#""data":"abcde""#))
    #expect(origin.requests.last?.body == Array("abcde".utf8))
  }

  @Test func wrongMethodsAndPlaces() throws {
    let wrong = try socket.exchange("POST", "/get")
    #expect(wrong.status == 405)
    #expect(wrong["Allow"] == "GET")
    for path in ["/", "/nowhere", "/get/more", "/bytes"] {
      #expect(try socket.exchange("GET", path).status == 404, "\(path)")
    }
    let notAsked = try socket.exchange("GET", "/websocket/echo")
    #expect(notAsked.status == 426)
    #expect(notAsked["Upgrade"] == "websocket")
  }

  @Test(arguments: ["/get", "/chunked/5", "/bytes/10", "/infinite", "/image/png"])
  func headIsGetWithoutTheBody(path: String) throws {
    let head = try socket.exchange("HEAD", path)
    #expect(head.status == 200)
    #expect(head["Content-Length"] != nil || head["Transfer-Encoding"] == "chunked")
    // Nothing of a body came: the next response begins where the head ended.
    #expect(try socket.exchange("GET", "/ip").text == #"{"origin":"127.0.0.1"}"#)
  }

  @Test func delay() throws {
    let start = ContinuousClock.now
    #expect(try socket.exchange("PUT", "/delay/0.05").status == 200)
    #expect(ContinuousClock.now - start >= .milliseconds(50))
    // Nobody waits an hour: it is answered at once.
    #expect(try socket.exchange("GET", "/delay/3600").status == 200)
    #expect(try socket.exchange("GET", "/delay/soon").status == 400)
  }

  @Test(arguments: [
    (100, 400), (199, 400), (200, 200), (204, 204), (205, 205), (226, 226), (301, 301), (304, 304),
    (404, 404),
    (418, 418), (599, 599), (600, 400),
  ])
  func statuses(asked: Int, given: Int) throws {
    let reply = try socket.exchange("PATCH", "/status/\(asked)")
    #expect(reply.status == given)
    guard asked == given else { return }
    #expect(reply["Content-Type"] == nil)
    #expect(reply["Location"] == ((300..<400).contains(given) ? base + "/patch" : nil))
    #expect(reply.body.isEmpty == !(given == 200 || given == 226))
    #expect(reply["Content-Length"] == nil ? given == 204 || given == 304 : true)
    #expect(try socket.exchange("GET", "/ip").status == 200)
  }

  @Test func statusClosesForUpgrades() throws {
    #expect(try socket.exchange("GET", "/status/400", ["Upgrade: websocket"])["Connection"] == "close")
    #expect(socket.receive() == .closed)
  }

  @Test func redirects() throws {
    #expect(try socket.exchange("GET", "/redirect/3")["Location"] == base + "/redirect/2")
    let last = try socket.exchange("GET", "/redirect/1")
    #expect(last.status == 302)
    #expect(last["Location"] == base + "/get")
    #expect(try socket.exchange("GET", "/redirect/100").status == 400)

    let elsewhere = try socket.exchange("DELETE", "/redirect-to?url=http%3A%2F%2Fa%2F%3Fb&statusCode=307")
    #expect(elsewhere.status == 307)
    #expect(elsewhere["Location"] == "http://a/?b")
    #expect(try socket.exchange("GET", "/redirect-to?url=/x").status == 302)
    #expect(try socket.exchange("GET", "/redirect-to").status == 400)
  }

  @Test func basicAuthentication() throws {
    let challenge = try socket.exchange("GET", "/basic-auth/user/pass%20word")
    #expect(challenge.status == 401)
    #expect(challenge["WWW-Authenticate"] == "Basic")
    let credentials = "Authorization: basic dXNlcjpwYXNzIHdvcmQ="
    #expect(try socket.exchange("GET", "/basic-auth/user/pass%20word", [credentials]).status == 200)
    #expect(try socket.exchange("GET", "/basic-auth/user/other", [credentials]).status == 401)

    let silent = try socket.exchange("GET", "/hidden-basic-auth/user/pass")
    #expect(silent.status == 401)
    #expect(silent["WWW-Authenticate"] == nil)
  }

  @Test func bodiesOfManySizes() throws {
    let random = try socket.exchange("GET", "/bytes/1000")
    #expect(random.body.count == 1_000)
    #expect(Set(random.body).count > 100)
    #expect(random["Content-Type"] == nil)
    #expect(try socket.exchange("GET", "/bytes/100001").status == 400)

    let many = try socket.exchange("GET", "/manyBytes/10000000")
    #expect(many.body.count == 10_000_000)
    #expect(Set(many.body).count == 1)
    #expect(try socket.exchange("GET", "/manyBytes/10000001").status == 400)
  }

  @Test func lines() throws {
    let reply = try socket.exchange("GET", "/stream/3")
    let lines = reply.body.split(separator: 0x0A)
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.starts(with: Array(#"{"url":"#.utf8)) && $0.last == UInt8(ascii: "}") })
    #expect(reply["Content-Length"] != nil)
    #expect(try socket.exchange("GET", "/stream/0").status == 400)
  }

  @Test func chunks() throws {
    let start = ContinuousClock.now
    let reply = try socket.exchange("GET", "/chunked/3")
    #expect(reply["Transfer-Encoding"] == "chunked")
    #expect(reply["Content-Type"] == "application/octet-stream")
    #expect(reply.body == [3, 2, 1])
    #expect(ContinuousClock.now - start >= .milliseconds(40))
    #expect(try socket.exchange("GET", "/chunked/0/0").body.isEmpty)
    let payloads = try socket.exchange("GET", "/payloads/2/0").text
    #expect(payloads.hasPrefix("{") && payloads.contains("}{"))
  }

  @Test func chunksAreForHTTP11() throws {
    try socket.send("GET /chunked/3/0 HTTP/1.0\r\n\r\n")
    let reply = try socket.receiveResponse()
    #expect(reply["Transfer-Encoding"] == nil)
    #expect(reply["Connection"] == "close")
    #expect(reply.body == [3, 2, 1])
  }

  @Test func infinite() throws {
    try socket.send("GET /infinite HTTP/1.1\r\nHost: a\r\n\r\n")
    let received = try socket.receive(atLeast: 5_000_000)
    #expect(received.suffix(60_000).contains(1))
  }

  @Test func caching() throws {
    func date() throws -> String? {
      let reply = try socket.exchange("GET", "/cache?Cache-Control=max-age%3D1")
      #expect(reply["Cache-Control"] == "max-age=1")
      return reply["Date"]
    }
    let old = try date()
    let new = try date()
    #expect(old != new)
    #expect(old != nil && new != nil)
  }

  @Test func fieldsOfTheQuery() throws {
    let reply = try socket.exchange("GET", "/response-headers?X-A=b+c&Content-Type=text/plain")
    #expect(reply["X-A"] == "b c")
    #expect(reply["Content-Type"] == "text/plain")
    #expect(reply.text == #"{"X-A":"b c","Content-Type":"text/plain"}"#)
    #expect(try socket.exchange("GET", "/response-headers?X-A=b%0d%0aX-B:c").status == 400)
  }

  @Test func upload() throws {
    let reply = try socket.exchange("POST", "/upload", body: [UInt8](repeating: 7, count: 3_000_000))
    #expect(reply.text == #"{"bytes":3000000}"#)
    #expect(origin.requests.last?.body == [])
    #expect(origin.requests.last?.bodyLength == 3_000_000)
  }

  @Test func imagesAndText() throws {
    for type in ["avif", "bmp", "jp2", "jpeg", "jxl", "gif", "heic", "heif", "pdf", "png", "tiff", "webp"] {
      let reply = try socket.exchange("GET", "/image/\(type)")
      #expect(reply["Content-Type"] == (type == "pdf" ? "application/pdf" : "image/\(type)"))
      #expect(reply["Content-Disposition"] == "attachment; filename=\"\(type).\(type)\"")
      #expect(!reply.body.isEmpty)
    }
    #expect(try socket.exchange("GET", "/image/svg").status == 404)
    let xml = try socket.exchange("GET", "/xml")
    #expect(xml["Content-Type"] == "application/xml")
    #expect(xml.text.contains("<slideshow"))
  }
}
