// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestStores
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// Changes of a store that several loads make, and what makes them void.
@Suite struct StoreOrderTests {
  private let origin: Origin
  private let store = SlowStore()
  private let cache: URLCache

  init() {
    origin = Origin.inMemory()
    cache = URLCache(memoryCapacity: 20_000, store: store)
  }

  private var session: URLSession {
    let configuration = URLSessionConfiguration.inMemory
    configuration.urlCache = cache
    return URLSession(configuration: configuration)
  }

  private func request(_ path: String, method: String = "GET") throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + path)))
    request.httpMethod = method
    return request
  }

  private static let fresh = [(name: "Cache-Control", value: "max-age=600")]

  private static func body(_ text: String, _ length: Int) -> Data {
    Data(text.utf8) + Data(repeating: 0, count: length)
  }

  /// Sessions that share a cache: what came later stays, however long what came before takes. Of bodies that the memory takes, and not.
  @Test(arguments: [0, 10_000]) func whatCameLastStays(length: Int) async throws {
    let (old, new) = (Self.body("old", length), Self.body("new", length))
    origin.script("/a", .response(fields: Self.fresh, body: old), .response(fields: Self.fresh, body: new))
    store.hold(.commit)
    #expect(try await session.data(for: try request("/a")).0 == old)
    await Eventually.expect("It is about to be kept.") { store.isHolding }
    var again = try request("/a")
    again.cachePolicy = .reloadIgnoringLocalCacheData
    #expect(try await session.data(for: again).0 == new)
    origin.script("/b", .response(fields: Self.fresh, body: "b".utf8))
    _ = try await session.data(for: try request("/b"))
    store.letGo()
    await Eventually.expect("All are kept.") { store.commits == 3 }
    #expect(store.bodies == [new, Data("b".utf8)])
  }

  /// RFC 9111 §4.4: a change of the resource between the decision to keep something of it and its being kept.
  @Test(arguments: [0, 10_000]) func whatChangesWhileItIsBeingKeptIsNotKept(length: Int) async throws {
    let (old, new) = (Self.body("old", length), Self.body("new", length))
    origin.script(
      "/a", .response(fields: Self.fresh, body: old), .response(body: "done".utf8),
      .response(fields: Self.fresh, body: new))
    store.hold(.commit)
    let session = session
    #expect(try await session.data(for: try request("/a")).0 == old)
    await Eventually.expect("It is about to be kept.") { store.isHolding }
    _ = try await session.data(for: try request("/a", method: "PUT"))
    store.letGo()
    await Eventually.expect("It has been kept.") { store.commits == 1 }
    #expect(try await session.data(for: try request("/a")).0 == new)
    await Eventually.expect("The newer one is kept.") { store.commits == 2 }
    #expect(store.bodies == [new])
  }

  /// The same while it waits for its turn.
  @Test(arguments: [0, 10_000]) func whatChangesBeforeItsTurnIsNotKept(length: Int) async throws {
    origin.script("/a", .response(fields: Self.fresh, body: "first".utf8))
    origin.script(
      "/b", .response(fields: Self.fresh, body: Self.body("old", length)), .response(body: "done".utf8))
    origin.script("/c", .response(fields: Self.fresh, body: "last".utf8))
    store.hold(.commit)
    let session = session
    _ = try await session.data(for: try request("/a"))
    await Eventually.expect("It is about to be kept.") { store.isHolding }
    _ = try await session.data(for: try request("/b"))
    _ = try await session.data(for: try request("/b", method: "PUT"))
    _ = try await session.data(for: try request("/c"))
    store.letGo()
    await Eventually.expect("The last one is kept.") { store.bodies.last == Data("last".utf8) }
    await Eventually.expect("Nothing of the changed one is kept.") { store.count == 2 }
    #expect(store.bodies == [Data("first".utf8), Data("last".utf8)])
  }

  /// What the user has removed is not brought back by a load that asked for it before.
  @Test(
    arguments: [
      ("all", 0, true), ("all", 10_000, true), ("one", 0, true), ("one", 10_000, true),
      ("another", 0, false), ("since the past", 0, true), ("since the past", 10_000, true),
      ("since the future", 0, false), ("since the future", 10_000, false),
    ])
  func whatWasAskedForBeforeARemovalIsNotKept(_ removal: String, _ length: Int, _ isGone: Bool) async throws {
    origin.script("/a", .silence, .response(fields: Self.fresh, body: "new".utf8))
    let (session, request) = (session, try request("/a"))
    let old = Self.body("old", length)
    let load = Task { try await session.data(for: request).0 }
    await Eventually.expect("It is under way.") { origin.requests.count == 1 }
    switch removal {
    case "all": cache.removeAllCachedResponses()
    case "one": cache.removeCachedResponse(for: request)
    case "another": cache.removeCachedResponse(for: try self.request("/b"))
    case "since the past": cache.removeCachedResponses(since: .distantPast)
    default: cache.removeCachedResponses(since: .distantFuture)
    }
    origin.answer(0, fields: Self.fresh, body: old)
    #expect(try await load.value == old)
    if !isGone { await Eventually.expect("It is kept.") { store.count == 1 } }
    #expect(try await session.data(for: request).0 == (isGone ? Data("new".utf8) : old))
    #expect(origin.requests.count == (isGone ? 2 : 1))
    await Eventually.expect("One is kept.") { store.count == 1 }
    #expect(store.bodies == [isGone ? Data("new".utf8) : old])
  }

  /// Of what may be kept in memory only, nothing older stays in the store.
  @Test(arguments: [0, 10_000]) func memoryOnlyTakesThePlaceOfWhatIsStored(length: Int) async throws {
    let fields = [(name: "Cache-Control", value: "max-age=0")]
    origin.script(
      "/a", .response(fields: fields, body: "old".utf8),
      .response(fields: Self.fresh, body: Self.body("new", length)))
    _ = try await session.data(for: try request("/a"))
    await Eventually.expect("It is kept.") { store.count == 1 }
    let configuration = URLSessionConfiguration.inMemory
    configuration.urlCache = cache
    let session = URLSession(configuration: configuration, delegate: MemoryOnly(), delegateQueue: nil)
    session.dataTask(with: try request("/a")).resume()
    await Eventually.expect("It is gone.") { store.count == 0 }
  }

  private final class MemoryOnly: URLSessionDataDelegate {
    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposed: CachedURLResponse,
      completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
      completionHandler(
        CachedURLResponse(
          response: proposed.response, data: proposed.data, userInfo: nil, storagePolicy: .allowedInMemoryOnly
        ))
    }
  }
}
