// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetURLLoading
import Testing

/// What goes out is told as it goes.
@Suite struct TransmissionDelegateTests {
  private final class Witness: URLSessionTransmissionDelegate {
    let heads = Locked<[String]>([])
    let reuses = Locked<[Bool]>([])
    let ports = Locked<[Int?]>([])

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willSend head: Data, over connection: URLSessionConnection
    ) {
      heads.withLock { $0.append(String(decoding: head, as: UTF8.self)) }
      reuses.withLock { $0.append(connection.isReused) }
      ports.withLock { $0.append(connection.remotePort) }
    }
  }

  @Test(arguments: [false, true]) func everyHeadIsTold(asTaskDelegate: Bool) async throws {
    let origin = try Origin.start()
    let witness = Witness()
    let configuration = URLSessionConfiguration.ephemeral
    // The rest of a redirect is waited for by a clock, and this one stands.
    _ = configuration.stopClock()
    let session = URLSession(
      configuration: configuration, delegate: asTaskDelegate ? nil : witness, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let url = try #require(URL(string: origin.baseURL + "/redirect/1"))
    _ = try await session.data(for: URLRequest(url: url), delegate: asTaskDelegate ? witness : nil)
    let heads = witness.heads.withLock { $0 }
    #expect(heads.count == 2)
    #expect(heads.first?.hasPrefix("GET /redirect/1 HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n") == true)
    #expect(heads.allSatisfy { $0.hasSuffix("\r\n\r\n") })
    #expect(witness.reuses.withLock { $0 } == [false, true])
    #expect(witness.ports.withLock { $0 } == [Int(origin.port), Int(origin.port)])
  }

  @Test func targetsOfTheirOwn() async throws {
    let origin = try Origin.start()
    let session = URLSession(configuration: .ephemeral)
    defer { session.finishTasksAndInvalidate() }
    let url = try #require(URL(string: origin.baseURL + "/get"))
    var request = URLRequest(url: url)
    request.httpMethod = "OPTIONS"
    request.requestTarget = "*"
    _ = try await session.data(for: request)
    #expect(origin.requests.last?.target == "*")
    request.httpMethod = "GET"
    request.requestTarget = "/get?[a|b]"
    _ = try await session.data(for: request)
    #expect(origin.requests.last?.target == "/get?[a|b]")
    #expect(request != URLRequest(url: url))
    request.requestTarget = "/a b"
    await #expect(throws: URLError.self) { try await session.data(for: request) }
    request.url = url
    #expect(request.requestTarget == nil)
  }
}
