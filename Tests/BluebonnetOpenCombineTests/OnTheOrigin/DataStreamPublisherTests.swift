#if OpenCombine
  import BluebonnetFoundation
  import BluebonnetLocks
  import BluebonnetOpenCombine
  import BluebonnetOrigin
  import BluebonnetTestSupport
  import OpenCombine
  import Testing

  @testable import Bluebonnet

  @Suite struct DataStreamPublisherTests {
    private struct Row: Codable, Hashable, Sendable { let number: Int }
    private typealias Stream = DataStreamRequest.Stream

    private let origin: Origin
    private let session = Session(configuration: .ephemeral)
    private let queue = DispatchQueue(label: "test.publishers")

    init() throws {
      origin = try Origin.start()
    }

    private func get(_ path: String) -> DataStreamRequest { session.streamRequest(origin.baseURL + path) }

    /// Chunks that arrive one by one, because each is sent when the one before has been read.
    private func script(_ path: String, _ parts: [String]) {
      var steps: [ScriptedReply.Step] = [
        .bytes(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
      ]
      for part in parts {
        let size = String(part.utf8.count, radix: 16)
        steps += [.bytes(Array("\(size)\r\n\(part)\r\n".utf8)), .pause(milliseconds: 30)]
      }
      origin.script(path, ScriptedReply(steps + [.bytes(Array("0\r\n\r\n".utf8))]))
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

    @Test func severalPartsAndTheEnd() async {
      let probe = await end(of: get("/chunked/5/20").publishData(queue: queue))
      let size = probe.values.reduce(0) { $0 + ($1.value?.count ?? 0) }
      #expect(size == 5 && probe.values.count > 2)
      #expect(probe.values.last?.completion?.response?.statusCode == 200)
      #expect(probe.values.dropLast().allSatisfy { $0.completion == nil })
    }

    @Test func everyForm() async throws {
      let text = await end(of: get("/xml").publishString(queue: queue).value())
      #expect(text.values.joined().contains("<?xml"))
      let data = await end(of: get("/bytes/1000").publishData(queue: queue).value())
      #expect(data.values.reduce(0) { $0 + $1.count } == 1000)
      let own = await end(of: get("/xml").publishStream(using: .string, on: queue).value())
      #expect(own.values.joined() == text.values.joined())
      let made = await end(
        of: DataStreamPublisher(get("/xml"), queue: queue, serializer: StringStreamSerializer()).value())
      #expect(made.values.joined() == text.values.joined())
      script("/row", ["{\"number\": 1}"])
      let rows = await end(of: get("/row").publishDecodable(type: Row.self, queue: queue).value())
      #expect(rows.values == [Row(number: 1)])
      #expect(rows.isFinished)
    }

    @Test func aPartThatCannotBeMadeDoesNotEndTheStream() async {
      script("/rows", ["{\"number\": 1}", "no row", "{\"number\": 3}"])
      let probe = await end(of: get("/rows").publishDecodable(type: Row.self, queue: queue).result())
      #expect(probe.values.map { $0.made?.number } == [1, nil, 3])
    }

    @Test func aPartThatCannotBeMadeFailsTheValues() async {
      script("/rows", ["{\"number\": 1}", "no row", "{\"number\": 3}"])
      let request = get("/rows")
      let probe = await end(of: request.publishDecodable(type: Row.self, queue: queue).value())
      #expect(probe.values == [Row(number: 1)])
      #expect(probe.error?.isResponseSerializationError == true)
      await Eventually.expect("the request is cancelled") { request.isCancelled || request.isFinished }
    }

    @Test func theStreamsErrorIsPublished() async {
      let event = await end(of: get("/status/404").validate().publishData(queue: queue))
      #expect(event.values.last?.completion?.error?.responseCode == 404)
      let result = await end(of: get("/status/404").validate().publishString(queue: queue).result())
      #expect(result.values.last?.refusal?.responseCode == 404)
      let value = await end(of: get("/status/404").validate().publishString(queue: queue).value())
      #expect(value.error?.responseCode == 404)
      origin.script("/cut", .response(body: "0123456789".utf8).cut(after: 42, then: .abruptClose))
      let cut = await end(of: get("/cut").publishString(queue: queue).value())
      #expect((cut.error?.underlyingError as? URLError)?.code == .networkConnectionLost)
    }

    @Test func whoCancelsByTheTokenIsToldOfTheEnd() async {
      let probe = Probe<Stream<Data, AFError>, Never>(asking: nil) { _, stream in
        stream.cancel()
        return 0
      }
      get("/infinite").publishData(queue: queue).subscribe(probe)
      await probe.end()
      #expect(probe.values.last?.completion?.error?.isExplicitlyCancelledError == true)
    }

    // MARK: Demand

    @Test func nothingIsSentBeforeTheFirstDemand() async {
      let request = get("/xml")
      let probe = Probe<String, AFError>()
      request.publishString(queue: queue).value().subscribe(probe)
      #expect(request.isInitialized)
      _ = await session.request(origin.baseURL + "/ip").serializingData().response
      #expect(origin.requests.map(\.path) == ["/ip"] && request.task == nil)
      probe.request(nil)
      await probe.end()
      #expect(probe.values.joined().contains("<?xml"))
    }

    @Test func noMoreComesThanIsAskedFor() async {
      let parts = ["one", "two", "three", "four", "five"]
      script("/parts", parts)
      let probe = Probe<Stream<String, AFError>, Never>(asking: 1)
      let request = get("/parts")
      request.publishString(queue: queue).subscribe(probe)
      await Eventually.expect("the request is over") { request.isFinished }
      for count in 1...parts.count {
        await Eventually.expect("one more") { probe.values.count >= count }
        await withCheckedContinuation { behind in queue.async { behind.resume() } }
        #expect(probe.values.count == count && probe.ends.isEmpty)
        probe.request(1)
      }
      await probe.end()
      #expect(probe.values.compactMap(\.value) == parts)
      #expect(probe.values.count == 6 && probe.values.last?.completion != nil && probe.overlaps == 0)
      #expect(origin.requests.count == 1)
    }

    @Test func aSubscriberThatAsksForNoMoreStopsTheSocket() async throws {
      let probe = Probe<Stream<Data, AFError>, Never>(asking: 1)
      let request = get("/infinite")
      request.publishData(queue: queue).subscribe(probe)
      await Eventually.expect("the stream rests") { request.flow.withLock { $0.isResting } }
      let task = try #require(request.task)
      await settle()
      let received = task.countOfBytesReceived
      #expect(received < 1 << 20)
      await settle()
      #expect(task.countOfBytesReceived == received && probe.values.count == 1)
      probe.request(nil)
      await Eventually.expect("the stream flows again") { task.countOfBytesReceived > received + 4 << 20 }
      probe.cancel()
      await Eventually.expect("it has ended") { task.state == .completed }
      #expect(probe.overlaps == 0)
    }

    @Test func whatASubscriberLeavesBehindHoldsNothingBack() async throws {
      let probe = Probe<Stream<Data, AFError>, Never>(asking: 1)
      let request = get("/infinite")
      request.publishData(queue: queue).subscribe(probe)
      await Eventually.expect("the stream rests") { request.flow.withLock { $0.isResting } }
      probe.cancel()
      await Eventually.expect("nothing is in hand") { request.flow.withLock { !$0.isResting } }
    }

    /// Several rounds through the queues that a piece of a body takes part in.
    private func settle() async {
      for _ in 0..<20 {
        await withCheckedContinuation { behind in queue.async { behind.resume() } }
        await withCheckedContinuation { behind in session.session.executor.async { behind.resume() } }
        await withCheckedContinuation { behind in
          session.session.configuration.eventLoop.loop.enqueue { behind.resume() }
        }
      }
    }

    @Test func demandFromManyThreads() async {
      let probe = Probe<Stream<Data, AFError>, Never>(asking: 1)
      let request = get("/download/1000000")
      request.publishData(queue: queue).subscribe(probe)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            while probe.ends.isEmpty {
              probe.request(1)
              await Task.yield()
            }
          }
        }
      }
      let bytes = Data(probe.values.compactMap(\.value).joined())
      #expect(bytes.count == 1_000_000)
      #expect(bytes.prefix(1000).elementsEqual((0..<1000).map { UInt8($0 % 251) }))
      #expect(probe.ends.count == 1 && probe.overlaps == 0)
    }

    // MARK: More than one subscription

    @Test func twoSubscribersShareTheRequest() async {
      let publisher = get("/chunked/5/20").publishData(queue: queue)
      let probes = (0..<2).map { _ in Probe<Stream<Data, AFError>, Never>(asking: nil) }
      for probe in probes { publisher.subscribe(probe) }
      for probe in probes {
        await probe.end()
        #expect(probe.values.reduce(0) { $0 + ($1.value?.count ?? 0) } == 5)
      }
      #expect(origin.requests.count == 1)
    }

    @Test func laterSubscribersLearnHowItEnded() async {
      let publisher = get("/xml").publishString(queue: queue)
      _ = await end(of: publisher)
      let late = await end(of: publisher)
      #expect(late.values.count == 1 && late.values[0].completion?.response?.statusCode == 200)
      #expect(origin.requests.count == 1)
    }
  }
#endif
