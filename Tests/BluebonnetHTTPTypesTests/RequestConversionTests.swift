// SPDX-License-Identifier: MIT
#if HTTPTypes
  import Bluebonnet
  import BluebonnetFoundation
  import BluebonnetHTTPTypes
  import BluebonnetTestSupport
  import HTTPTypes
  import Testing

  /// Requests of swift-http-types as those of this package.
  @Suite struct RequestConversionTests {
    private static let host = HTTPField.Name("Host")!

    private func request(
      _ method: HTTPRequest.Method = .get, scheme: String? = "https", authority: String? = "example.org",
      path: String? = "/a?b=c", _ fields: HTTPFields = [:]
    ) -> HTTPRequest {
      HTTPRequest(method: method, scheme: scheme, authority: authority, path: path, headerFields: fields)
    }

    private func reason(_ request: HTTPRequest) -> HTTPConversionError? {
      #expect(URLRequest(httpRequest: request) == nil)
      do {
        _ = try request.asURLRequest()
        return nil
      } catch {
        return error as? HTTPConversionError
      }
    }

    @Test func allPartsAreTaken() throws {
      let converted = try #require(
        URLRequest(httpRequest: request(.put, [.accept: "text/plain", .ifMatch: "\"1\""])))
      #expect(converted.url?.absoluteString == "https://example.org/a?b=c")
      #expect(converted.httpMethod == "PUT" && converted.method == .put)
      #expect(converted.headers.map(\.description) == ["Accept: text/plain", "If-Match: \"1\""])
      #expect(converted.httpBody == nil && converted.requestTarget == nil)
    }

    @Test func methodsOfAllNames() throws {
      let method = try #require(HTTPRequest.Method("PROPFIND"))
      #expect(URLRequest(httpRequest: request(method))?.httpMethod == "PROPFIND")
      #expect(HTTPMethod(method) == HTTPMethod(rawValue: "PROPFIND"))
      #expect(HTTPRequest.Method(HTTPMethod.query)?.rawValue == "QUERY")
      for wrong in ["", "A B", "GET\r\nX: y", "GET\0", "é"] {
        #expect(HTTPRequest.Method(HTTPMethod(rawValue: wrong)) == nil)
      }
    }

    /// RFC 9110 §5.3, and RFC 9113 §8.2.3 for cookies.
    @Test func fieldsOfOneNameAreJoinedInOrder() throws {
      var fields = HTTPFields()
      fields.append(HTTPField(name: .accept, value: "a"))
      fields.append(HTTPField(name: .cookie, value: "x=1"))
      fields.append(HTTPField(name: try #require(HTTPField.Name("ACCEPT")), value: "b"))
      fields.append(HTTPField(name: .cookie, value: "y=2"))
      let converted = try #require(URLRequest(httpRequest: request(fields)))
      #expect(converted.headers.map(\.description) == ["Accept: a, b", "Cookie: x=1; y=2"])
      #expect(HTTPHeaders(fields) == converted.headers)
    }

    private func request(_ fields: HTTPFields) -> HTTPRequest { request(.get, fields) }

    @Test(arguments: ["example.org", "EXAMPLE.org", "example.org:443"])
    func aHostThatNamesTheAuthorityGoes(host: String) throws {
      let converted = try #require(URLRequest(httpRequest: request([Self.host: host])))
      #expect(converted.headers.isEmpty)
    }

    @Test(arguments: [
      "other.example", "example.org:80", "example.org, other.example", "", "me@example.org", "example.org/",
      "example.org#", "example.org other",
    ])
    func aHostThatNamesAnotherServerIsRefused(host: String) {
      #expect(reason(request([Self.host: host])) == .conflictingHost)
    }

    @Test func theHostStandsForTheAuthority() throws {
      var hosted = request(.get, authority: nil, [Self.host: "example.org:8443"])
      let converted = try #require(URLRequest(httpRequest: hosted))
      #expect(converted.url?.absoluteString == "https://example.org:8443/a?b=c" && converted.headers.isEmpty)
      hosted.headerFields.append(HTTPField(name: Self.host, value: "example.org:8443"))
      #expect(reason(hosted) == .conflictingHost)
      #expect(reason(request(.get, authority: nil)) == .missingAuthority)
    }

    @Test func tunnelsAreRefused() {
      #expect(reason(request(.connect)) == .connect)
      #expect(
        reason(HTTPRequest(method: .connect, scheme: nil, authority: "a:1", path: nil)) == .unsupportedScheme)
      var other = request(.connect)
      other.extendedConnectProtocol = "connect-udp"
      #expect(reason(other) == .connect)
      var get = request(.get)
      get.extendedConnectProtocol = "websocket"
      #expect(reason(get) == .connect)
    }

    /// RFC 8441 §5.
    @Test(arguments: [("http", "ws"), ("https", "wss"), ("ws", "ws"), ("wss", "wss")])
    func webSocketsAreOpenedWithGET(scheme: String, opened: String) throws {
      var extended = request(.connect, scheme: scheme)
      extended.extendedConnectProtocol = "websocket"
      let converted = try #require(URLRequest(httpRequest: extended))
      #expect(converted.url?.absoluteString == "\(opened)://example.org/a?b=c" && converted.method == .get)
      let back = try #require(converted.httpRequest)
      #expect(back.method == .connect && back.extendedConnectProtocol == "websocket")
      #expect(back.scheme == (opened == "ws" ? "http" : "https"))
      #expect(reason(request(.post, scheme: opened)) == .invalidMethod)
    }

    @Test(arguments: [nil, "", "ftp", "file", "javascript", "data", "http:", "http://x", "h ttp", "httpé"])
    func otherSchemesAreRefused(scheme: String?) {
      #expect(reason(request(scheme: scheme)) == .unsupportedScheme)
    }

    @Test(arguments: [
      "", "me@example.org", "me:secret@example.org", "@example.org", "example.org/evil", "example.org?x",
      "example.org#x", "example.org\\@evil.example", "a b", "example.org\tx", "[::1", "::1",
      "example.org:99999",
      "example.org:port", "example.org:80:90", ":80", "%2F%2Fevil", "a\u{301}/b", "exam ple.org",
    ])
    func authoritiesThatAreNone(authority: String) {
      #expect(reason(request(authority: authority)) == .invalidAuthority, "\(authority)")
    }

    /// The path cannot move the end of the authority: it would be glued to it otherwise.
    @Test(arguments: [
      nil, "", "a", ".evil.example/", "@evil.example/", ":80@evil.example/", "?x", "#x", "*", "/a#b", "/a b",
      "/a\tb", "/%", "/%zz", "/%2", "http://evil.example/",
    ])
    func pathsThatAreNone(path: String?) {
      #expect(reason(request(path: path)) == .invalidPath, "\(path ?? "nil")")
    }

    @Test(arguments: [
      ("//evil.example/x", "//evil.example/x"), ("/@evil.example", "/@evil.example"), ("/a:b@c", "/a:b@c"),
      ("/a%2Fb%00", "/a%2Fb%00"), ("/a/../b/./c", "/a/../b/./c"), ("/é", "/%C3%A9"), ("/\\", "/%5C"),
      ("/?", "/?"),
    ])
    func pathsThatLookLikeMore(path: String, sent: String) throws {
      let converted = try #require(URLRequest(httpRequest: request(path: path)))
      #expect(converted.url?.host == "example.org")
      #expect(converted.httpRequest?.path == sent && converted.httpRequest?.authority == "example.org")
    }

    @Test func optionsOfTheWholeServer() throws {
      let converted = try #require(URLRequest(httpRequest: request(.options, path: "*")))
      #expect(converted.url?.absoluteString == "https://example.org" && converted.requestTarget == "*")
      #expect(converted.httpRequest?.path == "*")
      #expect(reason(request(.get, path: "*")) == .invalidPath)
    }

    @Test func valuesThatCannotBeSent() throws {
      let name = try #require(HTTPField.Name("X-Odd"))
      for bytes: [UInt8] in [[0x61, 0x01], [0x7F], [0x1B, 0x5B], [0x0B]] {
        #expect(
          reason(request(HTTPFields([HTTPField(name: name, lenientValue: bytes)])))
            == .invalidField(name: "X-Odd"))
      }
      // Not UTF-8: as text it would be sent as other bytes.
      #expect(
        reason(request(HTTPFields([HTTPField(name: name, value: [0xE9])]))) == .invalidField(name: "X-Odd"))
      #expect(HTTPHeaders(HTTPFields([HTTPField(name: name, value: [0xE9])]))["x-odd"] == "é")
      #expect(URLRequest(httpRequest: request([name: "é\ta"]))?.value(forHTTPHeaderField: "X-Odd") == "é\ta")
    }

    @Test func reasonsHaveNoSecrets() {
      let secret = request(.get, authority: "me:s3cret@example.org", path: "/?s3cret#s3cret")
      #expect(!"\(reason(secret) as Any)".contains("s3cret"))
      #expect(
        "\(HTTPConversionError.invalidField(name: "a\r\nb\u{1B}[31m"))".utf8.allSatisfy {
          $0 >= 0x20 && $0 < 0x7F
        })
      #expect(
        "\(HTTPConversionError.invalidField(name: String(repeating: "a", count: 9_999)))".utf8.count < 200)
    }

    /// What comes through has the host that the authority names, and survives the way back.
    @Test func anyRequest() {
      var random = SeededGenerator(seed: 1)
      let pieces = [
        "", "/", "a", "example.org", ":", "80", "@", "?", "#", "%", "%41", " ", "\t", "\\", "..", "*", "é",
        "[", "]", "::1",
        "http", "//", "\u{7F}", "xn--", ";", "&", "=", "\"", "<", "|",
      ]
      var converted = 0
      for _ in 0..<20_000 {
        func text() -> String {
          (0..<Int.random(in: 0...4, using: &random)).map { _ in pieces.randomElement(using: &random)! }
            .joined()
        }
        let one = HTTPRequest(
          method: [.get, .post, .options, .connect].randomElement(using: &random)!,
          scheme: ["http", "https", "ws", text()].randomElement(using: &random)!,
          authority: ["example.org", text()].randomElement(using: &random)!, path: "/" + text(),
          headerFields: [Self.host: text()])
        for candidate in [
          one, HTTPRequest(method: one.method, scheme: one.scheme, authority: one.authority, path: one.path),
        ] {
          guard let request = URLRequest(httpRequest: candidate) else { continue }
          converted += 1
          let back = request.httpRequest
          // The host comes back in its canonical form, which stays.
          #expect(back != nil && back?.httpURLRequest?.httpRequest == back, "\(candidate)")
          #expect(request.url?.user == nil && request.url?.fragment == nil, "\(candidate)")
          if candidate.authority == "example.org" {
            #expect(request.url?.host == "example.org", "\(candidate)")
          }
        }
      }
      #expect(converted > 100)
    }
  }

  extension HTTPRequest {
    fileprivate var httpURLRequest: URLRequest? { URLRequest(httpRequest: self) }
  }

  extension HTTPFields {
    fileprivate init(_ fields: [HTTPField]) {
      self.init()
      append(contentsOf: fields)
    }
  }
#endif
