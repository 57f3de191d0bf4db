// SPDX-License-Identifier: MIT
#if Logging
  import Bluebonnet
  import BluebonnetFoundation
  @testable import BluebonnetLogging
  import BluebonnetOrigin
  import BluebonnetTestNetwork
  import BluebonnetTestSupport
  import InMemoryLogging
  import Logging
  import Testing

  /// More requests than the handler has time for.
  @Suite struct SlowHandlerTests {
    private let origin = Origin.inMemory()

    @Test func requestsDoNotWaitForTheHandler() async {
      let handler = StuckHandler()
      let monitor = LoggingMonitor(logger: Logger(label: "http") { _ in handler })
      let session = Session(configuration: .patientInMemory, eventMonitors: [monitor])
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<1000 {
          let path = index % 2 == 0 ? "/status/404" : "/get"
          group.addTask { [origin] in
            let response = await session.request(origin.baseURL + path).validate().serializingData().response
            #expect(response.response != nil)
          }
        }
      }
      // The first line is still being written.
      #expect(handler.lines.wait(for: 2, seconds: 0) == false)
      handler.release.raise()
      await monitor.heardAll()
      #expect(handler.lines.wait(for: 2500) && !handler.lines.wait(for: 2501, seconds: 0))
    }

    /// Redirected requests that are all over before their first event is heard: each line has its own request's final address.
    @Test func finalAddressesWaitWithTheirLines() async {
      origin.handle("/from/*") {
        .response(status: 302, fields: [("Location", "/to/" + $0.path.dropFirst("/from/".count))])
      }
      origin.handle("/to/*") { .response(status: $0.path.hasSuffix("0") ? 404 : 200, body: "no list".utf8) }
      let handler = InMemoryLogHandler.all()
      let monitor = LoggingMonitor(logger: Logger(label: "http", handler))
      let session = Session(configuration: .patientInMemory, eventMonitors: [monitor])
      monitor.queue.suspend()
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<500 {
          group.addTask { [origin] in
            let address = origin.baseURL + "/from/\(number)"
            // Every other one is a stream whose serializer fails before its end.
            if number.isMultiple(of: 2) {
              _ = await session.request(address).validate().serializingData().response
            } else {
              for await _ in session.streamRequest(address).streamTask().streamingDecodables([Int].self) {}
            }
          }
        }
      }
      #expect(handler.entries.isEmpty)
      monitor.queue.resume()
      await monitor.heardAll()
      var named = 0
      for line in handler.entries where line.message == "HTTP response" || line.message == "HTTP failure" {
        let first = line.metadata["http.url"].map { "\($0)" }
        let last = line.metadata["http.final_url"].map { "\($0)" }
        #expect(last == first?.replacingOccurrences(of: "/from/", with: "/to/"))
        named += last == nil ? 0 : 1
      }
      // A response each, and a failure of the fifty with 404 and of the 250 streams.
      #expect(named >= 500 + 50 + 250)
    }

    /// The notes of requests that are gone go when others come.
    @Test func nothingIsLeft() async {
      let handler = StuckHandler()
      handler.release.raise()
      let monitor = LoggingMonitor(logger: Logger(label: "http") { _ in handler })
      let session = Session(configuration: .patientInMemory, eventMonitors: [monitor])
      for _ in 0..<20 {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<50 {
            group.addTask { [origin] in
              _ = await session.request(origin.baseURL + "/status/404").validate().serializingData().response
            }
          }
        }
      }
      await monitor.heardAll()
      #expect(monitor.recorder.count <= 200)
    }
  }

  /// A handler whose first line waits until the test lets go.
  private struct StuckHandler: LogHandler {
    let lines = Signal()
    let release = Signal()
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      lines.raise()
      _ = release.wait()
    }
  }
#endif
