// SPDX-License-Identifier: MIT
#if HTTPTypes
  import Bluebonnet
  import BluebonnetFoundation
  import BluebonnetHTTPTypes
  import HTTPTypes
  import Testing

  @Suite struct ResponseConversionTests {
    private let url = URL(string: "http://example.org/")!

    @Test func eachLineStaysByItself() throws {
      var response = HTTPResponse(status: .ok)
      for (name, value) in [
        (HTTPField.Name.setCookie, "a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT"), (.vary, "a"),
        (.setCookie, "b=2"), (.vary, "b"),
      ] {
        response.headerFields.append(HTTPField(name: name, value: value))
      }
      let converted = try #require(HTTPURLResponse(httpResponse: response, url: url))
      #expect(converted.statusCode == 200 && converted.url == url)
      #expect(converted.value(forHTTPHeaderField: "vary") == "a, b")
      let back = try #require(converted.httpResponse)
      #expect(back.headerFields.map(\.description) == response.headerFields.map(\.description))
      #expect(back.headerFields[values: .setCookie].count == 2)
    }

    @Test func bytesStayAsTheyAre() throws {
      var response = HTTPResponse(status: .init(code: 299))
      let values: [[UInt8]] = [[0xE9, 0x20, 0xFF], Array("é".utf8), [], [0x61, 0x09, 0x62]]
      for value in values {
        response.headerFields.append(HTTPField(name: .server, value: value))
      }
      let converted = try #require(HTTPURLResponse(httpResponse: response, url: url))
      #expect(converted.value(forHTTPHeaderField: "Server") == "é ÿ, é, , a\tb")
      let back = try #require(converted.httpResponse)
      #expect(back.headerFields.map { $0.withUnsafeBytesOfValue(Array.init) } == values)
      #expect(back.status.code == 299)
    }

    @Test(arguments: ["a\r\nb", "a\nSet-Cookie: x=1", "a\0b"]) func linesAreNotInjected(value: String) throws
    {
      let made = try #require(
        HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: ["X": value]))
      #expect(made.httpResponse == nil)
    }

    @Test(arguments: ["", "a b", ":status", "a\r\nb"]) func namesThatAreNone(name: String) throws {
      let made = try #require(
        HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [name: "x"]))
      #expect(made.httpResponse == nil)
    }

    @Test(arguments: [-1, 1000, .max, .min]) func statusesThatAreNone(status: Int) throws {
      let made = try #require(
        HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil))
      #expect(made.httpResponse == nil)
    }

    @Test func namesThatAreTooLong() throws {
      let name = try #require(HTTPField.Name(String(repeating: "a", count: 65_536)))
      #expect(
        HTTPURLResponse(httpResponse: HTTPResponse(status: .ok, headerFields: [name: "x"]), url: url) == nil)
    }
  }
#endif
