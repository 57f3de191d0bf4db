// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetTestSupport
import Testing

/// `openssl s_server` speaks HTTP/1.0, and its bodies end with the connection: over TLS, only its close_notify tells
/// a whole body from one cut short.
@Suite(.enabled(if: RealServer.opensslServer.isPresent, "openssl s_server does not run"), .serialized)
struct OpenSSLServerTests {
  @Test(arguments: ["/files/text.txt", "/files/random.bin", "/files/zero.txt"])
  func bodiesThatEndWithTheConnectionAreWhole(path: String) async throws {
    let url = try RealServer.opensslServer.url(path)
    let session = try Session.conformance()
    let expected = try await Curl.body(of: url)
    #expect(try await session.bytes(url) == expected)
  }
}
