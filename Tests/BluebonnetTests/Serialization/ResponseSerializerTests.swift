// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// What a serializer is given.
struct Given: Sendable {
  static let url = URL(string: "https://example.org/")!

  var method: HTTPMethod = .get
  var status = 200
  var contentType: String?
  var data: Data?
  var error: Mishap?

  var request: URLRequest? { try? URLRequest(url: Self.url, method: method) }
  var response: HTTPURLResponse? {
    HTTPURLResponse(
      url: Self.url, statusCode: status, httpVersion: "HTTP/1.1",
      headerFields: contentType.map { ["Content-Type": $0] })
  }

  func serialize<S: DataResponseSerializerProtocol>(with serializer: S) throws -> S.SerializedObject {
    try serializer.serialize(request: request, response: response, data: data, error: error)
  }
}

/// Whether an empty body is excused.
struct EmptyRow: CustomTestStringConvertible, Sendable {
  var method: HTTPMethod
  var status: Int
  var isAllowed: Bool

  var testDescription: String { "\(method.rawValue) \(status)" }

  static let all = [
    EmptyRow(method: .get, status: 200, isAllowed: false),
    EmptyRow(method: .post, status: 201, isAllowed: false),
    EmptyRow(method: .get, status: 204, isAllowed: true),
    EmptyRow(method: .get, status: 205, isAllowed: true),
    EmptyRow(method: .get, status: 206, isAllowed: false),
    EmptyRow(method: .get, status: 304, isAllowed: false),
    EmptyRow(method: .head, status: 200, isAllowed: true),
    EmptyRow(method: .head, status: 500, isAllowed: true),
  ]
}

struct Person: Codable, Equatable, Sendable {
  var name: String
}

struct Nobody: Decodable, EmptyResponse, Equatable {
  static func emptyValue() -> Nobody { Nobody() }
}

@Suite struct ResponseSerializerTests {
  @Test(arguments: EmptyRow.all, [Data?.none, Data()]) func emptyBodies(_ row: EmptyRow, _ data: Data?) throws
  {
    let given = Given(method: row.method, status: row.status, data: data)
    if row.isAllowed {
      #expect(try given.serialize(with: DataResponseSerializer()) == Data())
      #expect(try given.serialize(with: StringResponseSerializer()) == "")
      #expect(try given.serialize(with: DecodableResponseSerializer<Nobody>()) == Nobody())
      _ = try given.serialize(with: DecodableResponseSerializer<Empty>())
    } else {
      func reason<S: DataResponseSerializerProtocol>(_ serializer: S) -> Bool {
        do {
          _ = try given.serialize(with: serializer)
          return false
        } catch {
          if case .responseSerializationFailed(.inputDataNilOrZeroLength)? = error.asAFError { return true }
          return false
        }
      }
      #expect(reason(DataResponseSerializer()))
      #expect(reason(StringResponseSerializer()))
      #expect(reason(DecodableResponseSerializer<Nobody>()))
    }
  }

  @Test func theEmptyRulesCanBeChanged() throws {
    let given = Given(method: .post, status: 202)
    #expect(try given.serialize(with: DataResponseSerializer(emptyResponseCodes: [202])) == Data())
    #expect(try given.serialize(with: DataResponseSerializer(emptyRequestMethods: [.post])) == Data())
    let serializer = DataResponseSerializer(emptyResponseCodes: [], emptyRequestMethods: [])
    #expect(throws: AFError.self) { try Given(method: .head, status: 204).serialize(with: serializer) }
    #expect(serializer.requestAllowsEmptyResponseData(nil) == nil)
    #expect(serializer.responseAllowsEmptyResponseData(nil) == nil)
    #expect(!serializer.emptyResponseAllowed(forRequest: nil, response: nil))
  }

