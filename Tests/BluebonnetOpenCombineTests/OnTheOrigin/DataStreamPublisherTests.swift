// SPDX-License-Identifier: MIT
#if OpenCombine
  import BluebonnetFoundation
  import BluebonnetLocks
  import BluebonnetOpenCombine
  import BluebonnetOrigin
  import BluebonnetTestNetwork
  import BluebonnetTestSupport
  import OpenCombine
  import Testing

  @testable import Bluebonnet

  @Suite struct DataStreamPublisherTests {
    private struct Row: Codable, Hashable, Sendable { let number: Int }
    private typealias Stream = DataStreamRequest.Stream

    private let origin: Origin
    private let session = Session(configuration: .patientInMemory)
    private let queue = DispatchQueue(label: "test.publishers")

    init() {
      origin = Origin.inMemory()
    }

    private func get(_ path: String) -> DataStreamRequest { session.streamRequest(origin.baseURL + path) }

    /// A body that comes in the parts that it is fed.
    private func script(_ path: String, _ parts: [String]) -> DataStreamRequest {
      let size = parts.reduce(0) { $0 + $1.utf8.count }
      origin.script(path, .text("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n").then(.hang))
      return get(path)
    }

    /// Sends part by part, each when the request has the one before.
    private func feed(_ parts: some Sequence<String>, to request: DataStreamRequest) async throws {
      await Eventually.expect("it is asked") { request.response != nil }
      let connection = try #require(origin.requests.last).connection
      let task = try #require(request.task)
      var size: Int64 = 0
      for part in parts {
        #expect(origin.interject(Array(part.utf8), on: connection))
        size += Int64(part.utf8.count)
        await Eventually.expect("a part arrives") { [size] in task.countOfBytesReceived >= size }
      }
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

    @Test func severalPartsAndTheEnd() async throws {
      let parts = ["one", "two", "three"]
      let request = script("/parts", parts)
      let probe = Probe<Stream<String, AFError>, Never>(asking: nil)
      request.publishString(queue: queue).subscribe(probe)
      try await feed(parts, to: request)
      await probe.end()
      #expect(probe.values.compactMap(\.value) == parts && probe.ends.count == 1 && probe.overlaps == 0)
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
      origin.script("/row", .response(body: "{\"number\": 1}".utf8))
      let rows = await end(of: get("/row").publishDecodable(type: Row.self, queue: queue).value())
      #expect(rows.values == [Row(number: 1)])
      #expect(rows.isFinished)
    }

    private static let rows = ["{\"number\": 1}", "no row", "{\"number\": 3}"]

    @Test func aPartThatCannotBeMadeDoesNotEndTheStream() async throws {
      let request = script("/rows", Self.rows)
      let probe = Probe<Result<Row, AFError>, Never>(asking: nil)
      request.publishDecodable(type: Row.self, queue: queue).result().subscribe(probe)
      try await feed(Self.rows, to: request)
      await probe.end()
      #expect(probe.values.map { $0.made?.number } == [1, nil, 3])
    }

    @Test func aPartThatCannotBeMadeFailsTheValues() async throws {
      let request = script("/rows", Self.rows)
      let probe = Probe<Row, AFError>(asking: nil)
      request.publishDecodable(type: Row.self, queue: queue).value().subscribe(probe)
      try await feed(Self.rows.dropLast(), to: request)
      await probe.end()
      #expect(probe.values == [Row(number: 1)])
      #expect(probe.error?.isResponseSerializationError == true)
      await Eventually.expect("the request is cancelled") { request.isCancelled }
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

    @Test func noMoreComesThanIsAskedFor() async throws {
      let parts = ["one", "two", "three", "four", "five"]
      let request = script("/parts", parts)
      let probe = Probe<Stream<String, AFError>, Never>(asking: 1)
      request.publishString(queue: queue).subscribe(probe)
      try await feed(parts, to: request)
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

    /// The body is sent when both have subscribed: nothing is kept for later subscribers.
    @Test func twoSubscribersShareTheRequest() async throws {
      let parts = ["one", "two", "three"]
      let request = script("/shared", parts)
      let publisher = request.publishData(queue: queue)
      let probes = (0..<2).map { _ in Probe<Stream<Data, AFError>, Never>(asking: nil) }
      for probe in probes { publisher.subscribe(probe) }
      try await feed(parts, to: request)
      for probe in probes {
        await probe.end()
        #expect(Data(probe.values.compactMap(\.value).joined()) == Data("onetwothree".utf8))
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
