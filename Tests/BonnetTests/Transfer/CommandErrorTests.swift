// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import Testing

@testable import bonnet

/// What the command line says when something goes wrong, without the secrets that were typed.
@Suite struct CommandErrorTests {
  /// `ORIGIN` stands for the origin's address.
  static let commandErrors: [(arguments: [String], status: bonnet.ExitStatus, message: String)] = [
    (
      ["http://me:canary@ORIGIN/refused?canary"], .malformedResponse,
      """
      GET http://ORIGIN/refused?… failed while receiving the response head: it breaks the rules of HTTP/1.1: \
      contradictory Content-Length values (byte 52, RFC 9110 §8.6).
      """
    ),
    (
      ["-m", "0.75", "http://ORIGIN/silent"], .timedOut,
      "GET http://ORIGIN/silent timed out after 750 milliseconds (--max-time) with 0 bytes received"
    ),
    (
      ["-m", "2", "http://ORIGIN/half"], .timedOut,
      "GET http://ORIGIN/half timed out after 2000 milliseconds (--max-time) with 4 bytes received"
    ),
    (
      ["-d", "x", "http://ORIGIN/cut"], .cutShort,
      """
      POST http://ORIGIN/cut failed while receiving the response body: the server closed the connection after 4 of 9 \
      bytes.
      """
    ),
    (
      ["-x", "ORIGIN", "--proxy-header", "a b: c", "http://a.example/"], .badURL,
      """
      GET http://a.example/ was not sent: a field of --proxy-header cannot be sent: malformed field name; use a token \
      as a name, and no control characters in a value.
      """
    ),
    (
      ["https://ORIGIN/"], .noTLS,
      """
      GET https://ORIGIN/ failed while securing the connection: the server does not speak TLS at this port, but \
      something else, such as plain HTTP (wrong version number).
      """
    ),
    (
      ["-f", "http://ORIGIN/status/404?canary"], .errorStatus,
      "GET http://ORIGIN/status/404?…: the server answered 404 (not found)"
    ),
    (
      ["-f", "-u", "me:canary", "http://ORIGIN/digest"], .errorStatus,
      """
      GET http://ORIGIN/digest: the server answered 401 (unauthorized); it wants Digest authentication, and -u gives \
      Basic
      """
    ),
    (
      ["-f", "-u", "me:canary", "http://ORIGIN/basic"], .errorStatus,
      "GET http://ORIGIN/basic: the server answered 401 (unauthorized)"
    ),
    (
      ["-L", "--max-redirs", "2", "http://ORIGIN/circle"], .tooManyRedirects,
      "GET http://ORIGIN/circle: more than 2 redirects"
    ),
    (["dict://me:canary@a/"], .unsupportedScheme, "the scheme \"dict\" is not supported; http and https are"),
    (
      ["-x", "", "ftp://me:canary@a/"], .unsupportedScheme,
      "the scheme \"ftp\" is supported through an HTTP proxy (-x) only; http and https are always"
    ),
    (
      ["-x", "socks5://ORIGIN", "ftp://me:canary@a/"], .unsupportedScheme,
      "the scheme \"ftp\" is supported through an HTTP proxy (-x) only; http and https are always"
    ),
    (
      ["-p", "-x", "http://ORIGIN", "ftp://me:canary@a/"], .unsupportedScheme,
      "the scheme \"ftp\" is supported through an HTTP proxy (-x) only; http and https are always"
    ),
    (["http://me:canary@a:x/"], .badURL, "this is not a URL: http://a:x/"),
    (
      ["http://me:canary@a b/"], .badURL, "a URL holds neither spaces nor control characters: http://a b/"
    ),
  ]

  private let origin: Origin

  init() throws {
    origin = try Origin.start()
    origin.script(
      "/refused?canary", .text("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"))
    origin.script("/silent", .silence)
    origin.script("/half", .text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"))
    origin.script("/cut", .text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf").then(.close))
    origin.script(
      "/digest", .response(status: 401, fields: [("WWW-Authenticate", "Digest realm=r, nonce=n")]))
    origin.script(
      "/basic", .response(status: 401, fields: [("WWW-Authenticate", "Digest a=b, Basic realm=r")]))
    origin.script("/circle", .response(status: 302, fields: [("Location", "/circle")]))
  }

  @Test(arguments: commandErrors)
  func saysWhatWentWrong(_ arguments: [String], _ status: bonnet.ExitStatus, _ message: String) async throws {
    let place = "127.0.0.1:\(origin.port)"
    let commandError = try #require(
      await commandError(about: arguments.map { $0.replacing("ORIGIN", with: place) }))
    #expect(commandError.message.replacing(place, with: "ORIGIN") == message)
    #expect(commandError.status == status)
  }

  private func commandError(about arguments: [String]) async throws -> CommandError? {
    do throws(CommandError) {
      return try await TransferProbe.facts(["-o", "/dev/null"] + arguments).error
    } catch {
      return error
    }
  }
}
