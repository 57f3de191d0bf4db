// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import Testing

extension SeedSnippetsTests {
  /// The usage guide on headers, validation and handlers of responses.
  @Suite struct UsageResponsesTests {
    private let origin: Origin
    private var base: String { origin.baseURL }

    init() {
      origin = Origin.inMemory()
    }

    @Test func headersFromADictionary() async throws {
      let fields: HTTPHeaders = [
        "Authorization": "Basic dTpw",
        "Accept": "application/json",
      ]
      let answers = Recorder<AFDataResponse<Echo>>()
      AF.request(base + "/get", headers: fields).responseDecodable(of: Echo.self) { answer in
        answers.note(answer)
      }
      let echo = try #require(try await answers.first().value)
      #expect(echo.values("Authorization") == ["Basic dTpw"] && echo.values("Accept") == ["application/json"])
    }

    @Test func headersFromAnArray() async throws {
      let fields: HTTPHeaders = [
        .authorization(username: "u", password: "p"),
        .accept("application/json"),
      ]
      let answers = Recorder<AFDataResponse<Echo>>()
      AF.request(base + "/get", headers: fields).responseDecodable(of: Echo.self) { answer in
        answers.note(answer)
      }
      let echo = try #require(try await answers.first().value)
      #expect(echo.values("Authorization") == ["Basic dTpw"] && echo.values("Accept") == ["application/json"])
    }

    @Test(arguments: [200, 404]) func automaticValidation(status: Int) async throws {
      let answers = Recorder<AFDataResponse<Data>>()
      AF.request(base + "/status/\(status)").validate().responseData { answer in
        answers.note(answer)
      }
      let answer = try await answers.first()
      #expect(answer.error?.responseCode == (status == 200 ? nil : status))
      #expect((answer.value != nil) == (status == 200))
    }

    @Test(arguments: [("/get", true), ("/xml", false), ("/status/500", false)])
    func manualValidation(path: String, isValid: Bool) async throws {
      let verdicts = Recorder<String>()
      AF.request(base + path)
        .validate(statusCode: 200..<300)
        .validate(contentType: ["application/json"])
        .responseData { answer in
          switch answer.result {
          case .success:
            verdicts.note("valid")
          case let .failure(error):
            verdicts.note("\(error.isResponseValidationError)")
          }
        }
      #expect(try await verdicts.first() == (isValid ? "valid" : "true"))
    }

    @Test func responseHandling() async throws {
      let answers = Recorder<DataResponse<Echo, AFError>>()
      AF.request(base + "/get").responseDecodable(of: Echo.self) { answer in
        answers.note(answer)
      }
      #expect(try await answers.first().value?.url == base + "/get")
    }

    /// All five with all their parameters, as they are declared there.
    @Test func theFiveHandlers() async throws {
      let heard = Recorder<Int>()
      let queue = DispatchQueue(label: "test.handlers")
      let request = AF.request(base + "/get")
      request.response(queue: queue, completionHandler: { (_: AFDataResponse<Data?>) in heard.note(1) })
        .response(
          queue: queue, responseSerializer: StringResponseSerializer(),
          completionHandler: { (_: AFDataResponse<String>) in heard.note(2) }
        )
        .responseData(
          queue: queue,
          dataPreprocessor: DataResponseSerializer.defaultDataPreprocessor,
          emptyResponseCodes: DataResponseSerializer.defaultEmptyResponseCodes,
          emptyRequestMethods: DataResponseSerializer.defaultEmptyRequestMethods,
          completionHandler: { (_: AFDataResponse<Data>) in heard.note(3) }
        )
        .responseString(
          queue: queue,
          dataPreprocessor: StringResponseSerializer.defaultDataPreprocessor,
          encoding: nil,
          emptyResponseCodes: StringResponseSerializer.defaultEmptyResponseCodes,
          emptyRequestMethods: StringResponseSerializer.defaultEmptyRequestMethods,
          completionHandler: { (_: AFDataResponse<String>) in heard.note(4) }
        )
        .responseDecodable(
          of: Echo.self,
          queue: queue,
          dataPreprocessor: DecodableResponseSerializer<Echo>.defaultDataPreprocessor,
          decoder: JSONDecoder(),
          emptyResponseCodes: DecodableResponseSerializer<Echo>.defaultEmptyResponseCodes,
          emptyRequestMethods: DecodableResponseSerializer<Echo>.defaultEmptyRequestMethods,
          completionHandler: { (answer: AFDataResponse<Echo>) in heard.note(answer.value == nil ? -1 : 5) })
      await Eventually.expect("All have been called.") { heard.entries.count == 5 }
      #expect(heard.entries == [1, 2, 3, 4, 5])
      #expect(origin.requests.count == 1)
    }

