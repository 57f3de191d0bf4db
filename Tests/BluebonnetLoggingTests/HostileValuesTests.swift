// SPDX-License-Identifier: MIT
#if Logging
  import Bluebonnet
  import BluebonnetAttempts
  import BluebonnetFoundation
  @testable import BluebonnetLogging
  import BluebonnetOrigin
  import BluebonnetTestNetwork
  import BluebonnetTestSupport
  import InMemoryLogging
  import Logging
  import Testing

  /// Values that others choose, in lines that a reader takes apart.
  @Suite struct HostileValuesTests {
    private let origin = Origin.inMemory()
    private let handler = InMemoryLogHandler.all()
    private let monitor: LoggingMonitor
    private let session: Session

    init() {
      monitor = LoggingMonitor(
        logger: Logger(label: "http", handler), fields: ["X-Kind", "Location", "X-Long"])
      session = Session(configuration: .patientInMemory, eventMonitors: [monitor])
    }

    /// No line has a character in it that ends it, or that moves a terminal's cursor.
    private func expectPlain(sourceLocation: SourceLocation = #_sourceLocation) async {
      await monitor.heardAll()
      for entry in handler.entries {
        for (key, value) in entry.metadata {
          let isPlain = "\(value)".unicodeScalars.allSatisfy { scalar in
            ![.control, .format, .lineSeparator, .paragraphSeparator].contains(
              scalar.properties.generalCategory)
          }
          #expect(
            isPlain, "\(key): \("\(value)".unicodeScalars.map(\.value))", sourceLocation: sourceLocation)
          #expect("\(value)".utf8.count < 4_200, "\(key)", sourceLocation: sourceLocation)
        }
      }
    }

    @Test(arguments: [
      "GET\r\nX: y", "GET\u{1B}[2J", "GET\u{2028}evil", String(repeating: "G", count: 100_000), "", "\0",
    ])
    func methods(method: String) async throws {
      var request = URLRequest(url: try #require(URL(string: origin.baseURL + "/get")))
      request.httpMethod = method
      _ = await session.request(request).serializingData().response
      await expectPlain()
      #expect(handler.entries.count >= 1)
    }

    @Test(arguments: [
      "/%0d%0aX%20y", "/%1B%5B2J", "/\u{202E}evil", "/a?b=%0A", "/" + String(repeating: "a", count: 20_000),
      "//me:s3cret@evil.example/", "/;token=%00",
    ])
    func paths(path: String) async {
      _ = await session.request(origin.baseURL + path).serializingData().response
      await expectPlain()
      #expect(handler.entries.first?.metadata["http.url"] != nil)
    }

    @Test(arguments: [
      "http:///me:s3cret@host/", "http://me:s3cret@@host/", "http:me:s3cret@host",
      "http://me:s3cret@\r\nhost/",
      "//me:s3cret@host/\u{1B}[2J", "http://[me:s3cret@host/?s3cret", "me:s3cret@host",
    ])
    func addressesThatAreNone(address: String) async {
      _ = await session.request(address).serializingData().response
      await expectPlain()
      #expect(handler.entries.count >= 1)
      #expect(!handler.entries.contains { "\($0.metadata)".contains("s3cret") }, "\(handler.entries)")
    }

    /// In UTF-8, the second half of the control characters passes any parser.
    @Test(arguments: ["\u{9B}31mred", "a\u{85}b", "a\u{2028}b", "\u{202E}cba", "\u{FEFF}", "a\tb"])
    func fields(value: String) async {
      origin.script(
        "/odd", .response(fields: [("X-Kind", value), ("Location", "/\(value)?s3cret")], body: "x".utf8))
      origin.script(
        "/there", .response(status: 302, fields: [("X-Kind", value), ("Location", "/odd?\(value)")]))
      _ = await session.request(origin.baseURL + "/there", headers: ["X-Kind": value]).serializingData()
        .response
      await expectPlain()
      #expect(handler.entries.contains { $0.metadata["http.response.header.x-kind"] != nil })
      #expect(!handler.entries.contains { "\($0.metadata)".contains("s3cret") })
    }

    /// The address that a redirect leads to is the server's to choose. HOST is where it is.
    @Test(arguments: [
      "/get?s3cret#s3cret", "//me:s3cret@HOST/get", "http://me:s3cret@HOST/%0d%0aX%20y", "/%1B%5B2J?\u{1B}",
      "/\u{202E}evil", "/a\u{85}b\u{2028}c", "/a b\tc", "http:\\\\me:s3cret@HOST\\get",
      "//me:s3cret@evil@HOST/get", "http://me%40s3cret%40@HOST/get",
      "/" + String(repeating: "a", count: 20_000) + "?s3cret", "/" + String(repeating: "é", count: 5_000),
      "/get?" + String(repeating: "s3cret", count: 3_000), "http://[me:s3cret@HOST/", "data:,text",
    ])
    func finalAddresses(location: String) async throws {
      let host = String(origin.baseURL.dropFirst("http://".count))
      let target = location.replacingOccurrences(of: "HOST", with: host)
      origin.script("/from", .response(status: 302, fields: [("Location", target)]))
      let address = origin.baseURL + "/from"
      // A response, a failure behind it, and one before its end.
      _ = await session.request(address).validate { _, _, _ in .failure(URLError(.badServerResponse)) }
        .serializingData().response
      for await _ in session.streamRequest(address).streamTask().streamingDecodables([Int].self) {}
      await expectPlain()
      let shown = handler.entries.compactMap { $0.metadata["http.final_url"] }.map { "\($0)" }
      #expect(shown.allSatisfy { $0.utf8.count <= 310 && $0.hasPrefix(origin.baseURL + "/") }, "\(shown)")
      #expect(!handler.entries.contains { "\($0.metadata)".contains("s3cret") }, "\(handler.entries)")
      // Whatever is no address is not gone to; whatever was gone to is named, in each of the lines.
      let isFollowed = origin.requests.contains { $0.path != "/from" }
      #expect(isFollowed ? shown.count >= 3 : shown.isEmpty, "\(shown)")
    }

    @Test func longFields() async {
      origin.script(
        "/long", .response(fields: [("X-Long", String(repeating: "é", count: 10_000))], body: "x".utf8))
      _ = await session.request(origin.baseURL + "/long").serializingData().response
      await expectPlain()
      let value = handler.entries.last?.metadata["http.response.header.x-long"].map { "\($0)" } ?? ""
      #expect(value.hasPrefix("éé") && value.hasSuffix("é…") && value.utf8.count < 1_010)
    }

    @Test func errorsOfTheProgramsOwn() async {
      struct Odd: Error, CustomStringConvertible, LocalizedError {
        var description: String { "a\r\n\u{1B}[2J" + String(repeating: "b", count: 100_000) }
        var errorDescription: String? { description }
      }
      _ = await session.request(origin.baseURL + "/get").validate { _, _, _ in .failure(Odd()) }
        .serializingData().response
      await expectPlain()
      #expect(handler.entries.last?.metadata["error.kind"] == "validation")
    }

    @Test func escapesAreReadable() {
      #expect("a b".escaped() == "a b" && "grün 🌸".escaped() == "grün 🌸")
      #expect("a\r\nb".escaped() == "a\\u{D}\\u{A}b")
      #expect(String(repeating: "\n", count: 10).escaped(limit: 10) == "\\u{A}\\u{A}…")
      #expect("".escaped() == "")
    }
  }
#endif
