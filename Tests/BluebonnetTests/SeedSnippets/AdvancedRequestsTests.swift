// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import Testing

extension SeedSnippetsTests {
  /// The advanced guide on requests and what they offer.
  @Suite struct AdvancedRequestsTests {
    private let origin: Origin
    private var base: String { origin.baseURL }

    init() {
      origin = Origin.inMemory()
    }

    @Test func states() async {
      let states: [Request.State] = [.initialized, .resumed, .suspended, .cancelled, .finished]
      #expect(Set(states.map { "\($0)" }).count == 5)
      let request = AF.request(base + "/get")
      #expect(request.state == .initialized)
      _ = await sent(request)
      #expect(request.state == .finished)
    }

    @Test func progress() async throws {
      let (up, down, answers) = (Recorder<Progress>(), Recorder<Progress>(), Recorder<AFDataResponse<Echo>>())
      AF.request(base + "/post", method: .post, parameters: ["a": "b"])
        .uploadProgress { progress in
          up.note(progress)
        }
        .downloadProgress { progress in
          down.note(progress)
        }
        .responseDecodable(of: Echo.self) { answer in
          answers.note(answer)
        }
      #expect(try await answers.first().value?.form == ["a": "b"])
      #expect(try await down.first().totalUnitCount > 0)
      #expect(try await up.first().completedUnitCount == 3)
    }

    @Test func redirects() async throws {
      let redirector = Redirector(behavior: .follow)
      let answers = Recorder<AFDataResponse<Echo>>()
      AF.request(base + "/redirect/1")
        .redirect(using: redirector)
        .responseDecodable(of: Echo.self) { answer in
          answers.note(answer)
        }
      #expect(try await answers.first().value?.url == base + "/get")
    }

    @Test func caching() async throws {
      let configuration = URLSessionConfiguration.af.ephemeral.inMemory()
      let cache = URLCache(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)
      configuration.urlCache = cache
      let session = Session(configuration: configuration)
      let cacher = ResponseCacher(behavior: .cache)
      let answers = Recorder<AFDataResponse<Echo>>()
      session.request(base + "/get")
        .cacheResponse(using: cacher)
        .responseDecodable(of: Echo.self) { answer in
          answers.note(answer)
        }
      #expect(try await answers.first().value != nil)
      let request = try URLRequest(url: base + "/get", method: .get)
      await Eventually.expect("It is kept.") { cache.cachedResponse(for: request) != nil }
    }

    @Test func credentials() async throws {
      let answers = Recorder<AFDataResponse<Echo>>()
      AF.request(base + "/basic-auth/me@example.domain/secret")
        .authenticate(username: "me@example.domain", password: "secret")
        .responseDecodable(of: Echo.self) { answer in
          answers.note(answer)
        }
      #expect(try await answers.first().response?.statusCode == 200)
    }

    /// The guide calls the label `using`, and its own chapter on usage says `with`.
    @Test func aRawCredential() async throws {
      let credential = URLCredential(user: "ada", password: "secret", persistence: .none)
      let answers = Recorder<AFDataResponse<Echo>>()
      AF.request(base + "/basic-auth/ada/secret")
        .authenticate(with: credential)
        .responseDecodable(of: Echo.self) { answer in
          answers.note(answer)
        }
      #expect(try await answers.first().response?.statusCode == 200)
    }

    @Test func theURLRequestsOfARequest() async throws {
      let (made, answers) = (Recorder<URLRequest>(), Recorder<AFDataResponse<Echo>>())
      let request = AF.request(base + "/get")
        .onURLRequestCreation { request in
          made.note(request)
        }
        .responseDecodable(of: Echo.self) { answer in
          answers.note(answer)
        }
      #expect(try await answers.first().value != nil)
      #expect(try await made.first().url?.absoluteString == base + "/get")
      #expect(request.requests.count == 1)
    }

    @Test func theTasksOfARequest() async throws {
      let (made, answers) = (Recorder<URLSessionTask>(), Recorder<AFDataResponse<Echo>>())
      let request = AF.request(base + "/get")
        .onURLSessionTaskCreation { task in
          made.note(task)
        }
        .responseDecodable(of: Echo.self) { answer in
          answers.note(answer)
        }
      #expect(try await answers.first().value != nil)
      #expect(try await made.first() == request.task)
      #expect(request.tasks.count == 1)
    }

    // MARK: Responses as they begin

    @Test func onHTTPResponse() async throws {
      let seen = Recorder<Int>()
      let request = AF.request(base + "/status/418")
        .onHTTPResponse { response in
          seen.note(response.statusCode)
        }
      #expect(await sent(request).response?.statusCode == 418)
      #expect(try await seen.first() == 418)
    }

