// SPDX-License-Identifier: MIT
#if Logging
  import Bluebonnet
  import BluebonnetFoundation
  import BluebonnetLogging
  import BluebonnetOrigin
  import BluebonnetTestNetwork
  import BluebonnetTestSupport
  import InMemoryLogging
  import Logging
  import Testing

  /// Each secret has `s3cret` in it, so that one search through all lines finds it.
  @Suite struct LoggedSecretsTests {
    private let origin = Origin.inMemory()
    private let handler = InMemoryLogHandler.all()

    private var address: String { origin.baseURL.replacing("http://", with: "http://me:s3cret@") }

    private func session(fields: Set<String> = []) -> (Session, LoggingMonitor) {
      let monitor = LoggingMonitor(logger: Logger(label: "http", handler), fields: fields)
      return (Session(configuration: .patientInMemory, eventMonitors: [monitor]), monitor)
    }

    private var text: String {
      handler.entries.map { "\($0.message) \($0.metadata)" }.joined(separator: "\n")
    }

    private static let headers: HTTPHeaders = [
      "Authorization": "Bearer s3cret", "Cookie": "id=s3cret", "X-API-Key": "s3cret", "Accept-Language": "de",
    ]

    @Test func noSecretIsWritten() async throws {
      let (session, monitor) = session()
      let retrying = Interceptor(retriers: [
        Retrier { request, _, _, completion in completion(request.retryCount < 1 ? .retry : .doNotRetry) }
      ])
      origin.script(
        "/set", .response(fields: [("Set-Cookie", "id=s3cret"), ("X-Token", "s3cret")], body: "x".utf8))
      origin.script(
        "/there", .response(status: 302, fields: [("Location", "\(address)/get?token=s3cret#s3cret")]))
      for path in ["/get", "/set", "/there", "/status/404", "/xml"] {
        _ = await session.request(
          address + path + "?token=s3cret#s3cret", headers: Self.headers, interceptor: retrying
        ).validate().serializingDecodable([Int].self).response
      }
      _ = await session.request("http://me:s3cret@[?token=s3cret").serializingData().response
      let port = try ClosedPort()
      _ = await session.request("http://me:s3cret@127.0.0.1:\(port.number)/?token=s3cret").serializingData()
        .response
      let cancelled = session.request(address + "/get?token=s3cret", headers: Self.headers)
      cancelled.cancel()
      _ = await cancelled.serializingData().response
      await monitor.heardAll()
      #expect(origin.requests.contains { $0.value("Authorization") == "Bearer s3cret" })
      #expect(handler.entries.count > 20)
      #expect(!text.contains("s3cret"), "\(text)")
      #expect(text.contains("?…"))
    }

    @Test func fieldsOnTheListAreWritten() async {
      let (session, monitor) = session(fields: ["accept-language", "X-Kind", "Location"])
      origin.script(
        "/there",
        .response(
          status: 302,
          fields: [("Location", "\(address)/set?token=s3cret"), ("Set-Cookie", "id=s3cret"), ("X-Kind", "a")])
      )
      origin.script("/set", .response(fields: [("X-Kind", "b"), ("X-Other", "s3cret")], body: "x".utf8))
      _ = await session.request(origin.baseURL + "/there", headers: Self.headers).serializingData().response
      await monitor.heardAll()
      let lines = handler.entries
      #expect(lines.first?.metadata["http.request.header.accept-language"] == "de")
      #expect(lines[1].metadata["http.response.header.x-kind"] == "a")
      #expect(lines[1].metadata["http.response.header.location"] == "\(origin.baseURL)/set?…")
      #expect(lines.last?.metadata["http.response.header.x-kind"] == "b")
      #expect(!text.contains("s3cret"), "\(text)")
    }

    @Test func secretFieldsAreWrittenOnlyByName() async {
      let (session, monitor) = session(fields: ["Authorization"])
      _ = await session.request(origin.baseURL + "/get", headers: Self.headers).serializingData().response
      await monitor.heardAll()
      #expect(handler.entries.first?.metadata["http.request.header.authorization"] == "Bearer s3cret")
      #expect(text.components(separatedBy: "s3cret").count == 2)
    }
  }
#endif
