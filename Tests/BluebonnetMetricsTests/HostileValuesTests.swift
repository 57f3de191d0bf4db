// SPDX-License-Identifier: MIT
#if Metrics
  import Bluebonnet
  import BluebonnetFoundation
  @testable import BluebonnetMetrics
  import BluebonnetOrigin
  import BluebonnetTestNetwork
  import BluebonnetTestSupport
  import CoreMetrics
  import MetricsTestKit
  import Testing

  /// Names that others choose, each of which would be a metric that stays for ever.
  @Suite struct HostileValuesTests {
    private let origin = Origin.inMemory()
    private let metrics = TestMetrics()

    @Test func hostsAreLimited() async {
      let monitor = MetricsMonitor(factory: metrics, includesHost: true)
      let session = Session(configuration: .patientInMemory, eventMonitors: [monitor])
      let port = URL(string: origin.baseURL)?.port ?? 0
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<500 {
          group.addTask {
            _ = await session.request("http://host\(index).test:\(port)/get").serializingData().response
          }
        }
      }
      _ = await session.request("http://\(String(repeating: "a", count: 9_999)).test/").serializingData()
        .response
      await monitor.heardAll()
      let hosts = metrics.counters.compactMap { counter in counter.dimensions.first { $0.0 == "host" }?.1 }
      #expect(Set(hosts).count == 101 && hosts.contains("other"))
      #expect(hosts.allSatisfy { $0.utf8.count <= 253 })
      #expect(metrics.counterTotal(label: "http_client_requests") == 501)
    }

    @Test(arguments: ["M\r\nX: y", "patch", "\u{1B}[2J", String(repeating: "M", count: 9_999), ""])
    func methods(method: String) async throws {
      let monitor = MetricsMonitor(factory: metrics)
      let session = Session(configuration: .patientInMemory, eventMonitors: [monitor])
      var request = URLRequest(url: try #require(URL(string: origin.baseURL + "/get")))
      request.httpMethod = method
      _ = await session.request(request).serializingData().response
      await monitor.heardAll()
      #expect(metrics.counters.allSatisfy { $0.dimensions.contains { $0 == ("method", "other") } })
      #expect(metrics.counterTotal(label: "http_client_requests") == 1)
    }

    /// The server chooses the status, and where a redirect leads.
    @Test func statusesAndRedirects() async {
      let monitor = MetricsMonitor(factory: metrics, includesHost: true)
      let session = Session(configuration: .patientInMemory, eventMonitors: [monitor])
      let port = URL(string: origin.baseURL)?.port ?? 0
      for index in 0..<50 {
        origin.script(
          "/there", .response(status: 302, fields: [("Location", "http://evil\(index).test:\(port)/get")]))
        _ = await session.request(origin.baseURL + "/there").serializingData().response
        origin.script("/odd", .text("HTTP/1.1 \(999 - index) X\r\nContent-Length: 0\r\n\r\n"))
        _ = await session.request(origin.baseURL + "/odd").serializingData().response
      }
      await monitor.heardAll()
      let all = metrics.counters.map { "\($0.dimensions)" }.joined()
      #expect(!all.contains("evil") && metrics.counters(label: "http_client_attempts").count <= 4)
    }

    @Test func requestsDoNotWaitForTheFactory() async {
      let factory = StuckFactory(metrics: metrics)
      let monitor = MetricsMonitor(factory: factory)
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
      #expect(!factory.made.wait(for: 2, seconds: 0))
      factory.release.raise()
      await monitor.heardAll()
      #expect(metrics.counterTotal(label: "http_client_attempts") == 1000)
      #expect(metrics.counterTotal(label: "http_client_requests") == 1000)
    }

    /// The notes of requests that are gone go when others come.
    @Test func nothingIsLeft() async {
      let monitor = MetricsMonitor(factory: metrics)
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

  /// A factory whose first metric waits until the test lets go.
  private struct StuckFactory: MetricsFactory {
    let metrics: TestMetrics
    let made = Signal()
    let release = Signal()

    private func wait() {
      made.raise()
      _ = release.wait()
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
      wait()
      return metrics.makeCounter(label: label, dimensions: dimensions)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
      wait()
      return metrics.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
      wait()
      return metrics.makeTimer(label: label, dimensions: dimensions)
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
  }
#endif
