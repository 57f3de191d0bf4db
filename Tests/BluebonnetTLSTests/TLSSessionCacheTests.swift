import BluebonnetTLS
import Testing

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
}
