// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// What must not be answered from the cache.
@Suite struct WrongAnswersTests {
  private let origin: Origin
  private let session: URLSession

  init() {
    origin = Origin.inMemory()
    let configuration = URLSessionConfiguration.inMemory
    configuration.urlCache = URLCache(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)
    session = URLSession(configuration: configuration)
  }

  private func load(_ path: String, method: String = "GET", _ fields: [String: String] = [:]) async throws
    -> String
  {
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + path)))
    request.httpMethod = method
    for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
    return String(decoding: try await session.data(for: request).0, as: UTF8.self)
  }

  /// A part whose body is not what its `Content-Range` says, before or after it is joined.
  @Test(arguments: ["01234", "0123456789abc"]) func partsOfTheWrongLength(first: String) async throws {
    let fields = [(name: "Cache-Control", value: "max-age=600"), (name: "ETag", value: "\"a\"")]
    func part(_ range: String, _ body: String) -> ScriptedReply {
      .response(
        status: 206, fields: fields + [(name: "Content-Range", value: "bytes \(range)/20")], body: body.utf8)
    }
    origin.script(
      "/a", part("0-9", first), part("10-19", "9876543210"), part("0-9", "0123456789"),
      .response(fields: fields, body: "01234567899876543210".utf8))
    #expect(try await load("/a", ["Range": "bytes=0-9"]) == first)
    #expect(try await load("/a", ["Range": "bytes=10-19"]) == "9876543210")
    #expect(try await load("/a", ["Range": "bytes=0-9"]) == "0123456789")
    #expect(try await load("/a") == "01234567899876543210")
  }

  /// RFC 9111 §4.1: a 304 that names more fields to vary by does not say what the kept response was chosen by.
  @Test(arguments: ["X-Flavour", "*"]) func aConfirmationThatVariesByMore(vary: String) async throws {
    origin.script(
      "/a", .response(fields: [("Cache-Control", "max-age=0"), ("ETag", "\"a\"")], body: "sweet".utf8),
      .response(
        status: 304, fields: [("Cache-Control", "max-age=600"), ("ETag", "\"a\""), ("Vary", vary)]),
      .response(fields: [("Cache-Control", "max-age=600"), ("Vary", vary)], body: "sour".utf8))
    #expect(try await load("/a", ["X-Flavour": "sweet"]) == "sweet")
    #expect(try await load("/a", ["X-Flavour": "sweet"]) == "sweet")
    #expect(try await load("/a", ["X-Flavour": "sour"]) == "sour")
    #expect(origin.requests.count == 3)
  }

  /// RFC 9111 §5.2.2.5: from then on it is kept nowhere.
  @Test func aConfirmationThatForbidsKeeping() async throws {
    origin.script(
      "/a", .response(fields: [("Cache-Control", "max-age=0"), ("ETag", "\"a\"")], body: "one".utf8),
      .response(status: 304, fields: [("Cache-Control", "no-store, max-age=600"), ("ETag", "\"a\"")]),
      .response(fields: [("Cache-Control", "no-store")], body: "two".utf8))
    #expect(try await load("/a") == "one")
    #expect(try await load("/a") == "one")
    #expect(try await load("/a") == "two")
    #expect(origin.requests.map { $0.value("If-None-Match") } == [nil, "\"a\"", nil])
  }

  /// RFC 9111 §4.4: what was asked for before a change is not kept after it.
  @Test func whatWasAskedForBeforeAChange() async throws {
    let fields = [(name: "Cache-Control", value: "max-age=600")]
    origin.script(
      "/a", .silence, .response(body: "done".utf8), .response(fields: fields, body: "new".utf8))
    async let before = load("/a")
    await Eventually.expect("It is under way.") { origin.requests.count == 1 }
    #expect(try await load("/a", method: "PUT") == "done")
    origin.answer(0, fields: fields, body: "old".utf8)
    #expect(try await before == "old")
    #expect(try await load("/a") == "new")
    #expect(try await load("/a") == "new")
    #expect(origin.requests.count == 3)
  }
}
