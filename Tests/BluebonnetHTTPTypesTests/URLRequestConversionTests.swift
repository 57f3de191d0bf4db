// SPDX-License-Identifier: MIT
#if HTTPTypes
  import Bluebonnet
  import BluebonnetFoundation
  import BluebonnetHTTPTypes
  import HTTPTypes
  import Testing

  /// Requests of this package as those of swift-http-types.
  @Suite struct URLRequestConversionTests {
    private func request(_ url: String, _ headers: HTTPHeaders = [:]) throws -> URLRequest {
      var request = URLRequest(url: try #require(URL(string: url)))
      request.headers = headers
      return request
    }

    @Test func allPartsAreTaken() throws {
      var request = try request(
        "https://Example.org:443/a%20b?c=d#e", ["Accept": " text/plain ", "cookie": "a=1; b=2"])
      request.httpMethod = "POST"
      let converted = try #require(request.httpRequest)
      #expect(converted.method == .post && converted.scheme == "https")
      #expect(converted.authority == "example.org" && converted.path == "/a%20b?c=d")
      #expect(converted.headerFields.map(\.description) == ["Accept: text/plain", "cookie: a=1; b=2"])
      #expect(URLRequest(httpRequest: converted)?.headers["Accept"] == "text/plain")
    }

    @Test func anEmptyPathIsTheRoot() throws {
      #expect(try request("http://example.org").httpRequest?.path == "/")
      #expect(try request("http://example.org?a").httpRequest?.path == "/?a")
      #expect(try request("http://[::1]:8080").httpRequest?.authority == "[::1]:8080")
    }

    /// swift-http-types itself stops the program for some of these.
    @Test(arguments: [
      "/x", "x", "file:///etc/passwd", "ftp://example.org/", "mailto:a@example.org", "http:///x", "data:,x",
    ])
    func urlsThatCannotBeLoaded(url: String) throws {
      #expect(try request(url).httpRequest == nil)
    }

    @Test func aRequestWithoutURL() throws {
      var request = try request("http://example.org/")
      request.url = nil
      #expect(request.httpRequest == nil)
    }

    @Test(arguments: ["a\r\nEvil: 1", "a\nEvil: 1", "a\rb", "a\0b", "\u{1B}[31m", "a\u{7F}"])
    func fieldsAreNotInjected(value: String) throws {
      #expect(try request("http://example.org/", ["X": value]).httpRequest == nil)
      #expect(HTTPFields(["X": value]) == nil && HTTPField(HTTPHeader(name: "X", value: value)) == nil)
    }

    @Test(arguments: ["", "a b", "a:b", ":path", ":authority", "a\r\nb", "é", "a\0"])
    func namesThatAreNone(name: String) throws {
      #expect(try request("http://example.org/", [name: "x"]).httpRequest == nil)
      #expect(HTTPFields([name: "x"]) == nil)
    }

    @Test(arguments: ["A B", "GET /evil HTTP/1.1\r\n", "", "CONNECT"])
    func methodsThatAreNone(method: String) throws {
      var request = try request("http://example.org/")
      request.httpMethod = method
      #expect(request.httpRequest == nil)
    }

    @Test func aHostIsTheAuthorityOrRefused() throws {
      #expect(
        try request("http://example.org/", ["Host": "example.org:80"]).httpRequest?.headerFields.isEmpty
          == true)
      for host in ["other.example", "", "example.org, other.example", "example.org\r\nX: y", "example.org/"] {
        #expect(try request("http://example.org/", ["Host": host]).httpRequest == nil)
      }
    }

    @Test func userInformationBecomesAuthorization() throws {
      let converted = try #require(try request("http://me:secret@example.org/").httpRequest)
      #expect(converted.authority == "example.org")
      #expect(converted.headerFields[.authorization] == "Basic bWU6c2VjcmV0")
      let own = try request("http://me:secret@example.org/", ["Authorization": "Bearer x"]).httpRequest
      #expect(own?.headerFields[values: .authorization] == ["Bearer x"])
    }

    @Test func targetsOfTheirOwn() throws {
      var request = try request("http://example.org/a")
      request.requestTarget = "/b|c"
      #expect(request.httpRequest?.path == "/b|c")
      for target in ["*", "b", "http://evil.example/", "evil.example:80", "/a b", "/a\r\nX: y", ""] {
        request.requestTarget = target
        #expect(request.httpRequest == nil, "\(target)")
      }
    }

    @Test func webSockets() throws {
      var request = try request("wss://example.org/socket")
      let converted = try #require(request.httpRequest)
      #expect(converted.method == .connect && converted.scheme == "https" && converted.path == "/socket")
      #expect(URLRequest(httpRequest: converted) == request)
      request.httpMethod = "POST"
      #expect(request.httpRequest == nil)
    }

    /// swift-http-types stops the program at the next one.
    @Test func moreFieldsThanThereIsRoomFor() throws {
      let url = try #require(URL(string: "http://example.org/"))
      let fields = Dictionary(uniqueKeysWithValues: (0..<65_536).map { ("X-\($0)", "a") })
      let response = try #require(
        HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields))
      #expect(response.httpResponse == nil)
    }

    @Test func namesOfFieldsAreSubscripts() {
      var headers: HTTPHeaders = ["accept": "a"]
      #expect(headers[.accept] == "a" && headers[.age] == nil)
      headers[.accept] = "b"
      headers[.age] = "1"
      #expect(headers.map(\.description) == ["Accept: b", "Age: 1"])
      headers[.accept] = nil
      #expect(headers.count == 1)
      #expect(HTTPFields(headers)?.map(\.description) == ["Age: 1"])
    }
  }
#endif
