// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import BluebonnetTestNetwork
import Testing

extension HTTPMethod {
  fileprivate static let mix = HTTPMethod(rawValue: "MIX")
}

extension SeedSnippetsTests {
  /// The usage guide on making requests.
  @Suite struct UsageRequestsTests {
    private let origin: Origin
    private var base: String { origin.baseURL }

    init() {
      origin = Origin.inMemory()
    }

    @Test func makingRequests() async throws {
      let answers = Recorder<AFDataResponse<Data?>>()
      AF.request(base + "/get").response { answer in
        answers.note(answer)
      }
      let answer = try await answers.first()
      #expect(answer.response?.statusCode == 200)
      #expect(String(reflecting: answer).contains(base + "/get"))
    }

    @Test func theFullFormOfARequest() async throws {
      final class Mark: RequestInterceptor {
        func adapt(
          _ urlRequest: URLRequest, for session: Session,
          completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
        ) {
          var urlRequest = urlRequest
          urlRequest.headers.add(name: "X-Mark", value: "1")
          completion(.success(urlRequest))
        }
      }
      let request = AF.request(
        base + "/post", method: .post, parameters: ["a": "b"],
        encoder: URLEncodedFormParameterEncoder.default, headers: [.accept("*/*")], interceptor: Mark())
      let echo = try await request.serializingDecodable(Echo.self).value
      #expect(echo.form == ["a": "b"] && echo.values("X-Mark") == ["1"] && echo.values("Accept") == ["*/*"])
    }

    @Test func theFormForReadyRequests() async throws {
      let whole = URLRequest(url: try #require(URL(string: base + "/get")))
      let echo = try await AF.request(whole, interceptor: nil).serializingDecodable(Echo.self).value
      #expect(echo.url == base + "/get")
    }

    @Test func theMethods() {
      let methods: [HTTPMethod] = [
        .connect, .delete, .get, .head, .options, .patch, .post, .put, .query, .trace,
      ]
      let names = ["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE"]
      #expect(methods.map(\.rawValue) == names)
      #expect(Set(names.map(HTTPMethod.init(rawValue:))) == Set(methods))
    }

    @Test func httpMethods() async {
      for request in [
        AF.request(base + "/get"),
        AF.request(base + "/post", method: .post),
        AF.request(base + "/put", method: .put),
        AF.request(base + "/delete", method: .delete),
      ] {
        #expect(await sent(request).response?.statusCode == 200)
      }
      #expect(origin.requests.map(\.method) == ["GET", "POST", "PUT", "DELETE"])
    }

    @Test func theMethodOfAURLRequest() throws {
      var request = URLRequest(url: try #require(URL(string: base)))
      #expect(request.method == .get)
      request.method = .patch
      #expect(request.httpMethod == "PATCH")
    }

    @Test func aMethodOfOnesOwn() async {
      _ = await sent(AF.request(base + "/headers", method: .mix))
      #expect(origin.requests.map(\.method) == ["MIX"])
    }

    @Test func settingOtherProperties() async throws {
      let answers = Recorder<AFDataResponse<Data?>>()
      AF.request(base + "/get", requestModifier: { $0.timeoutInterval = 305 }).response { answers.note($0) }
      let answer = try await answers.first()
      #expect(answer.request?.timeoutInterval == 305 && answer.error == nil)
    }

    @Test func settingOtherPropertiesBehindTheCall() async throws {
      let answers = Recorder<AFDataResponse<Data?>>()
      AF.request(base + "/get") { request in
        request.timeoutInterval = 305
        request.allowsConstrainedNetworkAccess = false
      }
      .response { answers.note($0) }
      let answer = try await answers.first()
      #expect(answer.request?.timeoutInterval == 305 && answer.error == nil)
      #expect(answer.request?.allowsConstrainedNetworkAccess == false)
    }
  }
}
