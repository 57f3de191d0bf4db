// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestStores
import BluebonnetTestSupport
import Testing

@testable import BluebonnetCache
@testable import BluebonnetURLLoading

/// Those that wait for what only the store can keep (URLSessionConfiguration.collapsesRequests).
@Suite struct CollapsedBodiesTests {
  private let origin: Origin
  private let store = SlowStore()
  private let session: URLSession

  init() {
    origin = Origin.inMemory()
    let configuration = URLSessionConfiguration.inMemory
    configuration.urlCache = URLCache(memoryCapacity: 20_000, store: store)
    configuration.collapsesRequests = true
    configuration.httpMaximumConnectionsPerHost = 20
    session = URLSession(configuration: configuration)
  }

  private static let body = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31 / 7) })

  private func request() throws -> URLRequest {
    URLRequest(url: try #require(URL(string: origin.baseURL + "/a")))
  }

  /// Loads an address four times: one has gone to the server when this returns, and the others wait for it.
  private func begin() async throws -> (first: Task<Data, any Error>, others: [Task<Data, any Error>]) {
    let request = try request()
    let before = origin.requests.count
    let load: @Sendable () -> Task<Data, any Error> = { [session] in
      Task { try await session.data(for: request).0 }
    }
    let first = load()
    await Eventually.expect("It is under way.") { [origin] in origin.requests.count == before + 1 }
    let others = (0..<3).map { _ in load() }
    await Eventually.expect("They wait.") { [session] in session.waitingForOthers == 3 }
    return (first, others)
  }

  /// What the memory does not take, because of its body or its head, is waited for until the store has it; whoever brought it is not.
  @Test(arguments: [(10_000, 1), (10, 21_000)])
  func whoWaitsIsServedByTheStore(length: Int, headLength: Int) async throws {
    origin.script("/a", .silence, .response(body: "own".utf8))
    store.hold(.commit)
    let (first, others) = try await begin()
    let fields = [
      (name: "Cache-Control", value: "max-age=600"),
      (name: "X", value: String(repeating: "x", count: headLength)),
    ]
    origin.answer(0, fields: fields, body: Self.body.prefix(length))
    #expect(try await first.value == Self.body.prefix(length))
    await Eventually.expect("It is about to be kept.") { store.isHolding }
    #expect(session.waitingForOthers == 3 && origin.requests.count == 1)
    store.letGo()
    for other in others { #expect(try await other.value == Self.body.prefix(length)) }
    #expect(origin.requests.count == 1)
  }

  /// Neither for a store that takes the body no longer, nor for the rest of the body.
  @Test func nobodyWaitsForWhatIsNotKept() async throws {
    origin.script("/a", .silence, .response(body: "own".utf8))
    store.refuse(.append)
    let (first, others) = try await begin()
    // So much that it is written while it comes.
    let half = Data(repeating: 1, count: WriteBacklog.collectedLimitOfEach + 1)
    let head =
      "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nContent-Length: \(2 * half.count)\r\nConnection: close\r\n\r\n"
    // Whether all of it has left at once makes no difference.
    _ = origin.interject(Array(head.utf8) + half, on: origin.requests[0].connection)
    for other in others { #expect(try await other.value == Data("own".utf8)) }
    _ = origin.interject(Array(half), on: origin.requests[0].connection)
    #expect(try await first.value == half + half)
  }

  /// A body that the server has confirmed, and whose newer head is on its way to the store.
  @Test func whoWaitsForAConfirmationIsServedByTheStore() async throws {
    let tag = (name: "ETag", value: "\"a\"")
    origin.script(
      "/a", .response(fields: [("Cache-Control", "max-age=0"), tag], body: Self.body), .silence,
      .response(body: "own".utf8))
    _ = try await session.data(for: try request())
    await Eventually.expect("It is kept.") { store.count == 1 }
    store.hold(.update)
    let (first, others) = try await begin()
    origin.answer(1, status: 304, fields: [("Cache-Control", "max-age=600"), tag])
    #expect(try await first.value == Self.body)
    await Eventually.expect("It is about to be brought up to date.") { store.isHolding }
    store.letGo()
    for other in others { #expect(try await other.value == Self.body) }
    #expect(origin.requests.count == 2)
  }
}

extension URLSession {
  /// How many loads wait for others that ask the same.
  var waitingForOthers: Int {
    guard let engine = engine as? SessionEngine else { return 0 }
    return engine.loop.withLoop { engine.cache?.collapsed.waiterCount ?? 0 }
  }
}
