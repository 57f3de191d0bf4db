// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct URLConvertibleTests {
  @Test func convertibles() throws {
    let url = try #require(URL(string: "https://example.org/a?b=c"))
    #expect(try "https://example.org/a?b=c".asURL() == url)
    #expect(try url.asURL() == url)
    #expect(try #require(URLComponents(url: url, resolvingAgainstBaseURL: false)).asURL() == url)
  }

  @Test func refusesWhatIsNoURL() {
    let error = #expect(throws: AFError.self) { try "".asURL() }
    #expect(error?.isInvalidURLError == true)
    var components = URLComponents()
    components.host = "example.org"
    components.path = "relative"
    #expect(throws: AFError.self) { try components.asURL() }
  }

  @Test func requestFromParts() throws {
    let request = try URLRequest(url: "https://example.org/", method: .put, headers: ["A": "1"])
    #expect(request.url?.absoluteString == "https://example.org/")
    #expect(request.method == .put)
    #expect(request.headers["A"] == "1")
    #expect(try request.asURLRequest() == request)
    #expect(request.urlRequest == request)
    #expect(throws: AFError.self) { try URLRequest(url: "", method: .get) }
  }

  @Test func methodOfARequest() throws {
    var request = try URLRequest(url: "https://example.org/", method: .get)
    request.method = .query
    #expect(request.httpMethod == "QUERY")
    request.method = nil
    #expect(request.method == .get)
  }

  @Test(arguments: [
    (HTTPMethod.get, Data?.none, true), (.get, Data(), false), (.get, Data([1]), false),
    (.post, Data([1]), true), (.query, Data([1]), true),
  ])
  func aGETHasNoBody(_ method: HTTPMethod, _ body: Data?, _ isValid: Bool) throws {
    var request = try URLRequest(url: "https://example.org/", method: method)
    request.httpBody = body
    if isValid {
      try request.validate()
    } else {
      let error = #expect(throws: AFError.self) { try request.validate() }
      guard case .urlRequestValidationFailed(.bodyDataInGETRequest(let data))? = error else {
        Issue.record("unexpected \(String(describing: error))")
        return
      }
      #expect(data == body)
    }
  }

  /// The last answer is remembered by its bytes.
  @Test(arguments: [
    ("http://host.test/\u{212A}", "http://host.test/K"),
    ("http://host.test/\u{F900}", "http://host.test/\u{8C48}"),
    ("http://host.test/e\u{301}", "http://host.test/\u{E9}"),
  ])
  func textsThatUnicodeCallsEqual(first: String, second: String) throws {
    #expect(first == second)
    for _ in 0..<3 {
      for text in [first, second, first] {
        #expect(try text.asURL().absoluteString == URL(string: text)?.absoluteString)
      }
    }
    #expect(try first.asURL() != second.asURL())
  }

  @Test func manyAtOnce() async {
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          let text = "http://host.test/\(number)"
          for _ in 0..<1000 {
            let url = try? text.asURL()
            guard url?.absoluteString == text else { return #expect(url?.absoluteString == text) }
          }
        }
      }
    }
  }
}
