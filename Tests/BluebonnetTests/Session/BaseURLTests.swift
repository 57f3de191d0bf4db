// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Relative addresses of requests.
@Suite struct BaseURLTests {
  private func resolve(_ address: any URLConvertible, at base: String) throws -> String {
    let session = Session(configuration: .inMemory, baseURL: URL(string: base))
    return try session.address(address).asURL().absoluteString
  }

  /// RFC 3986 §5.4.1 and §5.4.2, at `http://a/b/c/d;p?q`.
  private static let examples: [(reference: String, target: String)] = [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
    ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
    (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
    ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
    ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
    ("../../g", "http://a/g"),
    ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."),
    ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
    ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
    ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
    ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
    ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
  ]

  @Test(arguments: examples) func theExamplesOfTheRFC(reference: String, target: String) throws {
    #expect(try resolve(reference, at: "http://a/b/c/d;p?q") == target)
    // The base's fragment never counts.
    #expect(try resolve(reference, at: "http://a/b/c/d;p?q#base") == target)
    // A URL is taken like a text, where it can say the same.
    if let url = URL(string: reference) {
      #expect(try resolve(url, at: "http://a/b/c/d;p?q") == target)
    }
  }

  @Test func addressesAsServicesHaveThem() throws {
    let rows: [(base: String, address: any URLConvertible, target: String)] = [
      ("https://api.test/v1/", "users?page=2", "https://api.test/v1/users?page=2"),
      ("https://api.test/v1", "users?page=2", "https://api.test/users?page=2"),
      ("https://api.test/v1/", "/users", "https://api.test/users"),
      ("https://api.test", "users", "https://api.test/users"),
      ("https://api.test/v1/?key=1#top", "users", "https://api.test/v1/users"),
      ("https://api.test/v1/?key=1#top", "#x", "https://api.test/v1/?key=1#x"),
      ("https://api.test/v1/", "//other.test/x", "https://other.test/x"),
      ("https://api.test/v1/", "http://other.test/x", "http://other.test/x"),
      ("https://u:p@api.test:8443/v1/", "users", "https://u:p@api.test:8443/v1/users"),
      ("https://u:p@api.test/v1/", "//other.test/x", "https://other.test/x"),
      ("https://u:p@api.test/v1/", "https://api.test/x", "https://api.test/x"),
      ("HTTPS://[::1]:8443/", "a", "HTTPS://[::1]:8443/a"),
      ("https://api.test/", "a b/\u{FC}?q=<", "https://api.test/a%20b/%C3%BC?q=%3C"),
      ("https://api.test/", "100%", "https://api.test/100%25"),
      ("https://api.test/", "a%2Fb", "https://api.test/a%2Fb"),
    ]
    for row in rows { #expect(try resolve(row.address, at: row.base) == row.target, "\(row)") }
    var components = URLComponents()
    components.path = "users"
    components.queryItems = [URLQueryItem(name: "page", value: "2")]
    #expect(try resolve(components, at: "https://api.test/v1/") == "https://api.test/v1/users?page=2")
    let nested = try #require(URL(string: "x", relativeTo: URL(string: "https://other.test/y/")))
    #expect(try resolve(nested, at: "https://api.test/v1/") == "https://other.test/y/x")
  }

  @Test func withoutABaseNothingChanges() async {
    let session = Session(configuration: .inMemory)
    #expect(session.baseURL == nil && Session.default.baseURL == nil)
    #expect(session.address("users") as? String == "users")
    #expect(await session.request("").serializingData().response.error?.isInvalidURLError == true)
  }

  @Test(arguments: [
    "file:///etc/", "ftp://host.test/", "ws://host.test/", "data:,x", "relative/", "http:", "http:///x",
    "mailto:a@b.test",
  ])
  func basesThatAreOfNoUse(_ base: String) async throws {
    let session = Session(configuration: .inMemory, baseURL: URL(string: base))
    for error in [
      await session.request("users").serializingData().response.error,
      await session.download("users").serializingData().response.error,
      await session.upload(Data(), to: "users").serializingData().response.error,
    ] {
      #expect(error?.isCreateURLRequestError == true)
      let cause = try #require(error?.underlyingError as? URLError)
      #expect(cause.code == .unsupportedURL && cause.localizedDescription.contains("Session.baseURL"))
    }
    // An absolute URL does not need it.
    let origin = Origin.inMemory()
    #expect(await session.request(origin.baseURL + "/get").serializingData().response.error == nil)
  }

  /// The password of a base is no part of an error's text.
  @Test func secretsStayOutOfErrors() async throws {
    let session = Session(
      configuration: .inMemory, baseURL: URL(string: "ftp://u:geheim@host.test/"))
    let error = await session.request("users").serializingData().response.error
    #expect(error != nil && !"\(error?.localizedDescription ?? "")".contains("geheim"))
  }

  @Test(arguments: ["a\u{0}b", "a\nb", "\u{7F}"]) func controlCharacters(_ text: String) async throws {
    let session = Session(configuration: .inMemory, baseURL: URL(string: "http://host.test/"))
    let error = await session.request(text).serializingData().response.error
    #expect(error?.isInvalidURLError == true)
    #expect(error?.urlConvertible as? String == text)
  }

  /// What a type of the user's throws is passed on, and it is asked for each attempt.
  private struct Throwing: URLConvertible {
    let asked = Recorder<Int>()
    func asURL() throws -> URL {
      asked.note(1)
      throw URLError(.badURL)
    }
  }

  private struct Counting: URLConvertible {
    let asked = Recorder<Int>()
    func asURL() throws -> URL {
      asked.note(1)
      return try "get?x=\(asked.entries.count)".asURL()
    }
  }

  @Test func addressesOfTheUsersTypes() async throws {
    let origin = Origin.inMemory()
    let session = Session(configuration: .patientInMemory, baseURL: URL(string: origin.baseURL + "/status/"))
    let throwing = Throwing()
    let error = await session.request(throwing).serializingData().response.error
    #expect((error?.underlyingError as? URLError)?.code == .badURL && throwing.asked.entries == [1])
    let counting = Counting()
    _ = await session.request(counting).serializingData().response
    #expect(counting.asked.entries == [1] && origin.requests.last?.target == "/status/get?x=1")
  }

  /// All kinds of requests.
  @Test func onTheWire() async throws {
    let origin = Origin.inMemory()
    let session = Session(configuration: .patientInMemory, baseURL: URL(string: origin.baseURL + "/v1/?q"))
    _ = await session.request("../get").serializingData().response
    _ = await session.request("a", method: .post).serializingData().response
    _ = await session.request("b", parameters: ["x": 1]).serializingData().response
    _ = await session.request("c", parameters: ["x": 1] as [String: Int]?, encoder: .urlEncodedForm)
      .serializingData().response
    _ = await session.download("d").serializingData().response
    _ = await session.upload(Data("x".utf8), to: "e").serializingData().response
    _ = await session.upload(multipartFormData: { $0.append(Data("x".utf8), withName: "f") }, to: "f")
      .serializingData().response
    let bytes = AsyncStream<Data> { $0.finish() }
    _ = await session.upload(bytes, to: "g").serializingData().response
    for await _ in session.streamRequest("h").streamTask().streamingData() {}
    let socket = session.webSocketRequest(to: "/websocket").webSocketTask()
    for await _ in socket.streamingMessageEvents() { socket.cancel() }
    #expect(
      origin.requests.map(\.target) == [
        "/get", "/v1/a", "/v1/b?x=1", "/v1/c?x=1", "/v1/d", "/v1/e", "/v1/f", "/v1/g", "/v1/h", "/websocket",
      ])
  }

  @Test func theCredentialsOfTheBase() async throws {
    let origin = Origin.inMemory()
    let base = origin.baseURL.replacingOccurrences(of: "//", with: "//user:secret@")
    let session = Session(configuration: .patientInMemory, baseURL: URL(string: base))
    let response = await session.request("/basic-auth/user/secret").serializingData().response
    #expect(response.response?.statusCode == 200)
    #expect(session.baseURL?.absoluteString == base)
    // They are the base's: an address with a host of its own has none.
    _ = await session.request(origin.baseURL + "/get").serializingData().response
    #expect(origin.requests.last?.value("Authorization") == nil)
  }
}
