// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

@Suite struct DataRequestTests {
  struct Reply: Decodable, Sendable {
    struct Header: Decodable, Sendable {
      let name: String
      let value: String
    }

    let url: String
    let headers: [Header]
    let data: String?
    let form: [String: String]?
    let args: [String: String]?
  }

  private func session(
    onQueues: Bool = false, interceptor: (any RequestInterceptor)? = nil,
    redirectHandler: (any RedirectHandler)? = nil
  ) -> Session {
    Session(
      configuration: .inMemory, rootQueue: onQueues ? DispatchQueue(label: "test.root") : nil,
      interceptor: interceptor, redirectHandler: redirectHandler)
  }

  @Test(arguments: [false, true])
  func parametersInTheQuery(onQueues: Bool) async throws {
    let origin = Origin.inMemory()
    let session = session(onQueues: onQueues)
    let reply = try await session.request(origin.baseURL + "/get", parameters: ["a": "b c"])
      .validate().serializingDecodable(Reply.self).value
    #expect(reply.args == ["a": "b c"])
  }

  @Test func parametersInABody() async throws {
    let origin = Origin.inMemory()
    let session = session()
    let form = try await session.request(
      origin.baseURL + "/post", method: .post, parameters: ["a": "b"]
    ).serializingDecodable(Reply.self).value
    #expect(form.form == ["a": "b"])
    let json = try await session.request(
      origin.baseURL + "/post", method: .post, parameters: ["a": "b"], encoder: JSONParameterEncoder.default
    ).serializingDecodable(Reply.self).value
    #expect(json.data == #"{"a":"b"}"#)
  }

  @Test func ownFieldsAreSent() async throws {
    let origin = Origin.inMemory()
    let session = session()
    let reply = try await session.request(origin.baseURL + "/get", headers: ["X-Own": "yes"])
      .serializingDecodable(Reply.self).value
    #expect(reply.headers.contains { $0.name == "X-Own" && $0.value == "yes" })
  }

  @Test(arguments: [false, true])
  func aStatusThatIsNoSuccessFailsValidation(onQueues: Bool) async throws {
    let origin = Origin.inMemory()
    let session = session(onQueues: onQueues)
    let request = session.request(origin.baseURL + "/status/404").validate()
    let response = await request.serializingData(emptyResponseCodes: [404]).response
    #expect(response.error?.responseCode == 404)
    #expect(response.response?.statusCode == 404)
  }

  @Test func aTypeThatWasNotAskedForFailsValidation() async throws {
    let origin = Origin.inMemory()
    let session = session()
    let response = await session.request(origin.baseURL + "/xml", headers: [.accept("application/json")])
      .validate().serializingData().response
    #expect(response.error?.isResponseValidationError == true)
    #expect(response.error?.responseContentType == "application/xml")
  }

  @Test func retriesGoOnUntilTheServerRecovers() async throws {
    let origin = Origin.inMemory()
    // A POST is not sent again by the transport itself, so every reset reaches the retrier.
    origin.script("/post", .reset, .reset, .endpoint)
    let session = session(
      interceptor: RetryPolicy(
        retryLimit: 2, exponentialBackoffScale: 0.001, retryableHTTPMethods: [.post]))
    let request = session.request(origin.baseURL + "/post", method: .post).validate()
    let response = await request.serializingData().response
    #expect(response.error == nil)
    #expect(request.retryCount == 2)
    #expect(request.tasks.count == 3)
  }

  @Test(arguments: [false, true])
  func cancellationReachesTheSocket(onQueues: Bool) async throws {
    let origin = Origin.inMemory()
    origin.script("/silent", .silence)
    let session = session(onQueues: onQueues)
    // A machine that is busy with other tests must not get a time-out instead.
    let request = session.request(origin.baseURL + "/silent") { $0.timeoutInterval = 600 }
    let task = request.serializingData()
    await Eventually.expect("It has been sent.") { !origin.requests.isEmpty }
    request.cancel()
    let response = await task.response
    #expect(response.error?.isExplicitlyCancelledError == true)
    #expect(response.metrics != nil)
  }

  @Test func redirectsAreFollowedUnlessTheHandlerSaysOtherwise() async throws {
    let origin = Origin.inMemory()
    let session = session()
    let url = origin.baseURL + "/redirect/2"
    let followed = await session.request(url).serializingDecodable(Reply.self).response
    #expect(followed.value?.url == origin.baseURL + "/get")
    #expect(followed.response?.url?.absoluteString == origin.baseURL + "/get")
    let stopped = await session.request(url).redirect(using: .doNotFollow)
      .serializingData(emptyResponseCodes: [302]).response
    #expect(stopped.response?.statusCode == 302)
    let modified = await session.request(url)
      .redirect(
        using: .modify { _, request, _ in
          var request = request
          request.setValue("yes", forHTTPHeaderField: "X-Redirected")
          return request
        }
      ).serializingDecodable(Reply.self).response
    #expect(modified.value?.headers.contains { $0.name == "X-Redirected" } == true)
  }

