// SPDX-License-Identifier: MIT
#if OpenCombine
  import BluebonnetLocks
  import BluebonnetOpenCombine
  import BluebonnetOrigin
  import BluebonnetTestSupport
  import Testing

  // Written as guides for Alamofire write it: one import, the main queue, no types but where the guide has them.
  /// The call shapes of the advanced guide's section about Combine, run against the origin.
  @Suite struct SeedSnippetsTests {
    private struct DecodableType: Decodable, Sendable { let url: String }
    private struct First: Decodable, Sendable { let url: String }
    private struct Second: Decodable, Sendable { let url: String }

    private let origin: Origin

    init() throws {
      origin = try Origin.start()
    }

    @Test func aPublisherAlone() async {
      let publisher: DataResponsePublisher<DecodableType> = AF.request(origin.baseURL + "/get")
        .publishDecodable(type: DecodableType.self)
      _ = publisher
      let received = Locked<[DataResponse<DecodableType, AFError>]>([])
      let token = publisher.sink { response in received.withLock { $0.append(response) } }
      await Eventually.expect("it comes") { received.withLock { $0.count } == 1 }
      #expect(received.withLock { $0[0].value?.url } == origin.baseURL + "/get")
      token.cancel()
    }

    @Test func resultsAndValues() async {
      let publisher = AF.request(origin.baseURL + "/get").publishDecodable(type: DecodableType.self)
      let resultPublisher = publisher.result()
      let valuePublisher = publisher.value()
      let result: AnyPublisher<Result<DecodableType, AFError>, Never> = resultPublisher
      let value: AnyPublisher<DecodableType, AFError> = valuePublisher
      let urls = Locked<[String]>([])
      var tokens: Set<AnyCancellable> = []
      result.sink { result in urls.withLock { $0.append((try? result.get().url) ?? "") } }
        .store(in: &tokens)
      value.sink(receiveCompletion: { _ in }) { value in urls.withLock { $0.append(value.url) } }
        .store(in: &tokens)
      await Eventually.expect("both come") { urls.withLock { $0.count } == 2 }
      #expect(urls.withLock { $0 } == [origin.baseURL + "/get", origin.baseURL + "/get"])
      #expect(origin.requests.count == 1 && tokens.count == 2)
    }

    @Test func simultaneousRequests() async {
      let urls = Locked<[String?]>([])
      var tokens: Set<AnyCancellable> = []

      let first = AF.request(origin.baseURL + "/get").publishDecodable(type: First.self)
      let second = AF.request(origin.baseURL + "/delay/0").publishDecodable(type: Second.self)
      let both = Publishers.CombineLatest(first, second)
      both.sink { first, second in
        debugPrint(first)
        debugPrint(second)
        urls.withLock { $0 += [first.value?.url, second.value?.url] }
      }
      .store(in: &tokens)

      await Eventually.expect("both come") { urls.withLock { $0.count } == 2 }
      #expect(urls.withLock { $0 } == [origin.baseURL + "/get", origin.baseURL + "/delay/0"])
      #expect(origin.requests.count == 2 && tokens.count == 1)
    }

    /// The guide's `sink` lacks `receiveCompletion:`, without which no publisher that can fail has one.
    @Test func sequentialRequests() async {
      let urls = Locked<[String?]>([])
      var tokens: Set<AnyCancellable> = []

      AF.request(origin.baseURL + "/get")
        .publishDecodable(type: First.self)
        .value()
        .flatMap {
          AF.request($0.url, method: .get)
            .publishDecodable(type: Second.self)
        }
        .sink(receiveCompletion: { _ in }) { second in
          debugPrint(second)
          urls.withLock { $0.append(second.value?.url) }
        }
        .store(in: &tokens)

      await Eventually.expect("the second comes") { urls.withLock { $0.count } == 1 }
      #expect(urls.withLock { $0 } == [origin.baseURL + "/get"])
      #expect(origin.requests.count == 2 && tokens.count == 1)
    }

    @Test func aCancelledTokenCancelsTheRequest() async {
      origin.script("/silence", .silence)
      let request = AF.request(origin.baseURL + "/silence")
      var tokens: Set<AnyCancellable> = []
      request.publishDecodable(type: First.self).sink { _ in }.store(in: &tokens)
      tokens.removeAll()
      let response = await request.serializingData().response
      #expect(response.error?.isExplicitlyCancelledError == true)
    }
  }
#endif
