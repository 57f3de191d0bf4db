// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import Testing

/// `bonnet` beside curl, byte for byte and exit code for exit code.
@Suite struct CommandLineTests {
  let bonnet = Program.product("bonnet")
  let curl = Program("curl")

  @Test(
    .enabled(if: RealServer.nginxTLS.isPresent, "nginx does not run"),
    arguments: ["/text.txt", "/random.bin", "/zero.txt", "/gzip-static/text.txt"])
  func overTLSItPrintsWhatCurlPrints(path: String) async throws {
    let words = ["--cacert", try #require(RealServer.authority), "--compressed"]
    let url = try RealServer.nginxTLS.url(path)
    let ours = try await detached { try bonnet.run(words + [url]) }
    let theirs = try await detached { try curl.run(["-s"] + words + [url]) }
    #expect(ours.status == 0)
    #expect(ours.output == theirs.output)
  }

  @Test(
    .enabled(if: RealServer.httpbin.isPresent, "httpbin does not run"),
    arguments: ["/gzip", "/brotli", "/redirect/3", "/delay/1", "/status/418", "/stream/20"])
  func fromHTTPBinItPrintsWhatCurlPrints(path: String) async throws {
    let words = ["--compressed", "-L"] + Curl.headers.flatMap { ["-H", "\($0): \($1)"] }
    let url = try RealServer.httpbin.url(path)
    let ours = try await detached { try bonnet.run(words + [url]) }
    let theirs = try await detached { try curl.run(["-s"] + words + [url]) }
    #expect(ours.status == theirs.status)
    #expect(ours.output == theirs.output)
  }

  @Test(.enabled(if: RealServer.nginxTLS.isPresent, "nginx does not run"))
  func itFailsWithCurlsExitCodes() async throws {
    let authority = try #require(RealServer.authority)
    let cases = [
      ["-f", try RealServer.nginx.url("/absent")],
      [try RealServer.nginx.url("/silent")],
      ["http://127.0.0.1:1/"],
      ["http://unresolvable.invalid/"],
      [try RealServer.nginxTLS.url("/text.txt")],
      ["--cacert", authority, try RealServer.nginxExpired.url("/text.txt")],
      ["--cacert", authority, try RealServer.nginxWrongHost.url("/text.txt")],
      ["--cacert", authority, try RealServer.nginxSelfSigned.url("/text.txt")],
      ["--max-time", "0.3", try RealServer.nginx.url("/slowly/random.bin")],
      ["-k", try RealServer.nginxSelfSigned.url("/data.json")],
    ]
    for words in cases {
      let ours = try await detached { try bonnet.run(words).status }
      let theirs = try await detached { try curl.run(["-s"] + words).status }
      #expect(ours == theirs, "\(words)")
    }
  }
}
