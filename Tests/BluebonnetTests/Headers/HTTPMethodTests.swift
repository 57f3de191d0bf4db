// SPDX-License-Identifier: MIT
import Testing

@testable import Bluebonnet

@Suite struct HTTPMethodTests {
  @Test(arguments: [
    (HTTPMethod.connect, "CONNECT"), (.delete, "DELETE"), (.get, "GET"), (.head, "HEAD"),
    (.options, "OPTIONS"), (.patch, "PATCH"), (.post, "POST"), (.put, "PUT"), (.query, "QUERY"),
    (.trace, "TRACE"),
  ])
  func names(_ method: HTTPMethod, _ name: String) {
    #expect(method.rawValue == name)
    #expect(HTTPMethod(rawValue: name) == method)
  }

  @Test func caseMatters() {
    #expect(HTTPMethod(rawValue: "get") != .get)
  }
}
