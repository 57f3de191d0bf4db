// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

extension Mistake {
  static let addresses: [Mistake] = [
    Mistake(
      "no scheme", of: "example.org/get",
      "GET example.org/get was not sent: the URL has no scheme; write http:// or https:// before it."),
    Mistake(
      "a host taken for a scheme", of: "localhost:8099/get",
      """
      GET localhost:8099/get was not sent: "localhost" is read as the URL's scheme, and is none that is supported; \
      write http:// or https:// before the host.
      """),
    Mistake(
      "another scheme", of: "ftp://example.org/x",
      "GET ftp://example.org/x was not sent: the scheme \"ftp\" is not supported."),
    Mistake("no URL", of: "", "\"\" is not a URL: it is empty."),
    Mistake("a space in the host", of: "http://exa mple.org/", "\"http://exa mple.org/\" is not a URL."),
    Mistake(
      "a password in what is no URL", of: "http://me:canary@exa mple.org/?canary",
      "\"http://exa mple.org/?…\" is not a URL."),
    Mistake("no host", of: "http:///get", "GET http:///get was not sent: the URL has no host."),
    Mistake(
      "no such port", of: "http://localhost:99999/",
      "GET http://localhost:99999/ was not sent: port 99999 is out of range: the largest is 65535."),
    Mistake(
      "an empty label", of: "http://a..b/x",
      "GET http://a..b/x was not sent: its host cannot be one: a part of it is empty or too long."),
    Mistake(
      "a typing mistake in the host", of: "https://nobody.invalid/x?token=canary",
      "GET https://nobody.invalid/x?… failed while looking up the host: nobody.invalid: …."),
  ]

  static let connecting: [Mistake] = [
    Mistake(
      "nobody listens", "GET http://NOBODY/get failed while connecting: NOBODY refused the connection."
    ) { stage in
      await stage.failure(of: stage.session().request(stage.filled("http://me:canary@NOBODY/get")))
    },
    Mistake(
      "no socket",
      "GET http://service/x failed while connecting: FOLDER/absent: No such file or directory."
    ) { stage in
      let session = stage.session { $0.unixSocketPath = stage.folder + "/absent" }
      return await stage.failure(of: session.request("http://service/x"))
    },
    Mistake(
      "a server that hangs up", reply: .close,
      "GET http://ORIGIN/x failed while waiting for the response: the server closed the connection."),
    Mistake(
      "a server that resets", reply: .reset,
      "GET http://ORIGIN/x failed while waiting for the response: Connection reset by peer."),
  ]

  /// A request that nobody answers within its time, in seconds.
  private static func late(
    _ name: String, _ text: String, address: String = "http://ORIGIN/x", seconds: Double,
    limit: any ReferenceWritableKeyPath<URLSessionConfiguration, TimeInterval> & Sendable =
      \.timeoutIntervalForRequest,
    reply: ScriptedReply? = nil
  ) -> Mistake {
    Mistake(name, text) { stage in
      let origin = stage.origin
      if let reply { origin.script("/x", reply) } else { origin.reception = .silence }
      var clock = EventLoop.shared
      let session = stage.session {
        $0[keyPath: limit] = seconds
        clock = $0.stopClock()
      }
      return await stage.failure(of: session.request(stage.filled(address)), after: seconds, by: clock) {
        reply == nil ? origin.connectionCount == 1 : origin.hangingConnections == 1
      }
    }
  }

