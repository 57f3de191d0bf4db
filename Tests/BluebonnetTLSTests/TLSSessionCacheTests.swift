// SPDX-License-Identifier: MIT
import Testing

@testable import BluebonnetTLS

@Suite struct TLSSessionCacheTests {
  private func sessions(_ count: Int, version: TLSVersion = .tls13) throws -> [TLSSession] {
    let client = try Shared.client { $0.maximumVersion = version }
    let server = try Shared.server()
    return try (0..<count).map { _ in
      let pair = try EnginePair(client: client, server: server)
      try pair.handshake()
      _ = try pair.deliver(from: pair.server, to: pair.client)
      return try #require(pair.client.takeSessions().last)
    }
  }

  @Test func ticketsOfTLS13AreUsedOnceNewestFirst() throws {
    let made = try sessions(3)
    let cache = TLSSessionCache<String>(sessionsPerOrigin: 2)
    for session in made { cache.insert(session, for: "a") }
    #expect(cache.session(for: "b") == nil)
    #expect(cache.session(for: "a") === made[2])
    #expect(cache.session(for: "a") === made[1])
    #expect(cache.session(for: "a") == nil, "the oldest was beyond the bound")
    #expect(cache.originCount == 0)
  }

  @Test func sessionsOfTLS12StayAndAreReplaced() throws {
    let made = try sessions(2, version: .tls12)
    let cache = TLSSessionCache<String>()
    cache.insert(made[0], for: "a")
    #expect(cache.session(for: "a") === made[0])
    #expect(cache.session(for: "a") === made[0])
    cache.insert(made[1], for: "a")
    #expect(cache.session(for: "a") === made[1])
  }

  /// What is parsed of a server's chain lives as long as the session, so it counts; and one may not fill the cache alone.
  @Test func chainsCount() throws {
    let identity = try Shared.identity.get()
    let authority = try Shared.authority.get().certificate
    let long = try TLSIdentity(
      chain: [identity.certificate] + Array(repeating: authority, count: 70_000 / authority.der.count),
      privateKey: identity.privateKey)
    for (identity, isKept) in [(identity, true), (long, false)] {
      let pair = try EnginePair(client: Shared.client(), server: Shared.server(identity))
      try pair.handshake()
      _ = try pair.deliver(from: pair.server, to: pair.client)
      let session = try #require(pair.client.takeSessions().last)
      let cache = TLSSessionCache<Int>()
      cache.insert(session, for: 1)
      #expect((cache.originCount == 1) == isKept)
      if isKept { #expect(cache.byteCount > 4 * identity.chain.map(\.der.count).reduce(0, +)) }
    }
  }

  @Test func theOriginNotUsedForLongestGoesFirst() throws {
    let session = try sessions(1, version: .tls12)[0]
    let cache = TLSSessionCache<Int>(originLimit: 3)
    for origin in 0..<3 { cache.insert(session, for: origin) }
    _ = cache.session(for: 0)
    cache.insert(session, for: 3)
    #expect(cache.originCount == 3)
    #expect(cache.session(for: 1) == nil)
    #expect(cache.session(for: 0) != nil)
    cache.remove(0)
    #expect(cache.session(for: 0) == nil)
    cache.removeAll()
    #expect(cache.originCount == 0)
  }

  /// They keep the anchors and lists that they were judged by.
  @Test func thoseOfAnotherContextGo() throws {
    let made = try [sessions(1, version: .tls12)[0], sessions(1, version: .tls12)[0]]
    let cache = TLSSessionCache<Int>(originLimit: 2)
    for (index, session) in made.enumerated() { cache.insert(session, for: index) }
    cache.remove(of: made[0].context)
    #expect(cache.session(for: 0) == nil)
    #expect(cache.session(for: 1) === made[1])
    #expect(cache.byteCount == made[1].byteCount)
    // One that was not looked at is the oldest still.
    cache.insert(made[0], for: 2)
    cache.remove(of: try Shared.client())
    _ = cache.session(for: 1)
    cache.insert(made[0], for: 3)
    #expect(cache.session(for: 2) == nil)
  }
}
