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

  /// What threads do to publishers at the same time, a hundred times over.
  @Suite struct PublisherRaceTests {
    private let origin: Origin
    private let session = Session(configuration: .patient)
    private let queue = DispatchQueue(label: "test.publishers")

    init() throws {
      origin = try Origin.start()
    }

    private func settle() async {
      await withCheckedContinuation { behind in queue.async { behind.resume() } }
    }

    @Test func cancellingAtAnyMoment() async {
      for round in 0..<100 {
        let request = session.request(origin.baseURL + "/get")
        let probe = Probe<DataResponse<Data, AFError>, Never>(asking: 1)
        request.publishData(queue: queue).subscribe(probe)
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<2 {
            group.addTask {
              for _ in 0..<round * 2 { await Task.yield() }
              probe.cancel()
              probe.request(1)
            }
          }
        }
        let response = await request.serializingData().response
        await settle()
        // All or nothing; the end may be cancelled away behind the value.
        #expect(probe.values.count <= 1 && probe.ends.count <= probe.values.count && probe.overlaps == 0)
        if let value = probe.values.first {
          #expect(value.error == nil && response.error == nil)
        }
        #expect(request.isCancelled || request.isFinished)
      }
    }

    @Test func subscribingAndAskingAtOnce() async {
      for _ in 0..<100 {
        origin.forgetRequests()
        let publisher = session.request(origin.baseURL + "/get").publishData(queue: queue)
        let probes = (0..<4).map { _ in Probe<DataResponse<Data, AFError>, Never>() }
        await withTaskGroup(of: Void.self) { group in
          for probe in probes {
            group.addTask {
              publisher.subscribe(probe)
              await withTaskGroup(of: Void.self) { group in
                for _ in 0..<3 { group.addTask { probe.request(1) } }
              }
            }
          }
        }
        for probe in probes { await probe.end() }
        await settle()
        #expect(probes.allSatisfy { $0.values.count == 1 && $0.ends.count == 1 && $0.overlaps == 0 })
        #expect(probes.allSatisfy { $0.values.first?.value?.isEmpty == false })
        #expect(origin.requests.count == 1)
      }
    }

    @Test func cancellingStreamsAtAnyMoment() async {
      for round in 0..<100 {
        let request = session.streamRequest(origin.baseURL + "/download/100000")
        let probe = Probe<DataStreamRequest.Stream<Data, AFError>, Never>(asking: 1) { _, _ in 1 }
        request.publishData(queue: queue).subscribe(probe)
        await withTaskGroup(of: Void.self) { group in
          group.addTask {
            for _ in 0..<round * 4 { await Task.yield() }
            probe.cancel()
          }
          group.addTask { for _ in 0..<round { probe.request(1) } }
        }
        await Eventually.expect("the request ends") { request.isCancelled || request.isFinished }
        await settle()
        let isWhole = !probe.ends.isEmpty
        let size = probe.values.reduce(0) { $0 + ($1.value?.count ?? 0) }
        #expect(probe.ends.count <= 1 && probe.overlaps == 0)
        #expect(isWhole ? size == 100_000 : size <= 100_000)
      }
    }
  }
#endif
