// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct RedirectorTests {
  /// What a handler makes of a redirect to `/next`.
  private func outcome(_ handler: some RedirectHandler) throws -> URL? {
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let url = try #require(URL(string: "http://localhost/"))
    let next = URLRequest(url: url.appendingPathComponent("next"))
    let response = try #require(
      HTTPURLResponse(url: url, statusCode: 302, httpVersion: nil, headerFields: nil))
    var answers: [URLRequest?] = []
    handler.task(session.dataTask(with: URLRequest(url: url)), willBeRedirectedTo: next, for: response) {
      answers.append($0)
    }
    #expect(answers.count == 1)
    return answers.first??.url
  }

  @Test func behaviours() throws {
    #expect(try outcome(.follow)?.path == "/next")
    #expect(try outcome(.doNotFollow) == nil)
    let longer = Redirector.modify { _, request, response in
      #expect(response.statusCode == 302)
      var request = request
      request.url?.appendPathComponent("more")
      return request
    }
    #expect(try outcome(longer)?.path == "/next/more")
    let none = Redirector.modify { _, _, _ in nil }
    #expect(try outcome(none) == nil)
    #expect(try outcome(Redirector.follow)?.path == "/next")
  }
}