    @Test func allowingAResponse() async throws {
      let request = AF.request(base + "/bytes/10")
        .onHTTPResponse { response, completionHandler in
          #expect(response.statusCode == 200)
          completionHandler(.allow)
        }
      #expect(await sent(request).value?.count == 10)
    }

    @Test func cancellingAResponse() async throws {
      let request = AF.request(base + "/infinite")
        .onHTTPResponse { response, completionHandler in
          #expect(response.statusCode == 200)
          completionHandler(.cancel)
        }
      #expect(await sent(request).error?.isExplicitlyCancelledError == true)
      #expect(request.isCancelled)
    }

    @Test(arguments: [Request.ResponseDisposition.allow, .cancel])
    func awaitingInTheHandler(disposition: Request.ResponseDisposition) async throws {
      @Sendable func decide() async -> Request.ResponseDisposition {
        await Task.yield()
        return disposition
      }
      let request = AF.request(base + "/bytes/10")
        .onHTTPResponse { response in
          _ = await decide()
          return .allow
        }
      #expect(await sent(request).value?.count == 10)
      let other = AF.request(base + "/bytes/10").onHTTPResponse { _ in await decide() }
      #expect((await sent(other).value == nil) == (disposition == .cancel))
    }

    @Test func aStreamOfResponses() async throws {
      let request = AF.request(base + "/redirect/1")
      let responses = request.httpResponses()
      let task = request.serializingData()
      var statuses: [Int] = []

      for await response in responses {
        statuses.append(response.statusCode)
      }
      #expect(statuses == [200])
      #expect(await task.response.error == nil)
    }

    /// The guide has one brace too many.
    @Test func metrics() async throws {
      let answers = Recorder<URLSessionTaskMetrics?>()
      AF.request(base + "/get")
        .responseDecodable(of: Echo.self) { answer in
          answers.note(answer.metrics)
        }
      #expect(try await answers.first() != nil)
    }

    // MARK: Validation

    @Test func theTypesOfValidations() throws {
      let data: DataRequest.Validation = { (_: URLRequest?, _: HTTPURLResponse, data: Data?) in
        .failure(AFError.explicitlyCancelled)
      }
      let stream: DataStreamRequest.Validation = { (_: URLRequest?, _: HTTPURLResponse) in .success(()) }
      let download: DownloadRequest.Validation = { (_: URLRequest?, _: HTTPURLResponse, file: URL?) in
        file == nil ? .failure(AFError.sessionDeinitialized) : .success(())
      }
      let url = try #require(URL(string: base))
      let response = try #require(
        HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
      #expect(throws: AFError.self) { try data(nil, response, nil).get() }
      #expect(throws: Never.self) { try stream(nil, response).get() }
      #expect(throws: AFError.self) { try download(nil, response, nil).get() }
    }

    private struct Odd: Error {}

    @Test(arguments: [2, 3]) func validationOfData(count: Int) async {
      let request = AF.request(base + "/bytes/\(count)")
        .validate { request, response, data in
          guard request != nil, response.statusCode == 200, data?.count == 2 else { return .failure(Odd()) }
          return .success(())
        }
      #expect((await sent(request).error?.underlyingError is Odd) == (count == 3))
    }

    /// The guide makes a request of data, whose validation has three parameters.
    @Test(arguments: [200, 404]) func validationOfAStream(status: Int) async throws {
      let ends = Recorder<DataStreamRequest.Completion>()
      AF.streamRequest(base + "/status/\(status)")
        .validate { request, response in
          response.statusCode == 200 ? .success(()) : .failure(Odd())
        }
        .responseStream { piece in
          if let completion = piece.completion { ends.note(completion) }
        }
      #expect((try await ends.first().error?.underlyingError is Odd) == (status == 404))
    }

    @Test func validationOfADownload() async throws {
      let sizes = Recorder<Int>()
      let answer = await AF.download(base + "/bytes/12")
        .validate { request, response, file in
          sizes.note(file.flatMap { try? Data(contentsOf: $0) }?.count ?? 0)
          return .failure(Odd())
        }
        .serializingData().response
      #expect(answer.error?.underlyingError is Odd)
      #expect(sizes.entries == [12])
    }

    @Test func cancellingADownload() async throws {
      origin.script(
        "/flower", .text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nETag: \"a\"\r\n\r\nabc").then(.hang))
      let request = AF.download(base + "/flower") { $0.timeoutInterval = 600 }
      request.response { _ in }
      await Eventually.expect("Some of it is there.") { request.downloadProgress.completedUnitCount == 3 }
      let left = Recorder<Data?>()
      request
        .cancel { data in
          left.note(data)
        }
      #expect(try await left.first() == request.resumeData)
      #expect(request.resumeData != nil)
    }
  }
}
