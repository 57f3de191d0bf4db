// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import Testing

@testable import Bluebonnet

/// Runs what the article *Caching* shows.
@Suite struct CachingExamplesTests {
  @Test func theExamplesDoWhatTheArticleSays() async throws {
    let origin = try Origin.start()
    let one = Data("one".utf8)
    origin.handle("/fresh") { request in
      request.value("If-None-Match") == "\"a\""
        ? .response(status: 304, fields: [("ETag", "\"a\"")])
        : .response(fields: [("Cache-Control", "max-age=600"), ("ETag", "\"a\"")], body: "one".utf8)
    }
    let url = origin.baseURL + "/fresh"
    #expect(await CachingExamples.twice(url))
    #expect(origin.requests.count == 1)
    #expect(try await CachingExamples.revalidating(url) == one)
    #expect(origin.requests.last?.value("If-None-Match") == "\"a\"")
    #expect(await CachingExamples.offline(url) == one)
    #expect(await CachingExamples.offline(origin.baseURL + "/nothing") == nil)
    #expect(origin.requests.count == 2)

    origin.script("/plain", .response(body: "one".utf8))
    for _ in 0..<2 { #expect(try await CachingExamples.keepingForAnHour(origin.baseURL + "/plain") == one) }
    #expect(origin.requests.count == 3)

    let session = CachingExamples.collapsing()
    origin.script(
      "/slow", ScriptedReply([.pause(milliseconds: 200)] + ScriptedReply.response(body: "one".utf8).steps))
    async let first = session.request(origin.baseURL + "/slow").serializingData().value
    async let second = session.request(origin.baseURL + "/slow").serializingData().value
    #expect(try await first == one)
    #expect(try await second == one)
    #expect(origin.requests.count == 4)
  }
}
