// SPDX-License-Identifier: MIT
#if OpenCombine
  import Bluebonnet
  import BluebonnetFoundation
  import BluebonnetLocks
  import BluebonnetOpenCombine
  import BluebonnetOrigin
  import BluebonnetTestNetwork
  import BluebonnetTestSupport
  import OpenCombine
  import Testing

  @Suite struct DataResponsePublisherTests {
    private struct Echo: Decodable, Sendable { let url: String }

    private let origin: Origin
    private let session = Session(configuration: .patientInMemory)
    private let queue = DispatchQueue(label: "test.publishers")

    init() {
      origin = Origin.inMemory()
    }

    private func get(_ path: String = "/get") -> DataRequest { session.request(origin.baseURL + path) }

    /// Whatever has been sent arrives before this request does, which needs the same connection or a later one.
    private func expectNothingSent(sourceLocation: SourceLocation = #_sourceLocation) async {
      _ = await get("/ip").serializingData().response
      #expect(origin.requests.map(\.path) == ["/ip"], sourceLocation: sourceLocation)
      origin.forgetRequests()
    }

    private func end<P: Publisher>(of publisher: P) async -> Probe<P.Output, P.Failure>
    where P.Output: Sendable {
      let probe = Probe<P.Output, P.Failure>(asking: nil)
      publisher.subscribe(probe)
      await probe.end()
      #expect(probe.ends.count == 1 && probe.overlaps == 0)
      return probe
    }

    // MARK: What is published

    @Test func everyForm() async throws {
      let url = origin.baseURL + "/get"
      let data = await end(of: get().publishData(queue: queue))
      #expect(data.values.count == 1 && data.values[0].value?.isEmpty == false)
      let text = await end(of: get().publishString(queue: queue))
      #expect(text.values.count == 1 && text.values[0].value?.contains(url) == true)
      let echo = await end(of: get().publishDecodable(type: Echo.self, queue: queue))
      #expect(echo.values.count == 1 && echo.values[0].value?.url == url)
      #expect(echo.values[0].response?.statusCode == 200 && echo.values[0].metrics != nil)
      let raw = await end(of: get().publishUnserialized(queue: queue))
      #expect(raw.values.count == 1 && raw.values[0].value??.isEmpty == false)
      let own = await end(of: get().publishResponse(using: .decodable(of: Echo.self), on: queue))
      #expect(own.values.first?.value?.url == url)
      let made = await end(
        of: DataResponsePublisher(get(), queue: queue, serializer: StringResponseSerializer()))
      #expect(made.values.first?.value?.contains(url) == true)
      #expect(origin.requests.count == 6)
    }

    /// No more than the protocol asks for.
    private struct Measuring: DataResponseSerializerProtocol {
      struct Refusal: Error {}

      func serialize(
        request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?
      ) throws -> Int {
        if let error { throw error }
        guard let data, response?.statusCode == 200 else { throw Refusal() }
        return data.count
      }
    }

    @Test func aSerializerOfTheCallers() async {
      origin.script("/four", .response(body: "four".utf8))
      let made = await end(of: get("/four").publishResponse(using: Measuring(), on: queue))
      #expect(made.values.map(\.value) == [4] && made.values.first?.response?.statusCode == 200)
      let value = await end(of: get("/four").publishResponse(using: Measuring(), on: queue).value())
      #expect(value.values == [4] && value.isFinished)
      // Its own error, and that of a request without a response.
      let refused = await end(of: get("/status/404").publishResponse(using: Measuring(), on: queue).value())
      #expect(refused.values.isEmpty && refused.error?.underlyingError is Measuring.Refusal)
      let none = await end(of: session.request("http://[").publishResponse(using: Measuring(), on: queue))
      #expect(none.values.count == 1 && none.values[0].error?.isInvalidURLError == true)
    }

    /// Under the label that it had before.
    @available(*, deprecated)
    @Test func methodsOfEmptyResponsesByTheirOldLabel() async {
      origin.script("/none", .response())
      func post() -> DataRequest { session.request(origin.baseURL + "/none", method: .post) }
      let allowed = await end(
        of: post().publishDecodable(type: Empty.self, queue: queue, emptyResponseMethods: [.post]))
      #expect(allowed.values.count == 1 && allowed.values[0].value != nil)
      let refused = await end(
        of: post().publishDecodable(type: Empty.self, queue: queue, emptyResponseMethods: [.put]))
      #expect(refused.values.count == 1 && refused.values[0].error?.isResponseSerializationError == true)
    }

    @Test func resultsAndValues() async {
      let result = await end(of: get().publishDecodable(type: Echo.self, queue: queue).result())
      #expect(result.values.count == 1 && result.values[0].made?.url == origin.baseURL + "/get")
      let value = await end(of: get().publishDecodable(type: Echo.self, queue: queue).value())
      #expect(value.values.count == 1 && value.values[0].url == origin.baseURL + "/get")
      #expect(value.isFinished)
    }

    @Test func aFailureIsAResponse() async {
      let response = await end(of: get("/status/404").validate().publishData(queue: queue))
      #expect(response.values.count == 1 && response.values[0].error?.responseCode == 404)
      let result = await end(of: get("/xml").publishDecodable(type: Echo.self, queue: queue).result())
      #expect(result.values.count == 1 && result.values[0].refusal?.isResponseSerializationError == true)
    }

    @Test func aValuesFailureIsAnAFError() async throws {
      let status = await end(of: get("/status/404").validate().publishData(queue: queue).value())
      #expect(status.values.isEmpty && status.error?.responseCode == 404)
      let decoding = await end(of: get("/xml").publishDecodable(type: Echo.self, queue: queue).value())
      #expect(decoding.values.isEmpty && decoding.error?.isResponseSerializationError == true)
      let port = try ClosedPort()
      let refused = session.request("http://127.0.0.1:\(port.number)/").publishData(queue: queue)
      let connecting = await end(of: refused.value())
      #expect(
        (connecting.error?.underlyingError as? URLError)?.code == .cannotConnectToHost)
      let none = await end(of: session.request("http://[").publishData(queue: queue).value())
      #expect(none.error?.isInvalidURLError == true)
    }

    @Test func uploads() async {
      let upload = session.upload(Data("body".utf8), to: origin.baseURL + "/post")
      let text = await end(of: upload.publishString(queue: queue).value())
      #expect(text.values.first?.contains("\"body\"") == true)
    }

    @Test func itIsPublishedOnTheQueue() async {
      let key = DispatchSpecificKey<Bool>()
      queue.setSpecific(key: key, value: true)
      let places = Locked<[Bool]>([])
      let token = get().publishData(queue: queue).sink { _ in
        places.withLock { $0.append(DispatchQueue.getSpecific(key: key) == true) }
      }
      await Eventually.expect("it comes") { places.withLock { !$0.isEmpty } }
      #expect(places.withLock { $0 } == [true])
      token.cancel()
    }

    @Test func theMainQueueIsTheDefault() async {
      let probe = Probe<DataResponse<String, AFError>, Never>(asking: 1) { _, _ in
        dispatchPrecondition(condition: .onQueue(.main))
        return 0
      }
      get().publishString().subscribe(probe)
      await probe.end()
      #expect(probe.values.first?.value?.isEmpty == false)
    }

    // MARK: Demand

    @Test func nothingIsSentBeforeTheFirstDemand() async {
      let request = get()
      let publisher = request.publishString(queue: queue)
      #expect(request.isInitialized)
      let probe = Probe<DataResponse<String, AFError>, Never>()
      publisher.subscribe(probe)
      #expect(request.isInitialized)
      await expectNothingSent()
      #expect(request.isInitialized && request.task == nil)
      probe.request(1)
      await probe.end()
      #expect(probe.values.count == 1 && probe.values[0].value?.isEmpty == false)
      #expect(origin.requests.map(\.path) == ["/get"])
    }

    @Test func valuesAndResultsAreAsLazy() async {
      let requests = [get(), get()]
      let value = Probe<Data, AFError>()
      requests[0].publishData(queue: queue).value().subscribe(value)
      let result = Probe<Result<Data, AFError>, Never>()
      requests[1].publishData(queue: queue).result().subscribe(result)
      await expectNothingSent()
      #expect(requests.allSatisfy { $0.isInitialized })
      value.request(1)
      result.request(1)
      await value.end()
      await result.end()
      #expect(value.values.count == 1 && result.values.count == 1)
    }

    @Test func severalDemandsAreOneRequest() async {
      let probe = Probe<DataResponse<String, AFError>, Never>(asking: 1) { probe, _ in
        probe.request(3)
        return nil
      }
      get().publishString(queue: queue).subscribe(probe)
      for _ in 0..<10 { probe.request(1) }
      await probe.end()
      probe.request(1)
      _ = await get("/ip").serializingData().response
      #expect(probe.values.count == 1 && probe.ends.count == 1 && probe.overlaps == 0)
      #expect(origin.requests.map(\.path) == ["/get", "/ip"])
    }

    @Test func demandStartsRequestsOfSessionsThatDoNot() async {
      let session = Session(configuration: .patientInMemory, startRequestsImmediately: false)
      let request = session.request(origin.baseURL + "/get")
      let text = await end(of: request.publishString(queue: queue).value())
      #expect(text.values.count == 1)
    }

    @Test func aPublisherCanBeMadeOfARequestThatIsOver() async {
      let request = get()
      _ = await request.serializingData().response
      let text = await end(of: request.publishString(queue: queue).value())
      #expect(text.values.count == 1)
      #expect(origin.requests.count == 1)
    }

    // MARK: More than one subscription

    @Test func laterSubscribersGetTheSameResponse() async {
      let publisher = get().publishString(queue: queue)
      let first = await end(of: publisher)
      let second = await end(of: publisher)
      #expect(first.values.count == 1 && first.values[0].value == second.values.first?.value)
      #expect(origin.requests.count == 1)
    }

    @Test func twoSubscribersShareTheRequest() async {
      let publisher = get("/delay/1").publishData(queue: queue)
      let probes = (0..<2).map { _ in Probe<DataResponse<Data, AFError>, Never>(asking: 1) }
      for probe in probes { publisher.subscribe(probe) }
      for probe in probes {
        await probe.end()
        #expect(probe.values.count == 1)
      }
      #expect(origin.requests.count == 1)
    }

    @Test func subscribingAgainDoesNotSendAgain() async {
      let request = get("/status/500").validate()
      let probe = await end(of: request.publishData(queue: queue).value().retry(2))
      #expect(probe.values.isEmpty && probe.error?.responseCode == 500)
      #expect(origin.requests.count == 1)
    }

    @Test func differentPublishersOfOneRequest() async {
      let request = get()
      let text = Probe<String, AFError>(asking: 1)
      let data = Probe<Data, AFError>(asking: 1)
      request.publishString(queue: queue).value().subscribe(text)
      request.publishData(queue: queue).value().subscribe(data)
      await text.end()
      await data.end()
      #expect(text.values.map { Data($0.utf8) } == data.values && !data.values.isEmpty)
      #expect(origin.requests.count == 1)
    }

    // MARK: The end

    @Test func nothingIsKeptAfterTheEnd() async {
      weak var request: DataRequest?
      weak var probe: Probe<DataResponse<Data, AFError>, Never>?
      do {
        let owned = get()
        let subscriber = await end(of: owned.publishData(queue: queue))
        request = owned
        probe = subscriber
        #expect(subscriber.values.count == 1)
      }
      await Eventually.expect("all is let go of") { [weak request, weak probe] in
        request == nil && probe == nil
      }
    }

    @Test func aSessionThatGoesEndsIt() async {
      let request: DataRequest
      do {
        let session = Session(configuration: .patientInMemory)
        request = session.request(origin.baseURL + "/get")
      }
      let probe = await end(of: request.publishData(queue: queue).value())
      #expect(probe.error?.isSessionDeinitializedError == true)
    }
  }
#endif
