import BluebonnetTestSupport
import Testing

/// `bonnet` beside curl, byte for byte and exit code for exit code.
@Suite struct CommandLineTests {
  let bonnet = Program.product("bonnet")
  let curl = Program("curl")

  @Test(
    .enabled(if: RealServer.nginxTLS.isPresent, "nginx does not run"),
    arguments: ["/text.txt", "/random.bin", "/zero.txt", "/gzip-static/text.txt"])
  func overTLSItPrintsWhatCurlPrints(path: String) throws {
    let words = ["--cacert", try #require(RealServer.authority), "--compressed"]
    let url = try RealServer.nginxTLS.url(path)
    let ours = try bonnet.run(words + [url])
    let theirs = try curl.run(["-s"] + words + [url])
    #expect(ours.status == 0)
    #expect(ours.output == theirs.output)
  }

  @Test(
    .enabled(if: RealServer.httpbin.isPresent, "httpbin does not run"),
    arguments: ["/gzip", "/brotli", "/redirect/3", "/delay/1", "/status/418", "/stream/20"])
  func fromHTTPBinItPrintsWhatCurlPrints(path: String) throws {
    var words = ["--compressed", "-L"]
    for (name, value) in Curl.headers { words += ["-H", "\(name): \(value)"] }
    let url = try RealServer.httpbin.url(path)
    let ours = try bonnet.run(words + [url])
    let theirs = try curl.run(["-s"] + words + [url])
    #expect(ours.status == theirs.status)
    #expect(ours.output == theirs.output)
  }

  @Test(.enabled(if: RealServer.nginxTLS.isPresent, "nginx does not run"))
  func itFailsWithCurlsExitCodes() throws {
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
      #expect(try bonnet.run(words).status == curl.run(["-s"] + words).status, "\(words)")
    }
  }
}
