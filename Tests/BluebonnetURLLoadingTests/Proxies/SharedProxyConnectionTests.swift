// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetTestSupport
import Testing

@testable import BluebonnetURLLoading

/// An HTTP proxy is asked for plain resources of all origins over the same connections.
@Suite struct SharedProxyConnectionTests {
  private static func status(_ session: URLSession, _ url: URL) async throws -> Int? {
    (try await session.data(from: url).1 as? HTTPURLResponse)?.statusCode
  }

  @Test(arguments: [Proxy.Kind.http, .https]) func manyOriginsOneConnection(kind: Proxy.Kind) async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let session = try stand.session(stand.made(kind))
    defer { session.invalidateAndCancel() }
    for number in [0, 1, 2, 0, 3, 4] {
      #expect(try await Self.status(session, try stand.url(host: "origin\(number).test")) == 200)
    }
    #expect(stand.double(kind).connections == 1)
    // Each request names its own.
    #expect(
      stand.plain.requests.map { $0.value("Host") }
        == [0, 1, 2, 0, 3, 4].map { "origin\($0).test:\(stand.plain.port)" })
  }

  /// Those that are in use are not lent, and of no origin there are more than it may have.
  @Test func thoseInUseAreNot() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let session = try stand.session(stand.made(.http)) { $0.httpMaximumConnectionsPerHost = 2 }
    defer { session.invalidateAndCancel() }
    let urls = try (0..<24).map { try stand.url("/bytes/1000", host: "origin\($0 % 3).test") }
    try await withThrowingTaskGroup(of: Int?.self) { group in
      for url in urls { group.addTask { try await Self.status(session, url) } }
      for try await status in group { #expect(status == 200) }
    }
    #expect(stand.proxy.connections <= 6)
    #expect(stand.plain.requests.count == 24)
  }

  /// Where the session may have no more of them, one that comes back serves whoever has waited longest, of whichever origin.
  @Test func thoseThatComeBackServeOtherOrigins() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let session = try stand.session(stand.made(.http)) { $0.connectionLimit = 2 }
    defer { session.invalidateAndCancel() }
    let urls = try (0..<24).map { try stand.url("/bytes/1000", host: "origin\($0 % 6).test") }
    try await withThrowingTaskGroup(of: Int?.self) { group in
      for url in urls { group.addTask { try await Self.status(session, url) } }
      for try await status in group { #expect(status == 200) }
    }
    #expect(stand.proxy.connections == 2)
    #expect(stand.plain.requests.count == 24)
  }

  /// A tunnel leads to one origin.
  @Test func tunnelsAreNot() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    var proxy = stand.made(.http)
    proxy.tunnelsPlainRequests = true
    let session = try stand.session(proxy)
    defer { session.invalidateAndCancel() }
    for number in 0..<3 {
      #expect(try await Self.status(session, try stand.url(host: "origin\(number).test")) == 200)
    }
    #expect(stand.proxy.connections == 3)
  }

  /// A connection that the proxy has closed meanwhile is lent to nobody.
  @Test func closedOnesAreNot() async throws {
    let stand = try ProxyStand()
    defer { stand.stop() }
    let last = try stand.url("/last", host: "origin1.test")
    stand.plain.script(
      last.absoluteString, .response(fields: [(name: "Connection", value: "close")], body: []))
    let session = try stand.session(stand.made(.http))
    defer { session.invalidateAndCancel() }
    #expect(try await Self.status(session, last) == 200)
    #expect(try await Self.status(session, try stand.url(host: "origin2.test")) == 200)
    #expect(stand.proxy.connections == 2)
  }
}
