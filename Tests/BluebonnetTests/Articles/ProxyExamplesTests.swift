import BluebonnetFoundation
import BluebonnetOrigin
import Testing

@testable import Bluebonnet

/// Runs what the article *Proxies* shows, as far as it needs no proxy out there.
@Suite struct ProxyExamplesTests {
  @Test func theExceptionGoesWithout() async throws {
    let origin = try Origin.start()
    let url = "http://localhost:\(origin.port)/get"
    // A session that nobody holds ends what it has begun.
    let session = ProxyExamples.one()
    defer { withExtendedLifetime(session) {} }
    #expect(await session.request(url).serializingData().response.response?.statusCode == 200)
  }

  @Test func theTextIsRead() throws {
    let proxy = try ProxyExamples.text()
    #expect(proxy.kind == .socks5h && proxy.port == 9050 && proxy.user == "me" && proxy.password == "secret")
  }

  @Test func theFunctionChooses() async throws {
    let origin = try Origin.start()
    let configuration = URLSessionConfiguration.ephemeral
    ProxyExamples.function(configuration, try ProxyExamples.text())
    let session = Session(configuration: configuration)
    defer { withExtendedLifetime(session) {} }
    let url = "http://localhost:\(origin.port)/get"
    #expect(await session.request(url).serializingData().response.response?.statusCode == 200)
  }

  @Test func theDictionaryIsForHTTPSAlone() async throws {
    let origin = try Origin.start()
    let configuration = URLSessionConfiguration.ephemeral
    ProxyExamples.dictionary(configuration)
    let session = Session(configuration: configuration)
    defer { withExtendedLifetime(session) {} }
    let url = "http://localhost:\(origin.port)/get"
    #expect(await session.request(url).serializingData().response.response?.statusCode == 200)
  }
}
