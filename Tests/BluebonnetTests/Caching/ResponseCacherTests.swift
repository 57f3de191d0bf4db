// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct ResponseCacherTests {
  /// What a handler lets into the cache of a response with the body `one`.
  private func outcome(_ handler: some CachedResponseHandler) throws -> String? {
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let url = try #require(URL(string: "http://localhost/"))
    let response = try #require(
      HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
    var answers: [CachedURLResponse?] = []
    handler.dataTask(
      session.dataTask(with: URLRequest(url: url)),
      willCacheResponse: CachedURLResponse(response: response, data: Data("one".utf8))
    ) { answers.append($0) }
    #expect(answers.count == 1)
    return answers.first?.map { String(decoding: $0.data, as: UTF8.self) }
  }

  @Test func behaviours() throws {
    #expect(try outcome(.cache) == "one")
    #expect(try outcome(.doNotCache) == nil)
    let longer = ResponseCacher.modify { _, cached in
      CachedURLResponse(response: cached.response, data: cached.data + Data("two".utf8))
    }
    #expect(try outcome(longer) == "onetwo")
    let none = ResponseCacher.modify { _, _ in nil }
    #expect(try outcome(none) == nil)
    #expect(try outcome(ResponseCacher.cache) == "one")
  }
}
