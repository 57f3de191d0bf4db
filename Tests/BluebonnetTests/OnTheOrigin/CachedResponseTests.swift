// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import Testing

/// What handlers of cached responses decide.
@Suite struct CachedResponseTests {
  private let cache = URLCache(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)

  private func session(_ handler: (any CachedResponseHandler)? = nil) -> Session {
    let configuration = URLSessionConfiguration.af.ephemeral.inMemory()
    configuration.urlCache = cache
    return Session(configuration: configuration, cachedResponseHandler: handler)
  }

  private func kept(_ url: String) throws -> CachedURLResponse? {
    cache.cachedResponse(for: try URLRequest(url: url, method: .get))
  }

  @Test func withoutAHandlerAResponseIsKept() async throws {
    let origin = Origin.inMemory()
    let session = session()
    let data = try await session.request(origin.baseURL + "/get").serializingData().value
    #expect(try kept(origin.baseURL + "/get")?.data == data)
  }

  @Test func aHandlerMayForbidIt() async throws {
    let origin = Origin.inMemory()
    let session = session(.doNotCache)
    _ = try await session.request(origin.baseURL + "/get").serializingData().value
    #expect(try kept(origin.baseURL + "/get") == nil)
  }

  @Test func aRequestsHandlerGoesBeforeTheSessions() async throws {
    let origin = Origin.inMemory()
    let session = session(.doNotCache)
    let task = session.request(origin.baseURL + "/get").cacheResponse(using: .cache).serializingData()
    _ = try await task.value
    // A handler is foreign code: it runs beside the request's end.
    await Eventually.expect("It is kept.") { (try? kept(origin.baseURL + "/get")) ?? nil != nil }
  }
}
