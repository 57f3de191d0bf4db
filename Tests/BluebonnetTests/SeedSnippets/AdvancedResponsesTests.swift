// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import Testing

extension SeedSnippetsTests {
  /// The advanced guide on handling responses.
  @Suite struct AdvancedResponsesTests {
    private let origin: Origin
    private var base: String { origin.baseURL }

    init() {
      origin = Origin.inMemory()
    }

    private struct Unfit: Error {}

    @Test func withoutSerialization() async throws {
      let (data, files) = (Recorder<AFDataResponse<Data?>>(), Recorder<AFDownloadResponse<URL?>>())
      AF.request(base + "/bytes/10").response(queue: .main, completionHandler: { data.note($0) })
      AF.download(base + "/bytes/10").response(queue: .main, completionHandler: { files.note($0) })
      #expect(try await data.first().value??.count == 10)
      let file = try #require(try await files.first().value ?? nil)
      #expect(try Data(contentsOf: file).count == 10)
      try FileManager.default.removeItem(at: file)
    }

    /// Every requirement of the protocol.
    private struct Counting: ResponseSerializer {
      var dataPreprocessor: any DataPreprocessor { GoogleXSSIPreprocessor() }
      var emptyRequestMethods: Set<HTTPMethod> { [.get] }
      var emptyResponseCodes: Set<Int> { [200] }

      func serialize(
        request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?
      ) throws -> Int {
        if let error { throw error }
        return try dataPreprocessor.preprocess(data ?? Data()).count
      }

      func serializeDownload(
        request: URLRequest?,
        response: HTTPURLResponse?,
        fileURL: URL?,
        error: (any Error)?
      ) throws -> Int {
        guard let fileURL else { throw Unfit() }
        return -(try Data(contentsOf: fileURL).count)
      }
    }

    @Test func serializers() async throws {
      let (data, files) = (Recorder<AFDataResponse<Int>>(), Recorder<AFDownloadResponse<Int>>())
      origin.script("/secret", .response(body: Array(")]}',\nabc".utf8)))
      AF.request(base + "/secret").response(
        queue: .main,
        responseSerializer: Counting(),
        completionHandler: { data.note($0) })
      AF.download(base + "/bytes/10").response(
        queue: .main,
        responseSerializer: Counting(),
        completionHandler: { files.note($0) })
      #expect(try await data.first().value == 3)
      let answer = try await files.first()
      #expect(answer.value == -10)
      if let file = answer.fileURL { try FileManager.default.removeItem(at: file) }
    }

    @Test func transforms() async throws {
      let answers = Recorder<AFDataResponse<String>>()
      AF.request(base + "/get").responseDecodable(of: Echo.self) { answer in
        let property = answer.map { $0.url }

        answers.note(property)
      }
      #expect(try await answers.first().value == base + "/get")
    }

    @Test func transformsThatThrow() async throws {
      let answers = Recorder<DataResponse<String, any Error>>()
      AF.request(base + "/get").responseDecodable(of: Echo.self) { answer in
        let property = answer.tryMap { echo -> String in
          if echo.args?["a"] == nil { throw Unfit() }
          return echo.url
        }

        answers.note(property)
      }
      #expect(try await answers.first().error is Unfit)
    }

    /// The guide returns substrings where it promises strings.
    private struct Commas: ResponseSerializer {
      func serialize(
        request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?
      ) throws -> [String] {
        let string = try StringResponseSerializer().serialize(
          request: request,
          response: response,
          data: data,
          error: error)

        return string.split(separator: ",").map(String.init)
      }
    }

    @Test func aSerializerOfOnesOwn() async throws {
      origin.script("/list", .response(body: Array("blue,white".utf8)))
      let answers = Recorder<AFDataResponse<[String]>>()
      AF.request(base + "/list").response(responseSerializer: Commas()) { answers.note($0) }
      #expect(try await answers.first().value == ["blue", "white"])
    }

    // MARK: Streams

    private struct Lengths: DataStreamSerializer {
      func serialize(_ data: Data) throws -> Int { data.count }
    }

    @Test func aSerializerOfStreams() async throws {
      let (counts, ends) = (Recorder<Int>(), Recorder<AFError?>())
      AF.streamRequest(base + "/bytes/100").responseStream(using: Lengths()) { piece in
        if let count = piece.value { counts.note(count) }
        if let completion = piece.completion { ends.note(completion.error) }
      }
      #expect(try await ends.first() == nil)
      #expect(counts.entries.reduce(0, +) == 100)
    }

    /// The guide leaves the word `Stream` out of the name.
    @Test func decodablesOfAStream() async throws {
      let urls = Recorder<String?>()
      AF.streamRequest(base + "/get").responseStreamDecodable(of: Echo.self) { piece in
        if case .stream = piece.event { urls.note(piece.value?.url) }
      }
      #expect(try await urls.first() == base + "/get")
    }

    @Test func theSerializerOfDecodables() async throws {
      let urls = Recorder<String?>()
      AF.streamRequest(base + "/get").responseStream(
        using: DecodableStreamSerializer<Echo>(decoder: JSONDecoder())
      ) { piece in
        if case .stream = piece.event { urls.note(piece.value?.url) }
      }
      #expect(try await urls.first() == base + "/get")
    }
  }
}
