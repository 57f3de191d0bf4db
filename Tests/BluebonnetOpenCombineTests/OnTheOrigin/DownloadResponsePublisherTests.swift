// SPDX-License-Identifier: MIT
#if OpenCombine
  import Bluebonnet
  import BluebonnetFoundation
  import BluebonnetOpenCombine
  import BluebonnetOrigin
  import BluebonnetTestNetwork
  import BluebonnetTestSupport
  import OpenCombine
  import Testing

  @Suite struct DownloadResponsePublisherTests {
    private struct Echo: Decodable, Sendable { let url: String }

    private let origin: Origin
    private let session = Session(configuration: .patientInMemory)
    private let queue = DispatchQueue(label: "test.publishers")
    private let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("bluebonnet-\(UUID().uuidString)", isDirectory: true)

    init() {
      origin = Origin.inMemory()
    }

    private func get(_ path: String = "/get") -> DownloadRequest {
      let file = directory.appendingPathComponent(UUID().uuidString)
      return session.download(origin.baseURL + path, to: { _, _ in (file, [.createIntermediateDirectories]) })
    }

    private func end<P: Publisher>(of publisher: P) async -> Probe<P.Output, P.Failure>
    where P.Output: Sendable {
      let probe = Probe<P.Output, P.Failure>(asking: nil)
      publisher.subscribe(probe)
      await probe.end()
      #expect(probe.ends.count == 1 && probe.overlaps == 0)
      return probe
    }

    @Test func everyForm() async throws {
      defer { try? FileManager.default.removeItem(at: directory) }
      let url = origin.baseURL + "/get"
      let data = await end(of: get().publishData(queue: queue))
      #expect(data.values.count == 1 && data.values[0].value?.isEmpty == false)
      let text = await end(of: get().publishString(queue: queue))
      #expect(text.values.count == 1 && text.values[0].value?.contains(url) == true)
      let echo = await end(of: get().publishDecodable(type: Echo.self, queue: queue))
      #expect(echo.values.count == 1 && echo.values[0].value?.url == url)
      let own = await end(of: get().publishResponse(using: .decodable(of: Echo.self), on: queue))
      #expect(own.values.first?.value?.url == url)
      let place = await end(of: get().publishResponse(using: .url, on: queue))
      #expect(place.values.first?.value != nil)
      let made = await end(
        of: DownloadResponsePublisher(get(), queue: queue, serializer: StringResponseSerializer()))
      #expect(made.values.first?.value?.contains(url) == true)
      #expect(origin.requests.count == 6)
    }

    /// Under the label that it had before.
    @available(*, deprecated)
    @Test func methodsOfEmptyResponsesByTheirOldLabel() async {
      defer { try? FileManager.default.removeItem(at: directory) }
      origin.script("/none", .response())
      func post() -> DownloadRequest {
        let file = directory.appendingPathComponent(UUID().uuidString)
        return session.download(
          origin.baseURL + "/none", method: .post, to: { _, _ in (file, [.createIntermediateDirectories]) })
      }
      let allowed = await end(
        of: post().publishDecodable(type: Empty.self, queue: queue, emptyResponseMethods: [.post]))
      #expect(allowed.values.count == 1 && allowed.values[0].value != nil)
      let refused = await end(
        of: post().publishDecodable(type: Empty.self, queue: queue, emptyResponseMethods: [.put]))
      #expect(refused.values.count == 1 && refused.values[0].error?.isResponseSerializationError == true)
    }

    @Test func filesThatAreNotRead() async throws {
      defer { try? FileManager.default.removeItem(at: directory) }
      let file = await end(of: get("/download/100000").publishURL(queue: queue).value())
      let place = try #require(file.values.first)
      #expect(try Data(contentsOf: place).count == 100_000)
      let raw = await end(of: get("/download/1000").publishUnserialized(queue: queue))
      let rawPlace = try #require(raw.values.first?.value ?? nil)
      #expect(try Data(contentsOf: rawPlace).count == 1000)
    }

    @Test func failures() async {
      defer { try? FileManager.default.removeItem(at: directory) }
      let status = await end(of: get("/status/404").validate().publishURL(queue: queue))
      #expect(status.values.count == 1 && status.values[0].error?.responseCode == 404)
      let value = await end(of: get("/xml").publishDecodable(type: Echo.self, queue: queue).value())
      #expect(value.values.isEmpty && value.error?.isResponseSerializationError == true)
      let result = await end(of: get("/xml").publishDecodable(type: Echo.self, queue: queue).result())
      #expect(result.values.first?.refusal?.isResponseSerializationError == true && result.ends.count == 1)
    }

    @Test func aBrokenConnectionLeavesWhatItTakesToGoOn() async throws {
      defer { try? FileManager.default.removeItem(at: directory) }
      let broken = await end(
        of: get("/download/100000?shouldProduceError=true").publishURL(queue: queue))
      let data = try #require(broken.values.first?.resumeData)
      #expect(broken.values[0].error != nil)
      let file = directory.appendingPathComponent("whole")
      let resumed = session.download(
        resumingWith: data, to: { _, _ in (file, [.createIntermediateDirectories]) })
      let rest = await end(of: resumed.publishData(queue: queue).value())
      #expect(rest.values.first?.count == 100_000)
    }

    @Test func nothingIsSentBeforeTheFirstDemand() async {
      defer { try? FileManager.default.removeItem(at: directory) }
      let request = get()
      let probe = Probe<URL, AFError>()
      request.publishURL(queue: queue).value().subscribe(probe)
      #expect(request.isInitialized)
      _ = await session.request(origin.baseURL + "/ip").serializingData().response
      #expect(origin.requests.map(\.path) == ["/ip"])
      probe.request(1)
      await probe.end()
      #expect(probe.values.count == 1 && origin.requests.count == 2)
    }

    @Test func laterSubscribersGetTheSameFile() async {
      defer { try? FileManager.default.removeItem(at: directory) }
      let publisher = get("/download/1000").publishData(queue: queue)
      let first = await end(of: publisher)
      let second = await end(of: publisher)
      #expect(first.values.first?.value == second.values.first?.value && first.values.first?.value != nil)
      #expect(first.values.first?.fileURL == second.values.first?.fileURL)
      #expect(origin.requests.count == 1)
    }
  }
#endif
