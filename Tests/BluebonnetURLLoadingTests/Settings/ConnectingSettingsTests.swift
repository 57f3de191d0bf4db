// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// Where connections are made to, and from where.
@Suite struct ConnectingSettingsTests {
  private let origin: Origin

  init() throws { origin = try Origin.start() }

  private func load(
    _ address: String, _ change: (URLSessionConfiguration) -> Void
  ) async throws -> (text: String, metrics: URLSessionTaskTransactionMetrics?) {
    let configuration = URLSessionConfiguration.ephemeral
    change(configuration)
    let session = URLSession(configuration: configuration)
    defer { session.finishTasksAndInvalidate() }
    let witness = MetricsWitness()
    let url = try #require(URL(string: address))
    let (data, _) = try await session.data(for: URLRequest(url: url), delegate: witness)
    return (String(decoding: data, as: UTF8.self), witness.metrics.withLock { $0?.transactionMetrics.last })
  }

  private func code(_ address: String, _ change: (URLSessionConfiguration) -> Void) async throws -> URLError
    .Code?
  {
    do {
      _ = try await load(address, change)
      return nil
    } catch let error as URLError {
      return error.code
    }
  }

  @Test func addressesStandInForALookup() async throws {
    _ = try await load("http://name.invalid:\(origin.port)/ip") { $0.connectionAddresses = ["127.0.0.1"] }
    #expect(origin.requests.last?.value("Host") == "name.invalid:\(origin.port)")
  }

  @Test func anotherEndpoint() async throws {
    let port = Int(origin.port)
    _ = try await load("http://name.invalid/ip") {
      $0.connectionEndpoint = .init(host: "127.0.0.1", port: port)
    }
    #expect(origin.requests.last?.value("Host") == "name.invalid")
  }

  @Test func families() async throws {
    let url = "http://127.0.0.1:\(origin.port)/ip"
    #expect(try await code(url) { $0.addressFamily = .ipv4 } == nil)
    #expect(try await code(url) { $0.addressFamily = .ipv6 } == .cannotFindHost)
  }

  @Test func ownEnds() async throws {
    let url = "http://127.0.0.1:\(origin.port)/ip"
    #expect(try await load(url) { $0.localAddress = "127.0.0.9" }.metrics?.localAddress == "127.0.0.9")
    // One that is taken is passed over. Of those behind it some are free, whoever else is at work.
    let taken = try ClosedPort()
    defer { withExtendedLifetime(taken) {} }
    let number = Int(taken.number)
    let ports = number...min(number + 100, 65_535)
    if ports.count > 50 {
      let used = try #require(try await load(url) { $0.localPorts = ports }.metrics?.localPort)
      #expect(ports.contains(used) && used != number)
    }
    #expect(try await code(url) { $0.localPorts = number...number } == .cannotConnectToHost)
    #expect(try await load(url) { $0.keepAliveInterval = 30 }.text.contains("127.0.0.1"))
    #expect(try await code(url) { $0.networkInterface = "no-such-one" } != nil)
    // Documentation addresses are nobody's (RFC 5737).
    #expect(try await code(url) { $0.localAddress = "192.0.2.1" } != nil)
  }

  @Test(
    arguments: [
      { @Sendable in $0.connectionAddresses = ["localhost"] }, { $0.localAddress = "eth0" },
      { $0.keepAliveInterval = 0 }, { $0.localPorts = 0...1 },
      { $0.localPorts = 5...70_000 }, { $0.localPorts = 70_000...70_010 },
      { $0.connectionEndpoint = .init(host: "a", port: 0) },
      { $0.connectionEndpoint = .init(host: "a", port: 65_536) },
    ] as [@Sendable (URLSessionConfiguration) -> Void])
  func whatCannotBe(change: @Sendable (URLSessionConfiguration) -> Void) async throws {
    #expect(try await code("http://127.0.0.1:\(origin.port)/ip", change) == .unsupportedURL)
    #expect(origin.requests.isEmpty)
  }

  @Test func settingsAreKept() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.connectionEndpoint = .init(host: "a", port: 1)
    configuration.addressFamily = .ipv6
    configuration.localPorts = 5...7
    #expect(configuration.connectionEndpoint == .init(host: "a", port: 1))
    #expect(configuration.addressFamily == .ipv6)
    #expect(configuration.localPorts == 5...7)
  }
}

/// Keeps the measurements.
private final class MetricsWitness: URLSessionTaskDelegate {
  let metrics = Locked<URLSessionTaskMetrics?>(nil)

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) {
    self.metrics.withLock { $0 = metrics }
  }
}
