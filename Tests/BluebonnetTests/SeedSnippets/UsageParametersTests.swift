// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import BluebonnetTestNetwork
import Testing

extension SeedSnippetsTests {
  /// The usage guide on parameters and their encoders.
  @Suite struct UsageParametersTests {
    private let origin: Origin
    private var base: String { origin.baseURL }
    private let lists: [String: [String]] = ["one": ["a"], "two": ["b", "c"], "three": ["d", "e", "f"]]

    init() {
      origin = Origin.inMemory()
    }

    private struct Account: Encodable, Sendable {
      let name: String
      let secret: String
    }

    /// What a request carried, decoded.
    private func bodies(of requests: [DataRequest]) async -> [String] {
      for request in requests { #expect(await sent(request).response?.statusCode == 200) }
      return origin.requests.map { String(decoding: $0.body, as: UTF8.self) }
    }

    private func form<Value: Encodable & Sendable>(
      _ value: Value, by encoder: URLEncodedFormParameterEncoder
    ) async -> String {
      let request = AF.request(base + "/post", method: .post, parameters: value, encoder: encoder)
      return await bodies(of: [request]).last?.removingPercentEncoding ?? "nothing"
    }

    @Test func parametersAndEncoders() async throws {
      let account = Account(name: "me@example.org", secret: "word")
      let answers = Recorder<AFDataResponse<Data?>>()
      AF.request(
        base + "/post",
        method: .post,
        parameters: account,
        encoder: JSONParameterEncoder.default
      ).response { answer in
        answers.note(answer)
      }
      #expect(try await answers.first().response?.statusCode == 200)
      let request = try #require(origin.requests.first)
      #expect(
        try JSONDecoder().decode([String: String].self, from: Data(request.body))["name"] == account.name)
      #expect(request.value("Content-Type") == "application/json")
    }

    @Test func getWithParameters() async {
      let parameters = ["colour": "blue"]
      for request in [
        AF.request(base + "/get", parameters: parameters),
        AF.request(base + "/get", parameters: parameters, encoder: URLEncodedFormParameterEncoder.default),
        AF.request(
          base + "/get", parameters: parameters,
          encoder: URLEncodedFormParameterEncoder(destination: .methodDependent)),
      ] {
        #expect(await sent(request).request?.url?.absoluteString == base + "/get?colour=blue")
      }
      #expect(origin.requests.map(\.target) == Array(repeating: "/get?colour=blue", count: 3))
    }

    @Test func postWithParameters() async {
      let sent = await bodies(of: [
        AF.request(base + "/post", method: .post, parameters: lists),
        AF.request(
          base + "/post", method: .post, parameters: lists, encoder: URLEncodedFormParameterEncoder.default),
        AF.request(
          base + "/post", method: .post, parameters: lists,
          encoder: URLEncodedFormParameterEncoder(destination: .httpBody)),
      ])
      let form = "one[]=a&three[]=d&three[]=e&three[]=f&two[]=b&two[]=c"
      #expect(sent.map(\.removingPercentEncoding) == [form, form, form])
      #expect(
        origin.requests.map { $0.value("Content-Type") }
          == Array(repeating: "application/x-www-form-urlencoded; charset=utf-8", count: 3))
    }

    @Test func sortingValues() async {
      let encoder = URLEncodedFormParameterEncoder(
        encoder: URLEncodedFormEncoder(alphabetizeKeyValuePairs: false))
      #expect(await form(Account(name: "n", secret: "s"), by: encoder) == "name=n&secret=s")
      struct Backwards: Encodable { let b = 1, a = 2 }
      #expect(await form(Backwards(), by: encoder) == "b=1&a=2")
      #expect(await form(Backwards(), by: .default) == "a=2&b=1")
    }

    @Test func arrayParameters() async {
      let encoder = URLEncodedFormParameterEncoder(encoder: URLEncodedFormEncoder(arrayEncoding: .noBrackets))
      #expect(await form(["n": [1, 2]], by: encoder) == "n=1&n=2")
      #expect(await form(["n": [1, 2]], by: .default) == "n[]=1&n[]=2")
    }

    @Test func boolParameters() async {
      let encoder = URLEncodedFormParameterEncoder(encoder: URLEncodedFormEncoder(boolEncoding: .numeric))
      #expect(await form(["y": true, "z": false], by: encoder) == "y=1&z=0")
      let words = URLEncodedFormParameterEncoder(encoder: URLEncodedFormEncoder(boolEncoding: .literal))
      #expect(await form(["y": true, "z": false], by: words) == "y=true&z=false")
    }

    @Test func dataParameters() async {
      let encoder = URLEncodedFormParameterEncoder(encoder: URLEncodedFormEncoder(dataEncoding: .base64))
      #expect(await form(["d": Data("data".utf8)], by: encoder) == "d=ZGF0YQ==")
    }

