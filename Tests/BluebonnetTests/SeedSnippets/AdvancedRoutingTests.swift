// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import BluebonnetTestNetwork
import Testing

extension SeedSnippetsTests {
  /// The advanced guide on making requests.
  @Suite struct AdvancedRoutingTests {
    private let origin: Origin
    private var base: String { origin.baseURL }

    init() {
      origin = Origin.inMemory()
    }

    @Test func whatCanBeAURL() async throws {
      let text = base + "/get"
      let first = AF.request(text)

      let url = try #require(URL(string: text))
      let second = AF.request(url)

      let components = try #require(URLComponents(url: url, resolvingAgainstBaseURL: true))
      let third = AF.request(components)

      for request in [first, second, third] {
        #expect(await sent(request).request?.url == url)
      }
      #expect(origin.requests.count == 3)
    }

    @Test func whatCanBeARequest() async throws {
      let url = try #require(URL(string: base + "/post"))
      var urlRequest = URLRequest(url: url)
      urlRequest.method = .post

      let parameters = ["colour": "blue"]

      do {
        urlRequest.httpBody = try JSONEncoder().encode(parameters)
      } catch {
        Issue.record(error)
      }

      urlRequest.headers.add(.contentType("application/json"))

      let echo = try await AF.request(urlRequest).serializingDecodable(Echo.self).value
      #expect(echo.data == #"{"colour":"blue"}"# && echo.values("Content-Type") == ["application/json"])
    }

    private enum Road: URLRequestConvertible {
      case get(at: URL), post(at: URL)

      var baseURL: URL {
        switch self {
        case .get(let url), .post(let url): return url
        }
      }

      var method: HTTPMethod {
        switch self {
        case .get: return .get
        case .post: return .post
        }
      }

      var path: String {
        switch self {
        case .get: return "get"
        case .post: return "post"
        }
      }

      func asURLRequest() throws -> URLRequest {
        let url = baseURL.appendingPathComponent(path)
        var request = URLRequest(url: url)
        request.method = method

        return request
      }
    }

    @Test func aRouter() async throws {
      let url = try #require(URL(string: base))
      #expect(await sent(AF.request(Road.get(at: url))).error == nil)
      #expect(await sent(AF.request(Road.post(at: url))).error == nil)
      #expect(origin.requests.map { "\($0.method) \($0.path)" } == ["GET /get", "POST /post"])
    }

    private enum Highway: URLRequestConvertible {
      case get(URL, [String: String]), post(URL, [String: String])

      func asURLRequest() throws -> URLRequest {
        switch self {
        case let .get(url, parameters):
          var request = URLRequest(url: url.appendingPathComponent("get"))
          request.method = .get
          request = try URLEncodedFormParameterEncoder().encode(parameters, into: request)
          return request
        case let .post(url, parameters):
          var request = URLRequest(url: url.appendingPathComponent("post"))
          request.method = .post
          request = try JSONParameterEncoder().encode(parameters, into: request)
          return request
        }
      }
    }

    @Test func aRouterWithParameters() async throws {
      let url = try #require(URL(string: base))
      #expect(await sent(AF.request(Highway.get(url, ["a": "b"]))).error == nil)
      #expect(await sent(AF.request(Highway.post(url, ["a": "b"]))).error == nil)
      #expect(origin.requests.map(\.target) == ["/get?a=b", "/post"])
      #expect(origin.requests.last.map { String(decoding: $0.body, as: UTF8.self) } == #"{"a":"b"}"#)
    }
  }
}
