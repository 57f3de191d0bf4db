// SPDX-License-Identifier: MIT
#if Metrics
  import Bluebonnet
  import BluebonnetFoundation
  import BluebonnetMetrics
  import BluebonnetOrigin
  import BluebonnetTestNetwork
  import BluebonnetTestSupport
  import CoreMetrics
  import MetricsTestKit
  import Testing

  @Suite struct MetricsMonitorTests {
    private let origin = Origin.inMemory()
    private let metrics = TestMetrics()
    private let monitor: MetricsMonitor
    private let session: Session

    init() {
      monitor = MetricsMonitor(factory: metrics)
      session = Session(configuration: .patientInMemory, eventMonitors: [monitor])
    }

    private func dimensions(
      _ status: String, _ error: String = "none", method: String = "GET"
    ) -> [(String, String)] {
      [("method", method), ("status", status), ("error", error)]
    }

    private func total(_ name: String, _ dimensions: [(String, String)]? = nil) -> Int64 {
      let label = "http_client_\(name)"
      return dimensions.map { metrics.counterTotal(label: label, dimensions: $0) }
        ?? metrics.counterTotal(label: label)
    }

    private func retrying(_ limit: Int) -> Interceptor {
      Interceptor(retriers: [
        Retrier { request, _, _, completion in
          completion(request.retryCount < limit ? .retry : .doNotRetry)
        }
      ])
    }

    @Test func success() async throws {
      let response = await session.request(origin.baseURL + "/get").serializingData().response
      await monitor.heardAll()
      let ok = dimensions("2xx")
      #expect(total("attempts") == 1 && total("attempts", ok) == 1)
      #expect(total("requests") == 1 && total("requests", ok) == 1)
      #expect(total("retries") == 0 && total("serializer_failures") == 0)
      let timer = try metrics.expectTimer("http_client_attempt_duration", ok)
      #expect(timer.values.count == 1 && timer.values.allSatisfy { $0 >= 0 })
      #expect(try metrics.expectRecorder("http_client_request_body_size", ok).values == [0])
      let received = try metrics.expectRecorder("http_client_response_body_size", ok).values
      #expect(received == [Double(response.data?.count ?? -1)])
    }

    @Test func uploads() async throws {
      _ = await session.upload(Data(count: 1000), to: origin.baseURL + "/upload").serializingData().response
      await monitor.heardAll()
      let ok = dimensions("2xx", method: "POST")
      #expect(try metrics.expectRecorder("http_client_request_body_size", ok).values == [1000])
    }

    @Test func failures() async throws {
      let port = try ClosedPort()
      _ = await session.request("http://127.0.0.1:\(port.number)/").serializingData().response
      _ = await session.request(origin.baseURL + "/status/404").validate().serializingData().response
      _ = await session.request(origin.baseURL + "/xml").validate(contentType: ["text/plain"])
        .serializingData().response
      _ = await session.request("http://[").serializingData().response
      _ = await session.request(origin.baseURL + "/xml").serializingDecodable([Int].self).response
      await monitor.heardAll()
      #expect(total("attempts", dimensions("none", "connect")) == 1)
      #expect(total("attempts", dimensions("4xx", "status")) == 1)
      #expect(total("attempts", dimensions("2xx", "validation")) == 1)
      #expect(total("attempts", dimensions("2xx")) == 1 && total("attempts") == 4)
      #expect(total("requests", dimensions("none", "invalid_request", method: "other")) == 1)
      #expect(total("requests") == 5)
      #expect(total("serializer_failures") == 1)
    }

    @Test func statusesWithoutValidation() async {
      _ = await session.request(origin.baseURL + "/status/503").serializingData().response
      await monitor.heardAll()
      #expect(total("requests", dimensions("5xx")) == 1)
    }

    @Test func retries() async {
      origin.script("/get", .response(status: 500), .response(status: 404), .endpoint)
      _ = await session.request(origin.baseURL + "/get", interceptor: retrying(5)).validate()
        .serializingData().response
      await monitor.heardAll()
      #expect(total("attempts", dimensions("5xx", "status")) == 1)
      #expect(total("attempts", dimensions("4xx", "status")) == 1)
      #expect(total("attempts", dimensions("2xx")) == 1)
      #expect(total("retries", [("method", "GET")]) == 2)
      #expect(total("requests") == 1 && total("requests", dimensions("2xx")) == 1)
    }

    @Test func redirectsBelongToTheAttempt() async {
      _ = await session.request(origin.baseURL + "/redirect/3").serializingData().response
      await monitor.heardAll()
      #expect(total("attempts") == 1 && total("attempts", dimensions("2xx")) == 1)
    }

    @Test func cancellation() async {
      origin.script("/get", .silence)
      let request = session.request(origin.baseURL + "/get")
      let response = request.serializingData()
      request.resume()
      await Eventually.expect("it is sent") { origin.requests.count == 1 }
      request.cancel()
      _ = await response.response
      let early = session.request(origin.baseURL + "/get")
      early.cancel()
      _ = await early.serializingData().response
      await monitor.heardAll()
      #expect(total("attempts") == 1 && total("attempts", dimensions("none", "cancelled")) == 1)
      #expect(total("requests") == 2)
    }

    @Test func fewValues() async {
      for index in 0..<50 {
        var request = URLRequest(url: URL(string: "\(origin.baseURL)/status/\(200 + index)?s3cret=\(index)")!)
        request.httpMethod = "M\(index)"
        request.setValue("s3cret", forHTTPHeaderField: "Authorization")
        _ = await session.request(request).serializingData().response
      }
      await monitor.heardAll()
      #expect(total("attempts") == 50)
      #expect(metrics.counters(label: "http_client_attempts").count <= 2)
      let counters = metrics.counters.map { "\($0.label) \($0.dimensions)" }
      let recorders = metrics.recorders.map { "\($0.label) \($0.dimensions)" }
      let all = (counters + recorders + metrics.timers.map { "\($0.label) \($0.dimensions)" }).joined()
      #expect(!all.contains("s3cret") && !all.contains("M1") && !all.contains("127.0.0.1"))
    }

    @Test func theHostIfAskedFor() async {
      let own = MetricsMonitor(factory: metrics, prefix: "own", includesHost: true)
      let session = Session(configuration: .patientInMemory, eventMonitors: [own])
      _ = await session.request(origin.baseURL + "/get").serializingData().response
      await own.heardAll()
      let host = URL(string: origin.baseURL)?.host ?? ""
      let dimensions = dimensions("2xx") + [("host", host)]
      #expect(metrics.counterTotal(label: "own_attempts", dimensions: dimensions) == 1)
      #expect(total("attempts") == 0)
    }

    @Test func aThousandAtOnce() async {
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<1000 {
          let path = index % 10 == 0 ? "/status/404" : "/get"
          group.addTask {
            _ = await session.request(origin.baseURL + path).validate().serializingData().response
          }
        }
      }
      await monitor.heardAll()
      #expect(total("attempts", dimensions("2xx")) == 900)
      #expect(total("attempts", dimensions("4xx", "status")) == 100)
      #expect(total("requests") == 1000)
    }

    @Test func aSessionWithoutTheMonitorMakesNoMetrics() async {
      let other = Session(configuration: .patientInMemory)
      #expect(other.eventMonitor.monitors.count == 1)
      _ = await other.request(origin.baseURL + "/get").serializingData().response
      await monitor.heardAll()
      #expect(metrics.counters.isEmpty && metrics.timers.isEmpty && metrics.recorders.isEmpty)
    }
  }
#endif
