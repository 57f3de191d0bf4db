// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// One request under way answers all that ask the same (RFC 9111 §4).
@Suite struct CollapsedRequestsTests {
  private let origin: Origin
  private let session: URLSession

  init() {
    origin = Origin.inMemory()
    let configuration = URLSessionConfiguration.inMemory
    configuration.collapsesRequests = true
    configuration.httpMaximumConnectionsPerHost = 20
    session = URLSession(configuration: configuration)
  }

  private func request(_ path: String) throws -> URLRequest {
    URLRequest(url: try #require(URL(string: origin.baseURL + path)))
  }

  /// Ten loads of one address, whose answer comes when all of them are there.
  private func ten(_ fields: [(String, String)]) async throws -> [String] {
    let fields = fields.map { (name: $0.0, value: $0.1) }
    origin.script("/a", .silence, .response(fields: fields, body: "one".utf8))
    let request = try request("/a")
    return try await withThrowingTaskGroup(of: String.self) { [session, origin] group in
      for _ in 0..<10 {
        group.addTask { String(decoding: try await session.data(for: request).0, as: UTF8.self) }
      }
      await Eventually.expect("All but one wait.") {
        session.waitingForOthers == 9 && origin.requests.count == 1
      }
      origin.answer(0, fields: fields, body: "one".utf8)
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test(
    arguments: [
      ([("Cache-Control", "max-age=60")], 1), ([], 1), ([("Cache-Control", "no-store")], 10),
      ([("Cache-Control", "no-cache")], 10), ([("Cache-Control", "must-revalidate")], 10),
    ] as [([(String, String)], Int)])
  func tenThatAskTheSame(_ fields: [(String, String)], _ requests: Int) async throws {
    #expect(try await ten(fields) == Array(repeating: "one", count: 10))
    #expect(origin.requests.count == requests)
  }

  @Test func withoutTheOptionEachGoesItself() async throws {
    let session = URLSession(configuration: .inMemory)
    origin.script(
      "/a", ScriptedReply([.pause(milliseconds: 100)] + ScriptedReply.response(body: "one".utf8).steps))
    let wanted = try request("/a")
    async let one = session.data(for: wanted)
    async let two = session.data(for: wanted)
    _ = try await (one, two)
    #expect(origin.requests.count == 2)
  }

  @Test func whoAsksForSomethingElseDoesNotWait() async throws {
    origin.script("/a", .silence)
    let first = session.dataTask(with: try request("/a"))
    first.resume()
    await Eventually.expect("It is under way.") { origin.requests.count == 1 }
    origin.script("/a", .response(body: "other".utf8))
    var other = try request("/a")
    other.setValue("b", forHTTPHeaderField: "X-Other")
    #expect(try await session.data(for: other).0 == Data("other".utf8))
    first.cancel()
  }

  /// Whoever waits for one that gives up goes itself.
  @Test(arguments: ["cancel", "suspend", "reset"]) func theFirstGivesUp(_ how: String) async throws {
    origin.script("/a", .silence)
    let first = session.dataTask(with: try request("/a"))
    first.resume()
    await Eventually.expect("It is under way.") { origin.requests.count == 1 }
    let body = Locked<Data?>(nil)
    session.dataTask(with: try request("/a")) { data, _, _ in body.withLock { $0 = data } }.resume()
    origin.script("/a", .response(body: "one".utf8))
    #expect(origin.requests.count == 1)
    switch how {
    case "cancel": first.cancel()
    case "suspend": first.suspend()
    default: origin.dropConnections(resetting: true)
    }
    await Eventually.expect("The other one is served.") { body.withLock { $0 } == Data("one".utf8) }
    first.cancel()
  }

  /// One that reads at a pace of its own is not waited for.
  @Test func theFirstReadsSlowly() async throws {
    origin.script("/a", .silence)
    let first = session.dataTask(with: try request("/a"))
    first.resume()
    await Eventually.expect("It is under way.") { origin.requests.count == 1 }
    let body = Locked<Data?>(nil)
    session.dataTask(with: try request("/a")) { data, _, _ in body.withLock { $0 = data } }.resume()
    await Eventually.expect("The other one waits.") { session.waitingForOthers == 1 }
    origin.script("/a", .response(body: "one".utf8))
    first.holdBody { true }
    await Eventually.expect("The other one is served.") { body.withLock { $0 } == Data("one".utf8) }
    first.cancel()
  }

  @Test func whoWaitsCanGiveUp() async throws {
    origin.script("/a", .silence)
    let first = session.dataTask(with: try request("/a"))
    first.resume()
    await Eventually.expect("It is under way.") { origin.requests.count == 1 }
    let error = Locked<(any Error)?>(nil)
    let second = session.dataTask(with: try request("/a")) { _, _, end in error.withLock { $0 = end } }
    second.resume()
    second.cancel()
    await Eventually.expect("It ends.") { (error.withLock { $0 } as? URLError)?.code == .cancelled }
    first.cancel()
    #expect(origin.requests.count == 1)
  }
}