  static let timeOuts: [Mistake] = [
    late(
      "no handshake",
      "GET https://ORIGIN/x timed out while securing the connection: it was not done in 1 s.",
      address: "https://ORIGIN/x", seconds: 1),
    late(
      "no answer", "GET http://ORIGIN/x timed out while waiting for the response: nothing came for 1 s.",
      seconds: 1),
    late(
      "half a head",
      "GET http://ORIGIN/x timed out while receiving the response head: nothing came for 1.5 s.",
      seconds: 1.5, reply: .text("HTTP/1.1 200 OK\r\nA").then(.hang)),
    late(
      "half a body",
      "GET http://ORIGIN/x timed out while receiving the response body: nothing came for 1.5 s.",
      seconds: 1.5, reply: .text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello").then(.hang)),
    Mistake(
      "a server that reads nothing",
      "POST http://ORIGIN/x timed out while sending the request: nothing could be sent for 1 s."
    ) { stage in
      stage.origin.reception = .silence
      var clock = EventLoop.shared
      let session = stage.session { clock = $0.stopClock() }
      let upload = session.upload(Data(count: 30_000_000), to: stage.filled("http://ORIGIN/x")) {
        $0.timeoutInterval = 1
      }
      let task = upload.serializingData(emptyResponseCodes: [200])
      await clock.advance(by: .milliseconds(50), until: "it fails") { upload.isFinished }
      return await task.response.error
    },
    late(
      "too long on the whole",
      """
      GET http://ORIGIN/x timed out while waiting for the response: the whole resource was allowed 2 s \
      (timeoutIntervalForResource).
      """, seconds: 2, limit: \.timeoutIntervalForResource, reply: .silence),
  ]

  static let answers: [Mistake] = [
    Mistake(
      "another protocol", reply: .text("SSH-2.0-OpenSSH_9.2\r\n"),
      """
      GET http://ORIGIN/x failed while receiving the response head: it breaks the rules of HTTP/1.1: \
      malformed status line (byte …, RFC 9112 §4).
      """),
    Mistake(
      "TLS on the port", reply: ScriptedReply([.bytes([0x15, 3, 1, 0, 2, 2, 70]), .close]),
      """
      GET http://ORIGIN/x failed while receiving the response head: the server answered in TLS; this port seems to \
      be for https.
      """),
    Mistake(
      "a head cut short", reply: .text("HTTP/1.1 200 OK\r\nA: ").then(.close),
      "GET http://ORIGIN/x failed while receiving the response head: the server closed the connection."),
    Mistake(
      "a body cut short", reply: .text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello").then(.close),
      """
      GET http://ORIGIN/x failed while receiving the response body: the server closed the connection after 5 of \
      10 bytes.
      """),
    Mistake(
      "a chunk cut short",
      reply: .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel").then(.close),
      """
      GET http://ORIGIN/x failed while receiving the response body: the server closed the connection after 3 bytes, \
      before the end of the body.
      """),
    Mistake(
      "a malformed chunk", reply: .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"),
      """
      GET http://ORIGIN/x failed while receiving the response body: it breaks the rules of HTTP/1.1: malformed chunk \
      size (byte …, RFC 9112 §7.1).
      """),
    Mistake(
      "broken gzip",
      reply: .response(fields: [("Content-Encoding", "gzip")], body: "not gzip at all".utf8),
      "GET http://ORIGIN/x failed while decoding the response body: it is not valid gzip."),
    Mistake(
      "gzip cut short",
      reply: .response(fields: [("Content-Encoding", "gzip")], body: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]),
      "GET http://ORIGIN/x failed while decoding the response body: it ends inside its gzip stream."),
  ]

  static let redirecting: [Mistake] = [
    Mistake(
      "redirects in a circle",
      "GET http://ORIGIN/x failed while following a redirect: there were more than 3 (redirectLimit)."
    ) { stage in
      stage.origin.script("/x", .response(status: 302, fields: [("Location", "/x")]))
      let session = stage.session { $0.redirectLimit = 3 }
      return await stage.failure(of: session.request(stage.filled("http://ORIGIN/x")))
    },
    Mistake(
      "a redirect to another scheme",
      reply: .response(status: 302, fields: [("Location", "ftp://me:canary@host/x?token=canary")]),
      """
      GET http://ORIGIN/x failed while following a redirect: it leads to ftp://host/x?…, and the scheme "ftp" is not \
      supported.
      """),
    Mistake(
      "a redirect to nowhere", reply: .response(status: 302, fields: [("Location", "http://[")]),
      "GET http://ORIGIN/x failed while following a redirect: its Location is not a URL."),
  ]
}
