// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// TLS sessions are resumed, and tickets of TLS 1.3 offered once, lest connections can be linked (RFC 8446 §C.4).
@Suite struct ResumptionLoadingTests {
  let origin: Origin
  let session: URLSession
  /// Nothing runs out of time, however slow the machine is.
  let clock: EventLoop

  private init(_ version: tls_protocol_version_t) throws {
    origin = try Origin.start(security: .tls)
    // Long enough for six requests to be under way at once.
    origin.script("/slow", ScriptedReply.response(body: "x".utf8).dripping(size: 20, every: 150))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.trustAnchors = .certificates([try #require(SecCertificate(pem: origin.authority ?? ""))])
    configuration.tlsMaximumSupportedProtocolVersion = version
    configuration.httpMaximumConnectionsPerHost = 6
    clock = configuration.stopClock()
    session = URLSession(configuration: configuration)
  }

  init() throws { try self.init(.TLSv13) }

  /// Whether each of the connections was resumed on which `count` requests came that were made at once.
  private func load(_ path: String, times count: Int = 1) async throws -> [Int: Bool] {
    let url = try #require(URL(string: origin.baseURL + path))
    origin.forgetRequests()
    let (ends, end) = AsyncStream.makeStream(of: (any Error)?.self)
    // Not a task each: they might begin long after one another where many tests run.
    for _ in 0..<count { session.dataTask(with: url) { _, _, error in end.yield(error) }.resume() }
    for await error in ends.prefix(count) { if let error { throw error } }
    let requests = origin.requests
    #expect(requests.count == count)
    return Dictionary(requests.map { ($0.connection, $0.isResumed) }, uniquingKeysWith: { $0 && $1 })
  }

  @Test func aTicketIsOfferedOnce() async throws {
    let first = try await load("/get")
    #expect(first == [1: false])
    // The server gave two tickets; the sixth request uses the first connection.
    let second = try await load("/slow", times: 6)
    #expect(second.count == 6)
    #expect(second.values.filter { $0 }.count == 2)
    // Without close_notify. The client notices while the connections are idle, which says nothing against sessions.
    origin.dropConnections()
    clock.advance(by: .zero)
    // Two tickets from each full handshake and one from each resumption.
    let third = try await load("/slow", times: 6)
    #expect(third.count == 6)
    #expect(third.values.allSatisfy { $0 })
  }

  @Test func aSessionOfTLS12IsUsedByAll() async throws {
    let old = try ResumptionLoadingTests(.TLSv12)
    let first = try await old.load("/get")
    #expect(first == [1: false])
    let second = try await old.load("/slow", times: 6)
    #expect(second.count == 6)
    #expect(second.values.filter { $0 }.count == 5)
  }

  @Test func aSessionIsForgottenWhenAHandshakeFails() async throws {
    let old = try ResumptionLoadingTests(.TLSv12)
    let first = try await old.load("/get")
    #expect(first == [1: false])
    old.origin.dropConnections()
    old.origin.reception = .close
    await #expect(throws: URLError.self) { _ = try await old.load("/get") }
    old.origin.reception = .serve
    let last = try await old.load("/get")
    #expect(last.values.allSatisfy { !$0 })
  }
}