    @Test func dateParameters() async {
      let encoder = URLEncodedFormParameterEncoder(encoder: URLEncodedFormEncoder(dateEncoding: .iso8601))
      #expect(await form(["t": Date(timeIntervalSince1970: 0)], by: encoder) == "t=1970-01-01T00:00:00Z")
    }

    @Test func codingKeys() async {
      let encoder = URLEncodedFormParameterEncoder(
        encoder: URLEncodedFormEncoder(keyEncoding: .convertToSnakeCase))
      #expect(await form(["oneTwoThree": 1], by: encoder) == "one_two_three=1")
    }

    @Test func spaces() async throws {
      let encoder = URLEncodedFormParameterEncoder(
        encoder: URLEncodedFormEncoder(spaceEncoding: .plusReplaced))
      #expect(await form(["q": "a b"], by: encoder) == "q=a+b")
      #expect(try URLEncodedFormEncoder().encode(["q": "a b"]) == "q=a%20b")
    }

    /// The cases that the guide only lists.
    @Test func theOtherCases() throws {
      struct Facts: Encodable {
        let aKey = Date(timeIntervalSince1970: 1)
        let bKey = Data("x".utf8)
      }
      func encoded(_ encoder: URLEncodedFormEncoder) throws -> String { try encoder.encode(Facts()) }
      let own = URLEncodedFormEncoder(
        dataEncoding: .custom { "\($0.count) bytes" },
        dateEncoding: .custom { "\($0.timeIntervalSince1970)" },
        keyEncoding: .custom { $0 + "!" })
      #expect(try encoded(own) == "aKey%21=1.0&bKey%21=1%20bytes")
      let seconds = URLEncodedFormEncoder(dateEncoding: .secondsSince1970, keyEncoding: .convertToKebabCase)
      #expect(try encoded(seconds) == "a-key=1.0&b-key=eA%3D%3D")
      let milliseconds = URLEncodedFormEncoder(
        dateEncoding: .millisecondsSince1970, keyEncoding: .capitalized)
      #expect(try encoded(milliseconds) == "AKey=1000.0&BKey=eA%3D%3D")
      let native = URLEncodedFormEncoder(
        dataEncoding: .deferredToData, dateEncoding: .deferredToDate, keyEncoding: .uppercased)
      #expect(try encoded(native) == "AKEY=-978307199.0&BKEY%5B%5D=120")
      let low = URLEncodedFormEncoder(dateEncoding: .secondsSince1970, keyEncoding: .lowercased)
      #expect(try encoded(low) == "akey=1.0&bkey=eA%3D%3D")
      let asIs = URLEncodedFormEncoder(keyEncoding: .useDefaultKeys, spaceEncoding: .percentEscaped)
      #expect(try asIs.encode(["aKey": "a b"]) == "aKey=a%20b")
    }

    @Test func postWithJSON() async throws {
      let sent = await bodies(of: [
        AF.request(base + "/post", method: .post, parameters: lists, encoder: JSONParameterEncoder.default),
        AF.request(
          base + "/post", method: .post, parameters: lists, encoder: JSONParameterEncoder.prettyPrinted),
        AF.request(
          base + "/post", method: .post, parameters: lists, encoder: JSONParameterEncoder.sortedKeys),
      ])
      for body in sent {
        #expect(try JSONDecoder().decode([String: [String]].self, from: Data(body.utf8)) == lists)
      }
      #expect(sent.count == 3 && sent[1].contains("\n"))
      #expect(sent.last == #"{"one":["a"],"three":["d","e","f"],"two":["b","c"]}"#)
    }

    /// The guide misspells `dateEncodingStrategy`, which is Foundation's.
    @Test func aJSONEncoderOfOnesOwn() async throws {
      struct Meeting: Encodable { let startTime = Date(timeIntervalSince1970: 0) }
      let json = JSONEncoder()
      json.dateEncodingStrategy = .iso8601
      json.keyEncodingStrategy = .convertToSnakeCase
      let encoder = JSONParameterEncoder(encoder: json)
      let sent = await bodies(of: [
        AF.request(base + "/post", method: .post, parameters: Meeting(), encoder: encoder)
      ])
      #expect(sent == [#"{"start_time":"1970-01-01T00:00:00Z"}"#])
    }

    @Test func encodingByHand() throws {
      let address = try #require(URL(string: base + "/get"))
      let plain = URLRequest(url: address)
      let parameters = ["colour": "blue"]
      let encoded = try URLEncodedFormParameterEncoder.default.encode(
        parameters,
        into: plain)
      #expect(encoded.url?.absoluteString == base + "/get?colour=blue")
    }
  }
}
