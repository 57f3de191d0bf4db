// SPDX-License-Identifier: MIT
import BluebonnetLocks
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestNetwork
import BluebonnetTestSupport
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

  private final class FactsWitness: URLSessionTransmissionDelegate {
    let connections = Locked<[URLSessionConnection]>([])
    let metrics = Locked<URLSessionTaskMetrics?>(nil)

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willSend head: Data, over connection: URLSessionConnection
    ) {
      connections.withLock { $0.append(connection) }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
      self.metrics.withLock { $0 = metrics }
    }
  }

  /// What is told of a connection before it is used is what has been measured afterwards.
  @Test(arguments: [nil, .TLSv12, .TLSv13] as [tls_protocol_version_t?])
  func theFactsOfAConnection(version: tls_protocol_version_t?) async throws {
    let origin = try Origin.start(security: version == nil ? .plain : .tls)
    let configuration = URLSessionConfiguration.patient
    if let authority = origin.authority {
      configuration.trustAnchors = .certificates([try #require(SecCertificate(pem: authority))])
    }
    if let version { configuration.tlsMaximumSupportedProtocolVersion = version }
    // The rest of a redirect is waited for by a clock, and this one stands.
    _ = configuration.stopClock()
    let witness = FactsWitness()
    let session = URLSession(configuration: configuration, delegate: witness, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    _ = try await session.data(from: try #require(URL(string: origin.baseURL + "/redirect/1")))
    await Eventually.expect("it is measured") { witness.metrics.withLock { $0 != nil } }
    let told = witness.connections.withLock { $0 }
    let measured = try #require(witness.metrics.withLock { $0 }).transactionMetrics
    #expect(told.count == 2 && measured.count == 2)
    for (told, measured) in zip(told, measured) {
      #expect(told.localAddress == "127.0.0.1" || told.localAddress == "::1")
      #expect(told.localAddress == measured.localAddress && told.remoteAddress == measured.remoteAddress)
      let port = try #require(told.localPort)
      #expect(port > 0 && port != Int(origin.port) && port == measured.localPort)
      #expect(told.remotePort == Int(origin.port) && measured.remotePort == Int(origin.port))
      #expect(told.negotiatedTLSProtocolVersion == version)
      #expect(measured.negotiatedTLSProtocolVersion == version)
      #expect((told.negotiatedTLSCipherSuite == nil) == (version == nil))
      #expect(told.isReused == measured.isReusedConnection)
      #expect(!measured.isCellular && !measured.isExpensive && !measured.isConstrained)
      #expect(!measured.isMultipath && !measured.isProxyConnection)
      #expect(measured.domainResolutionProtocol == .unknown)
    }
    #expect(told.first?.localPort == told.last?.localPort && origin.connectionCount == 1)
  }
}
