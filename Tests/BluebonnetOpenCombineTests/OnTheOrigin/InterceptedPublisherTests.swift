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

  /// Retrying is the request's business: a publisher publishes what has come of it in the end.
  @Suite struct InterceptedPublisherTests {
    private struct Echo: Decodable, Sendable { let url: String }

    private let origin: Origin
    private let session = Session(configuration: .patientInMemory)
    private let queue = DispatchQueue(label: "test.publishers")

    init() {
      origin = Origin.inMemory()
    }

    /// Grants so many retries.
    private func retrier(_ limit: Int) -> Interceptor {
      Interceptor(
        adaptHandler: { request, _, completion in
          var request = request
          request.headers.update(name: "X-Adapted", value: "yes")
          completion(.success(request))
        },
        retryHandler: { request, _, _, completion in
          completion(request.retryCount < limit ? .retry : .doNotRetry)
        })
    }

    private func end<P: Publisher>(of publisher: P) async -> Probe<P.Output, P.Failure>
    where P.Output: Sendable {
      let probe = Probe<P.Output, P.Failure>(asking: nil)
      publisher.subscribe(probe)
      await probe.end()
      #expect(probe.ends.count == 1)
      return probe
    }

    @Test func oneResponseAfterRetries() async {
      origin.script("/get", .response(status: 500), .response(status: 502), .endpoint)
      let request = session.request(origin.baseURL + "/get", interceptor: retrier(5)).validate()
      let probe = await end(of: request.publishDecodable(type: Echo.self, queue: queue))
      #expect(probe.values.count == 1 && probe.values[0].value?.url == origin.baseURL + "/get")
      #expect(origin.requests.count == 3 && request.retryCount == 2)
      #expect(origin.requests.allSatisfy { $0.value("X-Adapted") == "yes" })
    }

    @Test func aSerializersFailureIsRetried() async {
      origin.script("/get", .response(body: "no echo".utf8), .endpoint)
      let request = session.request(origin.baseURL + "/get", interceptor: retrier(1))
      let probe = await end(of: request.publishDecodable(type: Echo.self, queue: queue).value())
      #expect(probe.values.count == 1 && probe.isFinished)
      #expect(origin.requests.count == 2)
    }

    @Test func theLastFailureIsPublished() async {
      let request = session.request(origin.baseURL + "/status/503", interceptor: retrier(2)).validate()
      let probe = await end(of: request.publishData(queue: queue).value())
      #expect(probe.error?.responseCode == 503)
      #expect(origin.requests.count == 3)
    }

    @Test func anAdaptersFailureIsPublished() async {
      let refusing = Adapter { _, _, completion in completion(.failure(URLError(.dataNotAllowed))) }
      let request = session.request(origin.baseURL + "/get", interceptor: Interceptor(adapters: [refusing]))
      let probe = await end(of: request.publishData(queue: queue).value())
      #expect(probe.error?.isRequestAdaptationError == true)
      #expect(origin.requests.isEmpty)
    }

    @Test func cancellingBetweenAttemptsEndsThem() async {
      let asked = Signal()
      let waiting = Interceptor(
        adaptHandler: { request, _, completion in completion(.success(request)) },
        retryHandler: { _, _, _, completion in
          asked.raise()
          completion(.retryWithDelay(3600))
        })
      let request = session.request(origin.baseURL + "/status/503", interceptor: waiting).validate()
      let probe = Probe<Data, AFError>(asking: 1)
      request.publishData(queue: queue).value().subscribe(probe)
      await Eventually.expect("it is asked") { asked.wait(seconds: 0) }
      probe.cancel()
      let response = await request.serializingData().response
      #expect(response.error?.responseCode == 503 || response.error?.isExplicitlyCancelledError == true)
      await withCheckedContinuation { behind in queue.async { behind.resume() } }
      #expect(probe.values.isEmpty && probe.ends.isEmpty)
      #expect(origin.requests.count == 1)
    }

    @Test func downloadsAndStreams() async {
      let failure = ScriptedReply.response(status: 500)
      origin.script("/get", failure, .endpoint, failure, .endpoint)
      let download = session.download(origin.baseURL + "/get", interceptor: retrier(1)).validate()
      let file = await end(of: download.publishDecodable(type: Echo.self, queue: queue))
      #expect(file.values.first?.value?.url == origin.baseURL + "/get")
      if let place = file.values.first?.fileURL { try? FileManager.default.removeItem(at: place) }
      let stream = session.streamRequest(origin.baseURL + "/get", interceptor: retrier(1)).validate()
      let text = await end(of: stream.publishString(queue: queue).value())
      #expect(text.values.joined().contains("\"url\""))
      #expect(origin.requests.count == 4)
    }
  }
#endif
