// SPDX-License-Identifier: MIT
import BluebonnetTLS
import Testing

@Suite struct ResumptionTests {
  /// A session from a finished full handshake.
  private func session(_ client: TLSContext, _ server: TLSContext, host: String = "localhost") throws
    -> TLSSession
  {
    let pair = try EnginePair(client: client, server: server, host: host)
    try pair.handshake()
    _ = try pair.deliver(from: pair.server, to: pair.client)
    return try #require(pair.client.takeSessions().last)
  }

  @Test(arguments: [TLSVersion.tls12, .tls13])
  func aSessionIsResumed(version: TLSVersion) throws {
    let client = try Shared.client { $0.maximumVersion = version }
    let server = try Shared.server()
    let session = try session(client, server)
    #expect(session.isUsable)
    let pair = try EnginePair(client: client, server: server, resuming: session)
    try pair.handshake()
    #expect(pair.client.wasResumed)
    #expect(pair.server.wasResumed)
    #expect(pair.client.verificationFailure == nil)
    let trust = try #require(pair.client.serverTrust)
    #expect(trust.leaf == (try Shared.identity.get().certificate))
    #expect(try trust.evaluate(host: "localhost").get().count == 2)
    try pair.client.write([1])
    #expect(try pair.deliver(from: pair.client, to: pair.server) == [1])
  }

  @Test func takingTheSessionsLeavesNone() throws {
    let pair = try EnginePair(client: Shared.client(), server: Shared.server())
    try pair.handshake()
    #expect(pair.client.takeSessions().isEmpty, "TLS 1.3 tickets come behind the handshake")
    _ = try pair.deliver(from: pair.server, to: pair.client)
    let sessions = pair.client.takeSessions()
    #expect(sessions.count == 2, "OpenSSL sends two tickets after a full handshake")
    #expect(sessions.allSatisfy { $0.isUsable })
    #expect(sessions.first !== sessions.last)
    #expect(pair.client.takeSessions().isEmpty)
  }

  @Test func anotherHostDoesNotResume() throws {
    let client = try Shared.client()
    let server = try Shared.server()
    let session = try session(client, server)
    let pair = try EnginePair(client: client, server: server, host: "a.example.test", resuming: session)
    try pair.handshake()
    #expect(!pair.client.wasResumed)
  }

  @Test func anotherContextDoesNotResume() throws {
    let server = try Shared.server()
    let session = try session(try Shared.client(), server)
    let pair = try EnginePair(client: Shared.client(), server: server, resuming: session)
    try pair.handshake()
    #expect(!pair.client.wasResumed)
  }

  @Test func aServerThatForgotFallsBackToAFullHandshake() throws {
    let client = try Shared.client()
    let session = try session(client, try Shared.server())
    let pair = try EnginePair(client: client, server: Shared.server(), resuming: session)
    try pair.handshake()
    #expect(!pair.client.wasResumed)
    #expect(pair.client.verificationFailure == nil)
  }

  @Test(arguments: [TLSVersion.tls12, .tls13])
  func aServerThatDoesNotResumeGivesNothingToResume(version: TLSVersion) throws {
    let pair = try EnginePair(
      client: Shared.client { $0.maximumVersion = version }, server: Shared.server { $0.resumes = false })
    try pair.handshake()
    _ = try pair.deliver(from: pair.server, to: pair.client)
    #expect(!pair.client.takeSessions().contains { $0.isUsable })
  }

  @Test func aRejectedServerIsStillRejectedWhenResumed() throws {
    let stranger = try CertificateAuthority.selfSigned(names: [.dns("localhost")])
    let server = try Shared.server(stranger)
    let client = try Shared.client { $0.verification = .manual }
    let session = try session(client, server)
    let pair = try EnginePair(client: client, server: server, resuming: session)
    try pair.handshake()
    #expect(pair.client.wasResumed)
    #expect(pair.client.verificationFailure?.reason == .selfSigned)
    #expect(pair.client.serverTrust?.failure?.reason == .selfSigned)
  }

  @Test func aConnectionThatWasCutDoesNotSpoilItsSession() throws {
    let client = try Shared.client()
    let server = try Shared.server()
    var pair: EnginePair? = try EnginePair(client: client, server: server)
    try pair?.handshake()
    if let pair { _ = try pair.deliver(from: pair.server, to: pair.client) }
    let session = try #require(pair?.client.takeSessions().last)
    pair = nil
    #expect(session.isUsable)
  }
}