  @Test func theRequestsRedirectHandlerBeatsTheSessions() async throws {
    let origin = Origin.inMemory()
    let session = session(redirectHandler: Redirector.doNotFollow)
    let response = await session.request(origin.baseURL + "/redirect/1").redirect(using: .follow)
      .serializingDecodable(Reply.self).response
    #expect(response.response?.statusCode == 200)
  }

  @Test(arguments: [("pass", true), ("wrong", false)])
  func credentialsAnswerAChallenge(password: String, succeeds: Bool) async throws {
    let origin = Origin.inMemory()
    let session = session()
    let response = await session.request(origin.baseURL + "/basic-auth/user/pass")
      .authenticate(username: "user", password: password)
      .validate().serializingData().response
    #expect((response.error == nil) == succeeds)
  }

  @Test func aLargeBodyIsCollectedWhole() async throws {
    let origin = Origin.inMemory()
    let session = session()
    let request = session.request(origin.baseURL + "/manyBytes/3000000")
    let data = try await request.serializingData().value
    #expect(data.count == 3_000_000)
    #expect(Set(data).count == 1)
    #expect(request.downloadProgress.fractionCompleted == 1)
  }

  @Test func aStreamIsHandedOutAsItComes() async throws {
    let origin = Origin.inMemory()
    let session = session()
    var bytes: [UInt8] = []
    var error: AFError?
    for await stream in session.streamRequest(origin.baseURL + "/chunked/5").streamTask().streamingData() {
      switch stream.event {
      case .stream(.success(let data)): bytes += data
      case .complete(let completion): error = completion.error
      }
    }
    #expect(error == nil)
    #expect(bytes.count == 5)
  }

  @Test func anEndlessStreamCanBeLeft() async throws {
    let origin = Origin.inMemory()
    let session = session()
    let request = session.streamRequest(origin.baseURL + "/infinite")
    var received = 0
    for await stream in request.streamTask().streamingData() {
      guard case .stream(.success(let data)) = stream.event else { break }
      received += data.count
      if received > 4 << 20 { break }
    }
    #expect(received > 4 << 20)
    await Eventually.expect("It is cancelled.") { request.isCancelled }
  }

  /// A reader that stops reading, and doesn't leave, holds the wire back: an endless body must not pile up.
  @Test func aSlowReaderHoldsTheBodyBack() async throws {
    let origin = Origin.inMemory()
    let configuration = URLSessionConfiguration.inMemory
    let clock = configuration.stopClock()
    let session = Session(configuration: configuration)
    let request = session.streamRequest(origin.baseURL + "/infinite")
    var iterator = request.streamTask().streamingData().makeAsyncIterator()
    #expect(await iterator.next() != nil)
    let task = try #require(request.lastTask)
    await Eventually.expect("it rests") { request.flow.withLock { $0.isResting } }
    // Many times what may be on its way would be read by then if nothing held it back.
    for _ in 0..<1000 { clock.advance(by: .zero) }
    #expect(task.countOfBytesReceived < 16 << 20)
    // And goes on when it is read again.
    let before = task.countOfBytesReceived
    var received = 0
    while received < 4 << 20, case .stream(.success(let data))? = await iterator.next()?.event {
      received += data.count
    }
    #expect(received >= 4 << 20)
    #expect(task.countOfBytesReceived > before)
    request.cancel()
  }

  private struct Search: Encodable, Sendable {
    let term: String
  }

  /// Streams and downloads take parameters as data requests do.
  @Test func encodableParametersOfStreamsAndDownloads() async throws {
    let origin = Origin.inMemory()
    let session = session()
    func reply(_ request: DataStreamRequest) async throws -> Reply {
      var data = Data()
      for await part in request.streamTask().streamingData() { data += part.value ?? Data() }
      return try JSONDecoder().decode(Reply.self, from: data)
    }
    func reply(_ request: DownloadRequest) async throws -> Reply {
      let response = await request.serializingDecodable(Reply.self).response
      if let file = response.fileURL { try? FileManager.default.removeItem(at: file) }
      return try response.result.get()
    }
    let search = Search(term: "b c")
    let (get, post) = (origin.baseURL + "/get", origin.baseURL + "/post")
    #expect(try await reply(session.streamRequest(get, parameters: search)).args == ["term": "b c"])
    #expect(try await reply(session.download(get, parameters: search)).args == ["term": "b c"])
    let streamed = session.streamRequest(
      post, method: .post, parameters: search, encoder: JSONParameterEncoder.default,
      headers: ["X-Own": "1"], requestModifier: { $0.setValue("2", forHTTPHeaderField: "X-Modified") })
    #expect(try await reply(streamed).data == #"{"term":"b c"}"#)
    let downloaded = session.download(
      post, method: .post, parameters: search, encoder: JSONParameterEncoder.default,
      headers: ["X-Own": "1"], requestModifier: { $0.setValue("2", forHTTPHeaderField: "X-Modified") })
    #expect(try await reply(downloaded).data == #"{"term":"b c"}"#)
    for request in origin.requests.suffix(2) {
      #expect(request.method == "POST" && request.value("Content-Type") == "application/json")
      #expect(request.value("X-Own") == "1" && request.value("X-Modified") == "2")
    }
    let form = session.streamRequest(post, method: .post, parameters: search)
    #expect(try await reply(form).form == ["term": "b c"])
  }
}
