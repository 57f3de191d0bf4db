// SPDX-License-Identifier: MIT
#if OpenCombine
  import BluebonnetFoundation
  import BluebonnetLocks
  import BluebonnetOpenCombine
  import BluebonnetOrigin
  import BluebonnetTestSupport
  import Testing

  /// Runs what the article *Publishers* shows.
  @Suite struct PublishersExamplesTests {
    private let origin: Origin
    private let flower: String

    init() throws {
      origin = try Origin.start()
      origin.script("/flower", .response(body: "{\"name\": \"bluebonnet\"}".utf8))
      flower = origin.baseURL + "/flower"
    }

    private func values<P: Publisher>(of publisher: P) async -> [P.Output] where P.Output: Sendable {
      let probe = Probe<P.Output, P.Failure>(asking: nil)
      publisher.subscribe(probe)
      await probe.end()
      #expect(probe.isFinished)
      return probe.values
    }

    @Test func theResponse() async {
      let token = ArticleExamples.response(flower)
      await Eventually.expect("it is asked") { origin.requests.count == 1 }
      token.cancel()
    }

    @Test func theValue() async {
      #expect(await values(of: ArticleExamples.name(flower)) == ["bluebonnet"])
      #expect(await values(of: ArticleExamples.name(origin.baseURL + "/status/404")) == ["unknown"])
    }

    @Test func theValueOnAQueue() async {
      let received = Locked<[Bool]>([])
      let key = DispatchSpecificKey<Bool>()
      DispatchQueue.main.setSpecific(key: key, value: true)
      let token = ArticleExamples.shown(flower).sink { _ in
      } receiveValue: { flower in
        received.withLock {
          $0.append(DispatchQueue.getSpecific(key: key) == true && flower.name == "bluebonnet")
        }
      }
      await Eventually.expect("it comes") { received.withLock { !$0.isEmpty } }
      #expect(received.withLock { $0 } == [true])
      token.cancel()
    }

    @Test func theFile() async throws {
      let file = try #require(await values(of: ArticleExamples.file(origin.baseURL + "/bytes/100")).first)
      defer { try? FileManager.default.removeItem(at: file) }
      #expect(try Data(contentsOf: file).count == 100)
    }

    @Test func two() async {
      let both = await values(of: ArticleExamples.both(flower, origin.baseURL + "/xml"))
      #expect(both.count == 1 && both[0].0.name == "bluebonnet" && both[0].1.contains("<?xml"))
      let second = await values(of: ArticleExamples.second(flower, origin.baseURL + "/get"))
      #expect(second.count == 1 && second[0].contains("bluebonnet"))
    }

    @Test func theStream() async {
      #expect(await values(of: ArticleExamples.size(origin.baseURL + "/download/100000")) == [100_000])
    }
  }
#endif
