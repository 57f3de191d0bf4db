// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetTestNetwork
import Testing

@testable import Bluebonnet

/// Runs what the article *Proxies* shows, as far as it needs no proxy out there.
@Suite struct ProxyExamplesTests {
  /// The status of a response, however long it takes to get its turn: what is tested is the route that it takes.
  private func status(of url: String, in session: Session) async -> Int? {
    await session.request(url) { $0.timeoutInterval = 600 }.serializingData().response.response?.statusCode
  }

  @Test func theExceptionGoesWithout() async throws {
    let origin = try Origin.start()
    let url = "http://localhost:\(origin.port)/get"
    // A session that nobody holds ends what it has begun.
    let session = ProxyExamples.one()
    defer { withExtendedLifetime(session) {} }
    #expect(await status(of: url, in: session) == 200)
  }

  @Test func theTextIsRead() throws {
    let proxy = try ProxyExamples.text()
    #expect(proxy.kind == .socks5h && proxy.port == 9050 && proxy.user == "me" && proxy.password == "secret")
  }

  @Test func theFunctionChooses() async throws {
    let origin = try Origin.start()
    let configuration = URLSessionConfiguration.patient
    ProxyExamples.function(configuration, try ProxyExamples.text())
    let session = Session(configuration: configuration)
    defer { withExtendedLifetime(session) {} }
    let url = "http://localhost:\(origin.port)/get"
    #expect(await status(of: url, in: session) == 200)
  }

  @Test func theDictionaryIsForHTTPSAlone() async throws {
    let origin = try Origin.start()
    let configuration = URLSessionConfiguration.patient
    ProxyExamples.dictionary(configuration)
    let session = Session(configuration: configuration)
    defer { withExtendedLifetime(session) {} }
    let url = "http://localhost:\(origin.port)/get"
    #expect(await status(of: url, in: session) == 200)
  }
}