    @Test func theHandlerWithoutASerializer() async throws {
      let texts = Recorder<String>()
      AF.request(base + "/get").response { answer in
        texts.note("It was \(answer)")
      }
      #expect(try await texts.first().hasPrefix("It was success("))
    }

    @Test func theHandlerOfData() async throws {
      let answers = Recorder<AFDataResponse<Data>>()
      AF.request(base + "/bytes/10").responseData { answer in
        answers.note(answer)
      }
      #expect(try await answers.first().value?.count == 10)
    }

    @Test func theHandlerOfStrings() async throws {
      let answers = Recorder<AFDataResponse<String>>()
      AF.request(base + "/get").responseString { answer in
        answers.note(answer)
      }
      #expect(try await answers.first().value?.hasPrefix("{") == true)
    }

    @Test func theHandlerOfDecodables() async throws {
      struct Address: Decodable { let url: String }
      let answers = Recorder<String?>()
      AF.request(base + "/get").responseDecodable(of: Address.self) { answer in
        answers.note(answer.value?.url)
      }
      #expect(try await answers.first() == base + "/get")
    }

    /// The guide calls it on the module's name, which had such a function before version 5.
    @Test func chainedHandlers() async throws {
      let heard = Recorder<String?>()
      AF.request(base + "/get")
        .responseString { answer in
          heard.note(answer.value.map { _ in "text" })
        }
        .responseDecodable(of: Echo.self) { answer in
          heard.note(answer.value?.url)
        }
      await Eventually.expect("Both have been called.") { heard.entries.count == 2 }
      #expect(heard.entries == ["text", base + "/get"])
    }

    @Test func theQueueOfAHandler() async throws {
      let key = DispatchSpecificKey<Int>()
      let queue = DispatchQueue(label: "test.utility", target: .global(qos: .utility))
      queue.setSpecific(key: key, value: 17)
      let answers = Recorder<Int?>()
      AF.request(base + "/get").responseDecodable(of: Echo.self, queue: queue) { answer in
        answers.note(answer.value.flatMap { _ in DispatchQueue.getSpecific(key: key) })
      }
      #expect(try await answers.first() == 17)
    }

    @Test func metrics() async throws {
      let answers = Recorder<URLSessionTaskMetrics?>()
      AF.request(base + "/get").responseDecodable(of: Echo.self) { answer in
        answers.note(answer.metrics)
      }
      let metrics = try #require(try await answers.first())
      #expect(metrics.taskInterval.duration > 0 && metrics.transactionMetrics.count == 1)
    }

    @Test func cURLCommands() async throws {
      let (commands, answers) = (Recorder<String>(), Recorder<URLSessionTaskMetrics?>())
      AF.request(base + "/get")
        .cURLDescription { command in
          commands.note(command)
        }
        .responseDecodable(of: Echo.self) { answer in
          answers.note(answer.metrics)
        }
      #expect(try await answers.first() != nil)
      let lines = try await commands.first().components(separatedBy: " \\\n\t")
      #expect(lines.first == "$ curl -v" && lines.last == "\"\(base)/get\"")
      #expect(lines.dropFirst().first == "-X GET")
      #expect(lines.contains("-H \"Accept-Encoding: br;q=1.0, gzip;q=0.9, deflate;q=0.8\""))
      let asksForLanguages = lines.contains { $0.hasPrefix("-H \"Accept-Language: ") }
      #expect(asksForLanguages == (HTTPHeaders.default["Accept-Language"] != nil))
      #expect(lines.contains { $0.hasPrefix("-H \"User-Agent: ") && $0.contains("Alamofire/") })
    }
  }
}
