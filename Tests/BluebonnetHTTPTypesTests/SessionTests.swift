// SPDX-License-Identifier: MIT
#if HTTPTypes
  import Bluebonnet
  import BluebonnetFoundation
  import BluebonnetHTTPTypes
  import BluebonnetOrigin
  import BluebonnetTestNetwork
  import HTTPTypes
  import Testing

  /// Requests of swift-http-types in sessions of both kinds.
  @Suite struct SessionTests {
    private let origin = Origin.inMemory()
    private let session = Session(configuration: .patientInMemory)

    private func request(
      _ method: HTTPRequest.Method = .get, _ path: String = "/get", _ fields: HTTPFields = [:]
    ) -> HTTPRequest {
      HTTPRequest(
        method: method, scheme: "http", authority: String(origin.baseURL.dropFirst("http://".count)),
        path: path,
        headerFields: fields)
    }

    @Test func requestsAreMadeOfThem() async throws {
      origin.script(
        "/set", .response(fields: [("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")], body: "x".utf8))
      let response = await session.request(request(.get, "/set", [.cookie: "c=3"])).validate()
        .serializingString()
        .response
      #expect(response.value == "x")
      #expect(response.response?.httpResponse?.headerFields[values: .setCookie] == ["a=1", "b=2"])
      #expect(origin.requests.first?.value("Cookie") == "c=3")
      let request = try #require(response.request?.httpRequest)
      #expect(request.path == "/set" && request.headerFields[.cookie] == "c=3")
    }

    @Test func uploadsAndDownloads() async {
      let upload = await session.upload(
        Data("body".utf8), with: request(.post, "/post", [.contentType: "text/plain"])
      )
      .serializingData().response
      #expect(upload.response?.statusCode == 200)
      #expect(origin.requests.first?.body == Array("body".utf8))
      #expect(origin.requests.first?.value("Content-Type") == "text/plain")
      let download = await session.download(request()).serializingData().response
      #expect(download.value?.isEmpty == false)
    }

    @Test func optionsOfTheWholeServerAreSentAsSuch() async {
      origin.script("*", .response(status: 204))
      _ = await session.request(request(.options, "*")).serializingData(emptyResponseCodes: [200, 204, 404])
        .response
      #expect(origin.requests.map { $0.target } == ["*"])
    }

    @Test func reasonsAreInTheError() async {
      let response = await session.request(request(.connect)).serializingData().response
      #expect(response.error?.isCreateURLRequestError == true)
      #expect(response.error?.underlyingError as? HTTPConversionError == .connect)
      #expect(origin.requests.isEmpty)
    }

    @Test func theURLSession() async throws {
      let session = session.session
      let (data, response) = try await session.data(for: request())
      #expect(!data.isEmpty && response.status == .ok)
      let (_, uploaded) = try await session.upload(for: request(.post, "/post"), from: Data("body".utf8))
      #expect(uploaded.status == .ok && origin.requests.last?.body == Array("body".utf8))
      let (file, downloaded) = try await session.download(for: request())
      #expect(downloaded.status == .ok)
      let (_, sent) = try await session.upload(for: request(.post, "/post"), fromFile: file)
      #expect(sent.status == .ok && origin.requests.last?.body.isEmpty == false)
      try FileManager.default.removeItem(at: file)
      let (bytes, head) = try await session.bytes(for: request())
      #expect(head.status == .ok)
      #expect(try await bytes.reduce(0) { count, _ in count + 1 } > 0)
      await #expect(throws: HTTPConversionError.connect) { try await session.data(for: request(.connect)) }
    }

    @Test func tasksTellOfThem() async throws {
      let response = session.request(request(.get, "/redirect/1"))
      _ = await response.serializingData().response
      let task = try #require(response.task)
      #expect(task.originalHTTPRequest?.path == "/redirect/1" && task.currentHTTPRequest?.path == "/get")
      #expect(task.httpResponse?.status == .ok)
    }

    @Test func aThousandAtOnce() async {
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<1000 {
          group.addTask {
            let response = await session.request(request(.get, "/get?\(number)", [.cookie: "n=\(number)"]))
              .serializingData().response
            #expect(response.response?.httpResponse?.status == .ok)
          }
        }
      }
      #expect(Set(origin.requests.compactMap { $0.value("Cookie") }).count == 1000)
    }
  }
#endif
