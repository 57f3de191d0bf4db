// SPDX-License-Identifier: MIT
import BluebonnetHTTP1
import BluebonnetSemantics
import BluebonnetURLLoading
import Testing

@Suite struct RedirectPolicyTests {
  private func request(_ url: String, _ method: String = "GET") throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: url)))
    request.httpMethod = method
    if method == "POST" || method == "PUT" {
      request.httpBody = Data("body".utf8)
      request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
    }
    request.setValue("secret", forHTTPHeaderField: "authorization")
    request.setValue("a=b", forHTTPHeaderField: "Cookie")
    request.setValue("p", forHTTPHeaderField: "Proxy-Authorization")
    request.setValue("yes", forHTTPHeaderField: "X-Other")
    return request
  }

  private func follow(_ status: Int, _ location: String, _ request: URLRequest) throws -> URLRequest {
    var policy = RedirectPolicy()
    guard
      case .propose(let proposal) = policy.decide(
        status: status, location: .reference(location), request: request)
    else {
      Issue.record("not followed")
      return request
    }
    #expect(proposal.obstacle(to: proposal.request) == nil)
    return proposal.request
  }

  @Test(arguments: [
    (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"),
    (308, "POST", "POST"),
    (301, "PUT", "PUT"), (302, "PUT", "PUT"), (303, "PUT", "GET"), (307, "PUT", "PUT"),
    (303, "DELETE", "GET"),
    (301, "GET", "GET"), (303, "HEAD", "HEAD"), (302, "HEAD", "HEAD"), (308, "DELETE", "DELETE"),
  ])
  func theMethodIsRewritten(_ status: Int, _ method: String, _ expected: String) throws {
    let original = try request("http://a.test/x", method)
    let next = try follow(status, "/y", original)
    #expect(next.httpMethod == expected)
    #expect(next.url?.absoluteString == "http://a.test/y")
    let keepsBody = method == expected && original.httpBody != nil
    #expect((next.httpBody != nil) == keepsBody)
    #expect((next.value(forHTTPHeaderField: "Content-Type") != nil) == keepsBody)
    #expect(next.value(forHTTPHeaderField: "X-Other") == "yes")
  }

  @Test(arguments: [
    ("http://b.test/", false), ("https://a.test/", false), ("http://a.test:8080/", false), ("/same", true),
    ("http://A.TEST:80/", true), ("//a.test/x", true), ("http://sub.a.test/", false),
  ])
  func secretsStayWithTheirOrigin(_ location: String, _ kept: Bool) throws {
    let next = try follow(302, location, try request("http://a.test/x"))
    for name in ["Authorization", "Cookie", "Proxy-Authorization"] {
      #expect((next.value(forHTTPHeaderField: name) != nil) == kept, "\(name)")
    }
    #expect(next.value(forHTTPHeaderField: "X-Other") == "yes")
  }

  @Test(arguments: [
    ("y", "http://a.test/d/y"), ("/y", "http://a.test/y"), ("?k=v", "http://a.test/d/x?k=v"),
    ("../y", "http://a.test/y"), ("//b.test/z", "http://b.test/z"), ("https://c.test", "https://c.test"),
    ("", "http://a.test/d/x?q"), ("y#own", "http://a.test/d/y#own"), (" /trim\t", "http://a.test/trim"),
    ("/a b", "http://a.test/a%20b"), ("/ü", "http://a.test/%C3%BC"), ("#here", "http://a.test/d/x?q#here"),
    ("/%E9[x] y%zz%", "http://a.test/%E9%5Bx%5D%20y%25zz%25"), ("//[::1]:80/[", "http://[::1]:80/%5B"),
    ("https://[::1]?[%5B", "https://[::1]?%5B%5B"), ("?a:b[c]://", "http://a.test/d/x?a:b%5Bc%5D://"),
    ("a\\b|c", "http://a.test/d/a%5Cb%7Cc"),
  ])
  func aLocationIsResolved(_ location: String, _ expected: String) throws {
    let base = try #require(URL(string: "http://a.test/d/x?q"))
    #expect(try follow(302, location, URLRequest(url: base)).url?.absoluteString == expected)
  }

  @Test(arguments: [
    ("/y", "http://a.test/y#frag"), ("/y#own", "http://a.test/y#own"), ("/y#", "http://a.test/y#"),
  ])
  func theFragmentIsInherited(_ location: String, _ expected: String) throws {
    let base = try #require(URL(string: "http://a.test/x#frag"))
    #expect(try follow(302, location, URLRequest(url: base)).url?.absoluteString == expected)
  }

  @Test(arguments: [
    ("file:///etc/passwd", URLError.Code.unsupportedURL), ("data:,x", .unsupportedURL),
    ("ftp://a.test/", .unsupportedURL), ("http://", .badURL), ("http://a.test:99999/", .badURL),
    ("/a\u{1}b", .redirectToNonExistentLocation),
  ])
  func aLocationElsewhereIsRefused(_ location: String, _ code: URLError.Code) throws {
    var policy = RedirectPolicy()
    guard
      case .propose(let proposal) = policy.decide(
        status: 302, location: .reference(location), request: try request("http://a.test/"))
    else {
      Issue.record("not proposed")
      return
    }
    let error = try #require(proposal.obstacle(to: proposal.request))
    #expect(error.code == code)
    #expect(error.localizedDescription.contains("redirect"))
    // Wherever it leads, it is not where the secrets belong.
    #expect(proposal.request.value(forHTTPHeaderField: "Authorization") == nil)
    // Whoever names another address may have it.
    var other = proposal.request
    other.url = URL(string: "http://a.test/other")
    #expect(proposal.obstacle(to: other) == nil)
  }

  @Test func locationsThatDifferLeadNowhere() throws {
    let fields = HTTPURLResponse(
      url: try #require(URL(string: "http://a.test/")), statusCode: 302, minorVersion: 1,
      fields: FieldBlock([("Location", "http://b.test/"), ("location", "http://c.test/")])
    ).fields
    #expect(Location(of: fields) == .contradictory)
    #expect(
      Location(of: FieldBlock([("Location", "/a"), ("Location", "/a")])) == .reference("/a"))
    #expect(Location(of: FieldBlock([("A", "b")])) == .none)
    var policy = RedirectPolicy()
    guard
      case .propose(let proposal) = policy.decide(
        status: 302, location: .contradictory, request: try request("http://a.test/"))
    else {
      Issue.record("not proposed")
      return
    }
    #expect(proposal.request.url == nil)
    #expect(proposal.obstacle(to: proposal.request)?.code == .redirectToNonExistentLocation)
  }

  @Test(arguments: [200, 204, 300, 304, 305, 306, 309, 400])
  func otherStatusesAreTheAnswer(_ status: Int) throws {
    var policy = RedirectPolicy()
    #expect(
      policy.decide(status: status, location: .reference("/y"), request: try request("http://a.test/"))
        == .finish)
  }

  @Test func withoutALocationTheResponseIsTheAnswer() throws {
    var policy = RedirectPolicy()
    #expect(policy.decide(status: 302, location: .none, request: try request("http://a.test/")) == .finish)
  }

  @Test func theTwentyFirstRedirectFails() throws {
    var policy = RedirectPolicy()
    let request = try request("http://a.test/")
    for _ in 0..<20 {
      guard
        case .propose(let proposal) = policy.decide(status: 302, location: .reference("/"), request: request)
      else {
        Issue.record("not followed")
        return
      }
      #expect(proposal.obstacle(to: proposal.request) == nil)
    }
    guard
      case .propose(let proposal) = policy.decide(status: 302, location: .reference("/"), request: request)
    else {
      Issue.record("not proposed")
      return
    }
    var other = proposal.request
    other.url = URL(string: "http://a.test/other")
    for chosen in [proposal.request, other] {
      #expect(proposal.obstacle(to: chosen)?.code == .httpTooManyRedirects)
    }
    #expect(policy.count == 20)
  }
}

extension RedirectPolicy {
  /// The decision after a response.
  fileprivate enum Decision: Sendable, Equatable {
    /// The response is the answer.
    case finish
    /// The delegate is asked whether to send this request instead.
    case propose(Proposal)
  }

  /// Takes a response that arrived for `request`.
  fileprivate mutating func decide(status: Int, location: Location, request: URLRequest) -> Decision {
    guard let from = request.url else { return .finish }
    let step = evaluate(
      status: status, location: location, method: request.httpMethod ?? "GET", url: from.absoluteString)
    guard case .redirect(let redirect) = step else { return .finish }
    return .propose(proposal(for: redirect, to: request))
  }
}
