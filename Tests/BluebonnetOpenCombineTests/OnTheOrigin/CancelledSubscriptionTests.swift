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

  /// Cancelling a subscription cancels its request, and nothing more is published.
  @Suite struct CancelledSubscriptionTests {
    private let origin: Origin
    private let session = Session(configuration: .patientInMemory)
    private let queue = DispatchQueue(label: "test.publishers")

    init() {
      origin = Origin.inMemory()
      origin.script("/silence", .silence)
    }

    /// What is on its way to subscribers is there when this returns.
    private func settle() async {
      _ = await session.request(origin.baseURL + "/ip").serializingData().response
      await withCheckedContinuation { behind in queue.async { behind.resume() } }
    }

    @Test func beforeTheFirstDemand() async {
      let request = session.request(origin.baseURL + "/get")
      let probe = Probe<DataResponse<Data, AFError>, Never>()
      request.publishData(queue: queue).subscribe(probe)
      probe.cancel()
      #expect(request.isCancelled && request.error?.isExplicitlyCancelledError == true)
      probe.request(1)
      await settle()
      #expect(probe.values.isEmpty && probe.ends.isEmpty)
      #expect(origin.requests.map(\.path) == ["/ip"])
    }

    @Test func whileTheRequestRuns() async {
      let request = session.request(origin.baseURL + "/silence")
      let probe = Probe<DataResponse<Data, AFError>, Never>(asking: 1)
      request.publishData(queue: queue).subscribe(probe)
      await Eventually.expect("it is sent") { origin.requests.count == 1 }
      probe.cancel()
      #expect(request.isCancelled)
      // Other handlers are told.
      let response = await request.serializingData().response
      #expect(response.error?.isExplicitlyCancelledError == true)
      await settle()
      #expect(probe.values.isEmpty && probe.ends.isEmpty)
      await Eventually.expect("the connection is closed") { origin.openConnections <= 1 }
    }

    @Test func lettingGoOfTheTokenCancels() async {
      let request = session.request(origin.baseURL + "/silence")
      let values = Locked(0)
      var token: AnyCancellable? = request.publishData(queue: queue).sink { _ in values.withLock { $0 += 1 } }
      await Eventually.expect("it is sent") { origin.requests.count == 1 }
      #expect(token != nil && request.isResumed)
      token = nil
      #expect(request.isCancelled)
      let response = await request.serializingData().response
      #expect(response.error?.isExplicitlyCancelledError == true)
      await settle()
      #expect(values.withLock { $0 } == 0)
    }

    @Test func theOtherSubscriberIsTold() async {
      let request = session.request(origin.baseURL + "/silence")
      let publisher = request.publishData(queue: queue)
      let leaving = Probe<DataResponse<Data, AFError>, Never>(asking: 1)
      let staying = Probe<DataResponse<Data, AFError>, Never>(asking: 1)
      publisher.subscribe(leaving)
      publisher.subscribe(staying)
      leaving.cancel()
      await staying.end()
      #expect(staying.values.count == 1 && staying.values[0].error?.isExplicitlyCancelledError == true)
      await settle()
      #expect(leaving.values.isEmpty && leaving.ends.isEmpty)
    }

    @Test func cancellingTheRequestIsPublished() async {
      let request = session.request(origin.baseURL + "/silence")
      let probe = Probe<Data, AFError>(asking: 1)
      request.publishData(queue: queue).value().subscribe(probe)
      request.cancel()
      await probe.end()
      #expect(probe.values.isEmpty && probe.error?.isExplicitlyCancelledError == true)
    }

    @Test func aRequestThatWasCancelledIsPublishedAsSuch() async {
      let request = session.request(origin.baseURL + "/get")
      request.cancel()
      let probe = Probe<Data, AFError>(asking: 1)
      request.publishData(queue: queue).value().subscribe(probe)
      await probe.end()
      #expect(probe.error?.isExplicitlyCancelledError == true)
      await settle()
      #expect(origin.requests.map(\.path) == ["/ip"])
    }

    @Test func afterTheEndItIsTooLate() async {
      let request = session.request(origin.baseURL + "/get")
      let probe = Probe<DataResponse<Data, AFError>, Never>(asking: 1)
      request.publishData(queue: queue).subscribe(probe)
      await probe.end()
      probe.cancel()
      #expect(request.isFinished && probe.values[0].error == nil)
    }

    @Test func whoCancelsOnReceivingIsNotToldOfTheEnd() async {
      let probe = Probe<DataResponse<Data, AFError>, Never>(asking: 1) { probe, _ in
        probe.cancel()
        return 1
      }
      session.request(origin.baseURL + "/get").publishData(queue: queue).subscribe(probe)
      await Eventually.expect("it comes") { probe.values.count == 1 }
      await settle()
      #expect(probe.values.count == 1 && probe.ends.isEmpty)
    }

    @Test func aStream() async {
      origin.script(
        "/part", ScriptedReply.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart").then(.hang))
      let request = session.streamRequest(origin.baseURL + "/part")
      let probe = Probe<DataStreamRequest.Stream<String, AFError>, Never>(asking: nil)
      request.publishString(queue: queue).subscribe(probe)
      await Eventually.expect("a part comes") { !probe.values.isEmpty }
      probe.cancel()
      #expect(request.isCancelled && request.error?.isExplicitlyCancelledError == true)
      await settle()
      #expect(probe.values.compactMap(\.value) == ["part"] && probe.ends.isEmpty)
    }

    @Test func aDownload() async {
      let request = session.download(origin.baseURL + "/silence")
      let probe = Probe<DownloadResponse<URL, AFError>, Never>(asking: 1)
      request.publishURL(queue: queue).subscribe(probe)
      await Eventually.expect("it is sent") { origin.requests.count == 1 }
      probe.cancel()
      #expect(request.isCancelled)
      let response = await request.serializingDownloadedFileURL().response
      #expect(response.error?.isExplicitlyCancelledError == true && response.resumeData == nil)
      await settle()
      #expect(probe.values.isEmpty && probe.ends.isEmpty)
    }

    @Test func nothingIsKeptAfterwards() async {
      weak var request: DataRequest?
      weak var probe: Probe<DataResponse<Data, AFError>, Never>?
      do {
        let owned = session.request(origin.baseURL + "/silence")
        let subscriber = Probe<DataResponse<Data, AFError>, Never>(asking: 1)
        owned.publishData(queue: queue).subscribe(subscriber)
        subscriber.cancel()
        request = owned
        probe = subscriber
      }
      await Eventually.expect("all is let go of") { [weak request, weak probe] in
        request == nil && probe == nil
      }
    }
  }
#endif