  @Test func aTypeWithoutEmptyValueIsNamed() {
    let error = #expect(throws: AFError.self) {
      try Given(status: 204).serialize(with: DecodableResponseSerializer<Person>())
    }
    guard case .responseSerializationFailed(.invalidEmptyResponse(let type))? = error else {
      Issue.record("unexpected \(String(describing: error))")
      return
    }
    #expect(type == "Person")
  }

  @Test func anErrorIsHandedOn() {
    let given = Given(data: Data("{}".utf8), error: Mishap(number: 3))
    #expect(throws: Mishap(number: 3)) { try given.serialize(with: DataResponseSerializer()) }
    #expect(throws: Mishap(number: 3)) { try given.serialize(with: StringResponseSerializer()) }
    #expect(throws: Mishap(number: 3)) { try given.serialize(with: DecodableResponseSerializer<Person>()) }
  }

  @Test func data() throws {
    #expect(try Given(data: Data([1, 2])).serialize(with: DataResponseSerializer()) == Data([1, 2]))
  }

  @Test(arguments: [
    (Optional("text/plain; charset=utf-8"), Data("é".utf8), "é"),
    (nil, Data("é".utf8), "Ã©"),
    ("text/plain", Data([0xE9]), "é"),
    ("text/plain; charset=iso-8859-1", Data([0xE9]), "é"),
    ("text/plain; charset=UTF-16BE", Data([0x00, 0xE9]), "é"),
    ("text/plain; charset=utf-16le", Data([0xE9, 0x00]), "é"),
    ("text/plain; charset=utf-32be", Data([0, 0, 0, 0xE9]), "é"),
    ("text/plain; charset=us-ascii", Data("e".utf8), "e"),
    ("text/plain; charset=unheard-of", Data([0xE9]), "é"),
  ])
  func strings(_ type: String?, _ data: Data, _ text: String) throws {
    #expect(try Given(contentType: type, data: data).serialize(with: StringResponseSerializer()) == text)
  }

  @Test func aStatedEncodingWins() throws {
    let given = Given(contentType: "text/plain; charset=utf-8", data: Data([0xE9]))
    #expect(try given.serialize(with: StringResponseSerializer(encoding: .isoLatin1)) == "é")
    let error = #expect(throws: AFError.self) { try given.serialize(with: StringResponseSerializer()) }
    #expect(error?.failedStringEncoding == .utf8)
  }

  @Test func decodables() throws {
    let json = Given(data: Data(#"{"name":"Ada"}"#.utf8))
    #expect(try json.serialize(with: DecodableResponseSerializer<Person>()) == Person(name: "Ada"))
    let list = Given(data: try PropertyListEncoder().encode(Person(name: "Ada")))
    #expect(
      try list.serialize(with: DecodableResponseSerializer<Person>(decoder: PropertyListDecoder()))
        == Person(name: "Ada"))
    let error = #expect(throws: AFError.self) {
      try Given(data: Data("{}".utf8)).serialize(with: DecodableResponseSerializer<Person>())
    }
    #expect(error?.underlyingError is DecodingError)
  }

  @Test func preprocessorsComeFirst() throws {
    struct Shout: DataPreprocessor {
      func preprocess(_ data: Data) throws -> Data { data + Data("!".utf8) }
    }
    struct Refuse: DataPreprocessor {
      func preprocess(_ data: Data) throws -> Data { throw Mishap() }
    }
    let given = Given(data: Data("a".utf8))
    #expect(try given.serialize(with: DataResponseSerializer(dataPreprocessor: Shout())) == Data("a!".utf8))
    #expect(throws: Mishap()) {
      try given.serialize(with: StringResponseSerializer(dataPreprocessor: Refuse()))
    }
    let json = Given(data: Data(")]}',\n{\"name\":\"Ada\"}".utf8))
    #expect(
      try json.serialize(with: DecodableResponseSerializer<Person>(dataPreprocessor: .googleXSSI))
        == Person(name: "Ada"))
  }

  @Test(arguments: [
    (")]}',\nabc", "abc"), ("abc", "abc"), (")]}',\n", ""), (")]}'", ")]}'"), ("a)]}',\n", "a)]}',\n"),
    ("", ""),
  ])
  func googleXSSI(_ body: String, _ expected: String) throws {
    let processed = try GoogleXSSIPreprocessor().preprocess(Data(body.utf8))
    #expect(processed == Data(expected.utf8))
    // A slice that kept its indices would trap users who count from zero.
    #expect(processed.startIndex == 0)
    #expect(try PassthroughPreprocessor().preprocess(Data(body.utf8)) == Data(body.utf8))
  }

  @Test func shorthands() throws {
    let given = Given(data: Data(#"{"name":"Ada"}"#.utf8))
    #expect(try serialize(given, .data) == given.data)
    #expect(try serialize(given, .data(emptyResponseCodes: [])) == given.data)
    #expect(try serialize(given, .string).hasPrefix("{"))
    #expect(try serialize(given, .string(encoding: .utf8)).hasPrefix("{"))
    #expect(try serialize(given, .decodable(of: Person.self)) == Person(name: "Ada"))
  }

  private func serialize<S: ResponseSerializer>(_ given: Given, _ serializer: S) throws -> S.SerializedObject
  {
    try given.serialize(with: serializer)
  }

  /// As callers write them.
  @Test func byTheNamesOfTheirFactories() async throws {
    let scripted = ScriptedSession { _, _ in .reply(body: [#"{"name":"Ada"}"#]) }
    let url = "http://host.test/"
    let request = scripted.session.request(url)
    #expect(try await request.serializingData(dataPreprocessor: .passthrough).value.count == 14)

    let stream = scripted.session.streamRequest(url)
    let people = stream.streamTask().streamingResponses(serializedUsing: .decodable(of: Person.self))
    #expect(await people.reduce(into: []) { $0.append($1.value) } == [Person(name: "Ada"), nil])
    let upper = scripted.session.streamRequest(url).streamTask()
      .streamingResponses(serializedUsing: .decodable(of: Person.self, dataPreprocessor: Renaming()))
    #expect(await upper.reduce(into: []) { $0.append($1.value?.name) } == ["Bob", nil])
    let parts = scripted.session.streamRequest(url).streamTask()
      .streamingResponses(serializedUsing: .passthrough)
    #expect(await parts.reduce(into: 0) { $0 += $1.value?.count ?? 0 } == 14)
  }

  private struct Renaming: DataPreprocessor {
    func preprocess(_ data: Data) throws -> Data { Data(#"{"name":"Bob"}"#.utf8) }
  }

  #if Foundation
    @available(*, deprecated)
    private static func read(
      _ request: DataRequest, _ serializer: JSONResponseSerializer
    ) async -> (keys: [String], text: String?, isNull: Bool, error: AFError?) {
      let response = await request.serializingResponse(using: serializer).response
      return (
        (response.value as? [String: Any])?.keys.sorted() ?? [], response.value as? String,
        response.value is NSNull, response.error
      )
    }

    @available(*, deprecated)
    @Test func untypedOnesByTheNamesOfTheirFactories() async throws {
      let scripted = ScriptedSession { _, task in
        switch task.originalRequest?.url?.path {
        case "/object": .reply(body: [#"{"name":"Ada"}"#])
        case "/guarded": .reply(body: [")]}',\n\"text\""])
        case "/list":
          .reply(body: ["<plist version=\"1.0\"><array><true/><integer>7</integer></array></plist>"])
        default: .reply()
        }
      }
      func request(_ path: String) -> DataRequest { scripted.session.request("http://host.test/" + path) }
      #expect(await Self.read(request("object"), .json).keys == ["name"])
      #expect(await Self.read(request("guarded"), .json(dataPreprocessor: .googleXSSI)).text == "text")
      // Text alone is no JSON where fragments are not allowed.
      let strict = await Self.read(request("guarded"), .json(dataPreprocessor: .googleXSSI, options: []))
      #expect(strict.error?.isResponseSerializationError == true)
      #expect(await Self.read(request("empty"), .json).error?.isResponseSerializationError == true)
      #expect(await Self.read(request("empty"), .json(emptyResponseCodes: [200])).isNull)
      #expect(await Self.read(request("empty"), .json(emptyRequestMethods: [.get])).isNull)
      let list = await request("list").serializingResponse(using: .propertyList).response
      let values = try #require(list.value as? [Any])
      #expect(values.count == 2 && values[0] as? Bool == true && values[1] as? Int == 7)
    }
  #endif
}
